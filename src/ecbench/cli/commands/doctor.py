"""ecbench doctor: whether a model can play, and what to change where it cannot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from shlex import join
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Days, GameOptions, ModelOptions
from ecbench.cli.terminal import FAILED, say
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.formatting import counted

if TYPE_CHECKING:
    from ecbench.harness.brief import Brief
    from ecbench.harness.checkup import Diagnosis
    from ecbench.harness.settings import ModelSettings

PATIENCE = {"attempt_seconds": 600}  # a local server may read its first request for minutes
PROGRESS_SECONDS = 15.0


def doctor(name: str, *, days: Days | None = None, model: ModelOptions) -> CommandResult:
    """Say whether a model can play, and what an episode costs.

    Sends two to four requests of about 5,000 tokens: the one that a run begins with, which the server then caches,
    then two calls in one answer. Reports the server, tool calls (native, else as text), caching, cold and warm speed,
    the window and the --window that fits it, the hours and dollars of an episode, and the command to run. A busy server
    is asked again, and a request may take -M attempt_seconds, 600 by default. Model options are those of `ecbench run`,
    whose models get a shorter check of the same kind unless --no-doctor is given.

    Options:
        name MODEL: provider/model, as `run --agent` takes it, or the run file of a model.
    """
    require_extra("models")
    from ecbench.cli.model_costs import estimate_text
    from ecbench.cli.new_run import known_agents, new_terms
    from ecbench.cli.run_file import read_settings
    from ecbench.harness.cost_estimate import estimate_year
    from ecbench.harness.messages import ModelFailure
    from ecbench.runs.play.agents import is_model
    from ecbench.runs.play.model_settings import brief_of, model_settings
    from ecbench.runs.terms import rules_of
    from ecbench.tools import tool_schemas

    files = [name] if "/" not in name or name.endswith(".toml") else []
    stated, _ = read_settings(GameOptions(files, days=days), model, agent=None if files else name)
    if stated.agent is None or not is_model(stated.agent):
        named = f"{stated.agent or name} is not a model"
        raise RunError(f"{named}; a model is named provider/model, such as openai/gpt-5-mini")
    terms, world, _ = new_terms(stated, known_agents(stated.agent))
    settings = model_settings(stated.agent, PATIENCE | terms.seats[0].model)
    brief = brief_of(terms, 0, world)
    try:
        found = asyncio.run(_examined(settings, brief, tool_schemas(rules_of(terms))))
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure
    facts: dict[str, Any] = {"fit": found.fit, "command": None}
    if found.fit:
        window = model.window if found.policy == brief.policy or not found.policy else str(found.policy.window)
        facts["command"] = _run_command(files or ["--agent", name], model, window, days, found)
        estimate = estimate_year(settings, found.policy, terms.days)
        text = f"{estimate.turns[0]:,} to {estimate.turns[1]:,} turns, "
        text += estimate_text(estimate, found.seconds_a_turn)
        cached = any(each.check == "caching" and each.verdict == "ok" for each in found.checks)
        found.add("year", "ok", text if cached else f"{text}; more if nothing is cached")
        facts["estimate"] = estimate.to_json()
    return CommandResult(to_builtins(found) | facts, _lines(found, facts["command"]), 0 if found.fit else FAILED)


async def _examined(settings: ModelSettings, brief: Brief, tools: Sequence[Mapping[str, Any]]) -> Diagnosis:
    from ecbench.harness.checkup import examine
    from ecbench.harness.models import open_model

    model = open_model(settings, tools)
    waiting = asyncio.create_task(_tell_progress())
    try:
        return await examine(model, brief)
    finally:
        waiting.cancel()
        await model.close()


async def _tell_progress() -> None:
    """A line now and then for whoever waits for a slow server."""
    for number in count(1):
        await asyncio.sleep(PROGRESS_SECONDS)
        say(f"waiting for the model, {number * PROGRESS_SECONDS:.0f} s", err=True)


def _run_command(
    model: Sequence[str], given: ModelOptions, window: str | None, days: int | None, found: Diagnosis
) -> str:
    words = ["ecbench", "run", *model, *chain.from_iterable(("-M", each) for each in given.arguments or ())]
    words += ["--window", window] if window else []
    words += ["-M", "calls=text"] if found.calls == "text" and "calls=text" not in words else []
    return join([*words, "--days", str(days)] if days else words)


def _lines(found: Diagnosis, command: str | None) -> Iterator[str]:
    from ecbench.cli.model_costs import tokens

    yield found.model
    width = max(len(each.check) for each in found.checks)
    for each in found.checks:
        yield f"  {each.check:<{width}}  {each.verdict:<7}  {each.text}"
        if each.remedy:
            yield f"  {'':<{width}}           -> {each.remedy}"
    if found.usage.tokens:
        yield f"{counted(found.requests, 'request')}, {tokens(to_builtins(found.usage))}"
    if command:
        yield f"It can play:\n  {command}"
    else:
        problems = [each for each in found.checks if each.verdict == ("fault" if found.unfit else "unknown")]
        verdict = "It cannot play" if found.unfit else "It did not answer in time, so nothing is known"
        yield f"{verdict}: {'; '.join(dict.fromkeys(each.remedy or each.text for each in problems))}"
