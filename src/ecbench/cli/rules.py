"""ecbench rules: what `--set` can change."""

from dataclasses import asdict
from typing import Annotated

import typer

from ecbench.cli.plain_text import say, say_json
from ecbench.cli.run import RuleOption, RuleSetOption
from ecbench.cli.run_episodes import JsonOption
from ecbench.rules import DEFAULT_SET


def rules(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these. [default: all]")] = None,
    rule_set: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    sets: Annotated[bool, typer.Option("--sets", help="List the named sets of rules instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the rules that --set can change.

    Each with its value, what its numbers may be, and what it is. With --rules and --set the values are those of a run
    that is given the same options; what differs from the paper is marked.
    """
    if sets:
        _list_sets(as_json)
        return
    from ecbench.errors import RunError
    from ecbench.ranges import quoted
    from ecbench.rules import DEFAULT_RULES, ranges_of, rule_lines
    from ecbench.rules import as_json as plain
    from ecbench.runs.rule_overrides import read_overrides, rules_with

    chosen = rules_with(read_overrides(settings or [], rule_set), rule_set)
    usual = {line.name: line.value for line in rule_lines(DEFAULT_RULES)}
    for name in names or []:
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


def _list_sets(as_json: bool) -> None:
    from ecbench.rules import DEFAULT_RULES, RULE_SETS, rule_lines
    from ecbench.rules import as_json as plain

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
