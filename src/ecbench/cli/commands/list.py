"""ecbench list: agents, models and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from ecbench.cli.declare import argument, command, group, option
from ecbench.cli.options import JsonOption, RuleOption, RuleSetOption
from ecbench.cli.program import COMMANDS
from ecbench.cli.terminal import say, say_json
from ecbench.errors import RunError
from ecbench.players.merchants.registry import CONDUCT_LISTINGS, DEFAULT_MERCHANT, LISTINGS
from ecbench.ranges import near_miss, quoted
from ecbench.rule_values import as_json as plain
from ecbench.rules import ALL_RULES, DEFAULT_RULES, DEFAULT_SET, RULE_SETS, RuleLine, Rules, ranges_of, rule_lines


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
        say_json({"agents": facts})
        return
    width = max(len(listing.name) for listing in LISTINGS)
    for listing in LISTINGS:
        say(f"{listing.name:<{width}}  {listing.description}")
    say(f"\nFor studies of conduct (docs/conduct.md): {', '.join(listing.name for listing in CONDUCT_LISTINGS)}.")
    say(
        "Your own: --agent module:Class or --agent file.py:Class; examples/my_merchant.py shows one.\n"
        "A model: --agent provider/model."
    )


def models(as_json: JsonOption = False) -> None:
    """List the shipped run files of models, with prices.

    They are the paper's protocol and its eighteen models: `ecbench run paper gpt-5.5`. A file of yours has the same
    form (docs/runs.md). Any other model runs without a file: --agent provider/model.

    Prices are dollars per million tokens of input, output and cached input, as the package genai-prices lists them;
    check your provider. For a price of your own: -M price=IN,OUT.

    Exit codes: 0 listed, 2 bad input.
    """
    from msgspec import to_builtins

    from ecbench.cli.run_file import shipped, shipped_names
    from ecbench.harness.prices import listed_price

    found = {name: shipped(name) for name in shipped_names()}
    prices = {each.agent: price for each in found.values() if each.agent and (price := listed_price(each.agent))}
    if as_json:
        say_json({"run_files": to_builtins(found), "prices": to_builtins(prices)})
        return
    rows = []
    for name, each in found.items():
        price = prices.get(each.agent or "")
        figures = (price.input, price.output, price.cached) if price else (None, None, None)
        rows.append((name, each.agent or "", (each.model or {}).get("effort", ""), *map(_dollars, figures)))
    _print_columns([("Run file", "Model", "Effort", "Input", "Output", "Cached"), *rows])
    say("\nThe paper prints no model ids: these are ours. Another id: ecbench run NAME --agent provider/model")


def _dollars(figure: float | None) -> str:
    return "" if figure is None else f"{figure:,g}"


def _print_columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(map(str.ljust, row, widths)).rstrip())


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
            raise RunError(f"there is no rule {quoted(name)}; {near_miss(name, IN_THE_PAPER, ALL_RULES)}")
    lines = [line for line in rule_lines(chosen) if not names or line.name in names]
    if as_json:
        say_json({"rules": [_facts(chosen, line) for line in lines]})
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
        say_json({"sets": facts})
    else:
        say(f"\nTo play by one: ecbench run --rules NAME. The default is {DEFAULT_SET}; --set changes rules on top.")


list_ = group("list", COMMANDS["World"]["list"], command(agents), command(models), command(rules))
