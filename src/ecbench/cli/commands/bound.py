"""ecbench bound: how much no play of a year can end with."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import DaysOption, JsonOption, RuleOption, RuleSetOption, StakeOption, WorldArgument
from ecbench.rules import DEFAULT_SET


def bound(
    world: WorldArgument = "default",
    days: DaysOption = None,
    stake: StakeOption = None,
    rules: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    windows: Annotated[
        bool, typer.Option("--windows", help="Also print how the bound grows through the year.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compute an upper limit on what any year can end with.

    Two bounds: one that holds for every play, even of an agent that knows each draw of the market beforehand, and one
    on the average of any play that does not. docs/bound.md proves them.
    """
    handlers.bound.show_bound(world, days, stake, rules, settings or [], windows=windows, as_json=as_json)
