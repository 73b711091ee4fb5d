"""Examine a model, and print what was found."""

import asyncio
from dataclasses import asdict, fields
from shlex import join
from typing import Any

import typer

from ecbench.cli.cost_checks import estimate_text
from ecbench.cli.exit_codes import FAILED
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.usage_text import tokens
from ecbench.errors import RunError
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.cost_estimate import FULL_YEAR, CostEstimate, estimate_year
from ecbench.harness.doctor.checkup import examine
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.messages import ModelFailure, usage_to_json
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings
from ecbench.number_words import counted
from ecbench.runs.play.agents import ModelAgent, canonical_name, parse_agent
from ecbench.runs.play.model_settings import model_settings
from ecbench.tools import tool_schemas

PATIENCE = {"attempt_seconds": 120}  # a run waits longer; here someone is watching


def examine_model(name: str, days: int | None, given: ModelOptions, *, probe: bool, as_json: bool) -> None:
    """Exits with FAILED if the model cannot play; raises RunError if it cannot be set up."""
    if not isinstance(parse_agent(name), ModelAgent):
        raise RunError(f"{name} is no model; a model is named provider/model, such as openai/gpt-5-mini")
    limits = PATIENCE | time_limits(given)
    options = model_terms(
        canonical_name(name), "template", own=agent_options(given), supplier={}, limits=limits, prices=given.prices
    )
    settings = model_settings(name, options)
    brief = Brief(policy=ContextPolicy(**options["window"]), wording=options.get("brief"))
    try:
        found = asyncio.run(_examined(settings, brief, probe=probe))
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure
    command, estimate = "", None
    if found.fit:
        command = _run_command(name, given, days, found)
        estimate = estimate_year(settings, found.policy, days or FULL_YEAR)
        found.add("year", "ok", _year_text(found, estimate, settings))
    if as_json:
        say_json(_facts(found, command) | ({"estimate": estimate.to_json()} if estimate else {}))
    else:
        _print(found, command)
    if not found.fit:
        raise typer.Exit(FAILED)


async def _examined(settings: ModelSettings, brief: Brief, *, probe: bool) -> Diagnosis:
    model = open_model(settings, tool_schemas())
    try:
        return await examine(model, brief, probe=probe)
    finally:
        await model.close()


def _run_command(name: str, given: ModelOptions, days: int | None, found: Diagnosis) -> str:
    """The command that plays this model, with the options that were given and a window that fits."""
    options = {each.name: getattr(given, each.name) for each in fields(given)}
    if found.policy not in (None, ContextPolicy()):
        options["window"] = _window_text(found.policy)
    words = ["ecbench", "run", "--agent", name]
    for option, value in (options | {"days": days}).items():
        for each in value if isinstance(value, list) else [value]:
            words += [] if each is None else [f"--{option.replace('_', '-')}", str(each)]
    return join(words)


def _year_text(found: Diagnosis, estimate: CostEstimate, settings: ModelSettings) -> str:
    turns = f"{estimate.turns[0]:,} to {estimate.turns[1]:,} turns"
    text = f"{turns}, {estimate_text(estimate, [settings], found.seconds_a_turn)}"
    seen = all(result.verdict == "ok" for result in found.findings if result.check == "caching")
    return text if seen else f"{text}; more if nothing is cached"


def _window_text(policy: ContextPolicy) -> str:
    sized = ContextPolicy.sized(policy.window)
    return str(policy.window) if policy == sized else f"{policy.window},{policy.trigger},{policy.release}"


def _print(found: Diagnosis, command: str) -> None:
    say(found.model)
    width = max(len(result.check) for result in found.findings)
    for result in found.findings:
        say(f"  {result.check:<{width}}  {result.verdict:<5}  {result.text}")
        if result.remedy:
            say(f"  {'':<{width}}         -> {result.remedy}")
    if found.answers:
        used = tokens(usage_to_json(found.usage), "cost not known (give --price)")
        say(f"{counted(found.requests, 'request')}, {used}")
    if command:
        say(f"It can play:\n  {command}")
    else:
        faults = [result for result in found.findings if result.verdict == "fault"]
        say(f"It cannot play: {'; '.join(dict.fromkeys(result.remedy or result.text for result in faults))}")


def _facts(found: Diagnosis, command: str) -> dict[str, Any]:
    return {
        "model": found.model,
        "fit": found.fit,
        "server": found.server or None,
        "checks": [asdict(result) for result in found.findings],
        "requests": found.requests,
        "usage": asdict(found.usage),
        "seconds_a_turn": round(found.seconds_a_turn, 3),
        "window": found.window,
        "fitting_window": found.policy.window if found.policy else None,
        "tokens_ratio": round(found.ratio, 3),
        "command": command or None,
    }
