"""ecbench rules: what `--set` can change."""

from dataclasses import asdict
from typing import Annotated

import typer

from ecbench.cli.plain_text import say, say_json
from ecbench.cli.playing import JsonOption
from ecbench.cli.run import RuleOption


def rules(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these. [default: all]")] = None,
    settings: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the rules that --set can change.

    Each with its value, what its numbers may be, and what it is. With --set the values are those of a run that is given
    the same options; what differs from the paper is marked.
    """
    from ecbench.ranges import quoted
    from ecbench.rules import DEFAULT_RULES, ranges_of, rule_lines
    from ecbench.rules import as_json as plain
    from ecbench.runs.overrides import read_overrides, rules_with
    from ecbench.runs.problems import RunError

    chosen = rules_with(read_overrides(settings or []))
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
