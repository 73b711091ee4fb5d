"""ecbench list: agents, models and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ecbench.cli.declare import CommandResult, command, group
from ecbench.cli.program import COMMANDS
from ecbench.cli.table_printing import rows_table
from ecbench.errors import RunError
from ecbench.players.merchants.registry import CONDUCT_LISTINGS, DEFAULT_MERCHANT, LISTINGS
from ecbench.ranges import near_miss, quoted
from ecbench.rule_values import as_json as plain
from ecbench.rules import (
    ALL_RULES,
    DEFAULT_RULES,
    DEFAULT_SET,
    NEWEST_VERSIONS,
    RULE_SETS,
    RuleLine,
    ranges_of,
    rule_lines,
)

IN_THE_PAPER = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}


def agents() -> CommandResult:
    """List the merchants that play without a model.

    Your own: --agent module:Class or --agent file.py:Class; examples/my_merchant.py shows one. A model: --agent
    provider/model.
    """
    names = ("name", "description", "reads_hidden_state")
    facts = [
        {name: getattr(listing, name) for name in names} | {"default": listing.name == DEFAULT_MERCHANT}
        for listing in LISTINGS
    ]
    studies = f"For studies of conduct (docs/conduct.md): {', '.join(listing.name for listing in CONDUCT_LISTINGS)}."
    return CommandResult({"agents": facts}, [rows_table(facts, "name description"), studies])


def models() -> CommandResult:
    """List the shipped run files of models, with prices.

    They are the paper's protocol and its eighteen models: `ecbench run paper gpt-5.5`. A file of yours has the same
    form (docs/runs.md). Any other model runs without a file: --agent provider/model.

    Prices are dollars per million tokens, as -M price takes them: input, output, cached and written to the cache. They
    are those of the package genai-prices, which the extra `models` brings; check your provider.
    """
    from ecbench.cli.run_file import shipped, shipped_names
    from ecbench.harness.settings import listed_price

    found = {name: shipped(name) for name in shipped_names()}
    agents = filter(None, (each.get("agent") for each in found.values()))
    prices = {agent: price for agent in agents if (price := listed_price(agent))}
    lines = [f"{name:28}{each.get('agent', ''):33}{prices.get(each.get('agent'), '')}" for name, each in found.items()]
    note = "\nThe paper prints no model ids: these are ours. Another id: ecbench run NAME --agent provider/model"
    return CommandResult({"run_files": found, "prices": prices}, [*map(str.rstrip, lines), note])


def rules(names: list[str] | None = None, *, rules: str = DEFAULT_SET, sets: bool = False) -> CommandResult:
    """List the rules that --set can change.

    Each has its value, its meaning and the numbers that it may be set to. With --rules the values are those of that
    set; what differs from the paper is marked.

    Options:
        names [NAME]...: The rules to list. [default: all]
        sets: List the named sets of rules instead.
    """
    from ecbench.runs.terms import rules_with

    if sets:
        return CommandResult({"sets": [_set_facts(name) for name in RULE_SETS]}, _set_lines())
    chosen = rules_with({}, rules)
    for name in names or ():
        if name not in IN_THE_PAPER:
            raise RunError(f"there is no rule {quoted(name)}; {near_miss(name, IN_THE_PAPER, ALL_RULES)}")
    lines = [line for line in rule_lines(chosen) if not names or line.name in names]
    facts = [
        {
            "name": line.name,
            "value": plain(getattr(chosen, line.name)),
            "default": plain(getattr(DEFAULT_RULES, line.name)),
            "allowed": line.allowed,
            "ranges": ranges_of(line.name),
            "meaning": line.meaning,
        }
        for line in lines
    ]
    text = [f"{_assignment(line)}\n    {line.meaning}: {line.allowed}" for line in lines]
    text += ["\nTo change one for a run: ecbench run --set commission=0.05, or --set 'freight_factor={\"fast\": 3}'."]
    return CommandResult({"rules": facts}, text)


def _assignment(line: RuleLine) -> str:
    paper = IN_THE_PAPER[line.name]
    return f"{line.name} = {line.value}" + ("" if line.value == paper else f"  (in the paper: {paper})")


def _changed(name: str) -> Sequence[RuleLine]:
    return [line for line in rule_lines(RULE_SETS[name].rules) if line.value != IN_THE_PAPER[line.name]]


def _set_facts(name: str) -> dict[str, object]:
    found = RULE_SETS[name]
    changes = {line.name: plain(getattr(found.rules, line.name)) for line in _changed(name)}
    return {"name": name, "purpose": found.purpose, "changes": changes}


def _set_lines() -> Iterator[str]:
    for name, found in RULE_SETS.items():
        yield "\n    ".join([f"{name}: {found.purpose}", *map(_assignment, _changed(name))])
    newest = " and ".join(f"{name} is {versioned}" for name, versioned in NEWEST_VERSIONS.items())
    yield f"\nTo play by one: ecbench run --rules NAME. The default is {DEFAULT_SET}; {newest}."
    yield "--set changes rules on top."


list_ = group("list", COMMANDS["World"]["list"], command(agents), command(models), command(rules))
