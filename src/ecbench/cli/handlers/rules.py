"""List the rules and the named sets of them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ecbench.cli.plain_text import say, say_json
from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.rule_values import as_json as plain
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, RULE_SETS, RuleLine, Rules, ranges_of, rule_lines
from ecbench.runs.terms import read_overrides, rules_with

IN_THE_PAPER = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}


def list_rules(names: Sequence[str], rule_set: str, settings: Sequence[str], *, as_json: bool) -> None:
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


def list_sets(*, as_json: bool) -> None:
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
