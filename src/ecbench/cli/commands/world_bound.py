"""ecbench world bound: the upper bound on the final assets of an episode."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

from ecbench.cli.declare import option
from ecbench.cli.options import DaysOption, JsonOption, RuleOption, RuleSetOption, StakeOption, WorldArgument
from ecbench.cli.terminal import say_json
from ecbench.errors import RunError
from ecbench.formatting import yuan
from ecbench.rules import DEFAULT_SET, versioned_set

if TYPE_CHECKING:
    from ecbench.analysis.bound.assets import SellingWindow, UpperBound
    from ecbench.world.model import World


def bound(
    world: WorldArgument = "default",
    days: DaysOption = None,
    stake: StakeOption = None,
    rules: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    windows: Annotated[
        bool, option("--windows", help="Also print how the upper bound grows through the episode.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compute the upper bound on the final assets of an episode.

    No play that cannot foresee the market's draws ends with more on average. docs/bound.md has the argument.
    """
    from ecbench.analysis.bound.assets import NoBound, upper_bound
    from ecbench.runs.terms import read_overrides, rules_with
    from ecbench.world.load import load_world

    overrides, loaded = read_overrides(settings or [], rules), load_world(world)
    try:
        found = upper_bound(loaded, days=days, stake=stake, rules=rules_with(overrides, rules))
    except NoBound as problem:
        raise RunError(f"there is no upper bound: {problem}") from problem
    if as_json:
        say_json(_facts(loaded, found, rules, overrides))
    else:
        _print_bound(loaded, found, windows=windows)


def _facts(world: World, found: UpperBound, rule_set: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: null stands for no limit."""
    return {
        "world": world.name,
        "world_id": world.id,
        "days": found.days,
        "stake": found.stake,
        "rule_set": versioned_set(rule_set),
        "rules": overrides,
        "bound": _finite(found.assets),
        "excepted": found.excepted,
        "windows": [_window(window) for window in found.windows],
    }


def _window(window: SellingWindow) -> dict[str, Any]:
    return {
        "first": window.first.isoformat(),
        "last": window.last.isoformat(),
        "assets": _finite(window.assets),
        "cash_price": window.cash_price,
        "store_types": list(window.store_types),
    }


def _finite(amount: float) -> float | None:
    return amount if isfinite(amount) else None


def _print_bound(world: World, found: UpperBound, *, windows: bool) -> None:
    from ecbench.cli.plain_table import plain_console, plain_table
    from ecbench.cli.progress import times_stake

    console = plain_console()
    days = "1 day" if found.days == 1 else f"{found.days:,} days"
    console.print(f"World {world.name}, {days}, stake {yuan(found.stake)}\n")
    if isfinite(found.assets):
        console.print(f"Upper bound: {yuan(found.assets)} ({times_stake(found.assets / found.stake)} the stake)")
        console.print("No play that cannot foresee the market's draws ends with more on average.")
    else:
        console.print("Upper bound: no limit")
    if found.excepted:
        console.print(
            "\nThe one exception, selling goods off for more than they cost, has no limit: see docs/bound.md.",
            style="dim",
        )
    if windows and found.windows:
        rows = [_window_cells(window) for window in found.windows]
        title = "The upper bound window by window, and what a yuan of cash is worth beyond itself"
        console.print(plain_table("Sales until ", ">Upper bound ", ">Cash ", "Best stores", rows=rows, title=title))


def _window_cells(window: SellingWindow) -> tuple[str, str, str, str]:
    assets = yuan(window.assets) if isfinite(window.assets) else "no limit"
    return f"{window.last} ", f"{assets} ", f"{window.cash_price:.2f} ", ", ".join(window.store_types)
