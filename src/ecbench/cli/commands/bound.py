"""ecbench bound: the upper bound on the final assets of a year."""

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
        bool, typer.Option("--windows", help="Also print how the upper bound grows through the year.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compute the upper bound on the final assets of a year.

    No play that cannot foresee the market's draws ends with more on average. docs/bound.md has the argument.
    """
    handlers.bound.show_bound(world, days, stake, rules, settings or [], windows=windows, as_json=as_json)
