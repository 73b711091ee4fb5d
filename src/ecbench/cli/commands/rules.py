"""ecbench rules: what `--set` can change."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, RuleOption, RuleSetOption
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
        handlers.rules.list_sets(as_json=as_json)
    else:
        handlers.rules.list_rules(names or [], rule_set, settings or [], as_json=as_json)
