"""List the rules and the named sets of them."""

from collections.abc import Sequence
from dataclasses import asdict

from ecbench.cli.plain_text import say, say_json
from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, RULE_SETS, ranges_of, rule_lines
from ecbench.rules import as_json as plain
from ecbench.runs.rule_overrides import read_overrides, rules_with


def list_rules(names: Sequence[str], rule_set: str, settings: Sequence[str], *, as_json: bool) -> None:
    chosen = rules_with(read_overrides(settings, rule_set), rule_set)
    usual = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}
    for name in names:
        if name not in usual:
            raise RunError(f"there is no rule {quoted(name)}; the rules are: {', '.join(usual)}")
    lines = [line for line in rule_lines(chosen) if not names or line.name in names]
    if as_json:
        say_json(
            [
                {
                    "name": line.name,
                    "value": plain(getattr(chosen, line.name)),
                    "default": plain(getattr(DEFAULT_RULES, line.name)),
                    "allowed": line.allowed,
                    "ranges": [asdict(each) for each in ranges_of(line.name)],
                    "meaning": line.meaning,
                }
                for line in lines
            ]
        )
        return
    for line in lines:
        was = "" if line.value == usual[line.name] else f"  (in the paper: {usual[line.name]})"
        say(f"{line.name} = {line.value}{was}\n    {line.meaning}: {line.allowed}")
    say("\nTo change one for a run: ecbench run --set commission=0.05, or --set 'freight_factor={\"fast\": 3}'.")


def list_sets(*, as_json: bool) -> None:
    usual = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}
    changed = {
        name: [line for line in rule_lines(found.rules) if line.value != usual[line.name]]
        for name, found in RULE_SETS.items()
    }
    if as_json:
        say_json(
            [
                {
                    "name": name,
                    "purpose": found.purpose,
                    "changes": {line.name: plain(getattr(found.rules, line.name)) for line in changed[name]},
                }
                for name, found in RULE_SETS.items()
            ]
        )
        return
    for name, found in RULE_SETS.items():
        say(f"{name}: {found.purpose}")
        for line in changed[name]:
            say(f"    {line.name} = {line.value}  (in the paper: {usual[line.name]})")
    say(f"\nTo play by one: ecbench run --rules NAME. The default is {DEFAULT_SET}; --set changes rules on top.")
