"""ecbench list: agents, models and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from textwrap import fill
from typing import Annotated, Any

from ecbench.cli.declare import argument, command, group, option
from ecbench.cli.model_options import PricesOption
from ecbench.cli.options import JsonOption, RuleOption, RuleSetOption
from ecbench.cli.program import COMMANDS
from ecbench.cli.protocol_options import PresetFileOption, presets_in
from ecbench.cli.terminal import say, say_json
from ecbench.errors import RunError
from ecbench.harness.presets import ModelPreset
from ecbench.harness.prices import PriceList, packaged_prices, read_prices
from ecbench.players.merchants.registry import DEFAULT_MERCHANT, LISTINGS
from ecbench.ranges import quoted
from ecbench.rule_values import as_json as plain
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, RULE_SETS, RuleLine, Rules, ranges_of, rule_lines


def agents(as_json: JsonOption = False) -> None:
    """List the merchants that play without a model."""
    if as_json:
        facts = [
            {
                "name": listing.name,
                "description": listing.description,
                "reads_hidden_state": listing.reads_hidden_state,
                "default": listing.name == DEFAULT_MERCHANT,
            }
            for listing in LISTINGS
        ]
        say_json(facts)
        return
    width = max(len(listing.name) for listing in LISTINGS)
    for listing in LISTINGS:
        say(f"{listing.name:<{width}}  {listing.description}")
    say(
        "\nYour own: --agent module:Class or --agent file.py:Class; examples/my_merchant.py shows one.\n"
        "A model: --agent provider/model."
    )


def models(presets: PresetFileOption = None, prices: PricesOption = None, as_json: JsonOption = False) -> None:
    """List the presets of `ecbench run --preset`, and prices of models.

    Without --presets these are the paper's eighteen. A file of yours has the same form: `[[presets]]` tables with name
    and model (provider/model), and if you like title, thinking, effort, max_tokens and extra_body; before them, if you
    like, supplier_model and supplier_effort of the model that writes the suppliers' letters under --protocol paper. Any
    other model runs without a preset: --agent provider/model.

    Prices are dollars per million tokens, as of the date that is printed with them; check your provider. A file of
    yours for --prices has date (2026-01-15), source (a text) and, for each model, a table [models."provider/model"]
    with input and output, and if you like cached, write_5m and write_1h.

    Exit codes: 0 listed, 2 bad input.
    """
    from msgspec import to_builtins

    found, listed = presets_in(presets), packaged_prices() if prices is None else read_prices(prices)
    if as_json:
        say_json(to_builtins(found) | {"prices": to_builtins(listed)})
        return
    names = max((len(preset.name) for preset in found.presets), default=0)
    ids = max((len(preset.model) for preset in found.presets), default=0)
    say(f"{'Preset':<{names}}  {'Model':<{ids}}  Effort")
    for preset in found.presets:
        say(f"{preset.name:<{names}}  {preset.model:<{ids}}  {_effort(preset)}".rstrip())
    for limit in sorted({preset.max_tokens for preset in found.presets if preset.max_tokens}):
        limited = [preset.name for preset in found.presets if preset.max_tokens == limit]
        say("\n" + fill(f"At most {limit:,} tokens an answer: {', '.join(limited)}", break_on_hyphens=False))
    if found.supplier_model:
        say(f"\nSuppliers' letters under --protocol paper: {found.supplier_model}")
    if presets is None:
        say("The paper prints no model ids: these are ours.")
        say("Another id: ecbench run --preset NAME --agent provider/model")
    _say_prices(listed)


def _say_prices(listed: PriceList) -> None:
    from msgspec.structs import astuple

    names = max((len(name) for name in listed.models), default=0)
    say(f"\nDollars per million tokens, {listed.age(date.today())}")
    say(f"{'Model':<{names}} {'Input':>8} {'Output':>8} {'Cached':>8} {'Write 5m':>9} {'Write 1h':>9}")
    for name, price in listed.models.items():
        cells = ["" if figure is None else f"{figure:,g}" for figure in astuple(price)]
        say(f"{name:<{names}} {cells[0]:>8} {cells[1]:>8} {cells[2]:>8} {cells[3]:>9} {cells[4]:>9}".rstrip())
    say(fill(f"Source: {listed.source}.", 100))


def _effort(preset: ModelPreset) -> str:
    return preset.effort or ("on" if preset.thinking == "enabled" else "")


def rules(
    names: Annotated[list[str] | None, argument(metavar="NAME", help="Only these. [default: all]")] = None,
    rule_set: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    sets: Annotated[bool, option("--sets", help="List the named sets of rules instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the rules that --set can change.

    Each with its value, what its numbers may be, and what it is. With --rules and --set the values are those of a run
    that is given the same options; what differs from the paper is marked.
    """
    if sets:
        _list_sets(as_json=as_json)
    else:
        _list_rules(names or [], rule_set, settings or [], as_json=as_json)


IN_THE_PAPER = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}


def _list_rules(names: Sequence[str], rule_set: str, settings: Sequence[str], *, as_json: bool) -> None:
    from ecbench.runs.terms import read_overrides, rules_with

    chosen = rules_with(read_overrides(settings, rule_set), rule_set)
    for name in names:
        if name not in IN_THE_PAPER:
            raise RunError(f"there is no rule {quoted(name)}; the rules are: {', '.join(IN_THE_PAPER)}")
    lines = [line for line in rule_lines(chosen) if not names or line.name in names]
    if as_json:
        say_json([_facts(chosen, line) for line in lines])
        return
    for line in lines:
        say(f"{_assignment(line)}\n    {line.meaning}: {line.allowed}")
    say("\nTo change one for a run: ecbench run --set commission=0.05, or --set 'freight_factor={\"fast\": 3}'.")


def _facts(rules: Rules, line: RuleLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "value": plain(getattr(rules, line.name)),
        "default": plain(getattr(DEFAULT_RULES, line.name)),
        "allowed": line.allowed,
        "ranges": [asdict(each) for each in ranges_of(line.name)],
        "meaning": line.meaning,
    }


def _assignment(line: RuleLine) -> str:
    paper = IN_THE_PAPER[line.name]
    return f"{line.name} = {line.value}" + ("" if line.value == paper else f"  (in the paper: {paper})")


def _list_sets(*, as_json: bool) -> None:
    facts = []
    for name, found in RULE_SETS.items():
        changed = [line for line in rule_lines(found.rules) if line.value != IN_THE_PAPER[line.name]]
        changes = {line.name: plain(getattr(found.rules, line.name)) for line in changed}
        facts.append({"name": name, "purpose": found.purpose, "changes": changes})
        if not as_json:
            say("\n    ".join([f"{name}: {found.purpose}", *map(_assignment, changed)]))
    if as_json:
        say_json(facts)
    else:
        say(f"\nTo play by one: ecbench run --rules NAME. The default is {DEFAULT_SET}; --set changes rules on top.")


list_ = group("list", COMMANDS["World"]["list"], command(agents), command(models), command(rules))
