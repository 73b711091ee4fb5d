"""ecbench world bound: the upper bound on the final assets of an episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Days, Yuan
from ecbench.errors import RunError
from ecbench.formatting import counted, yuan
from ecbench.rules import DEFAULT_SET, versioned_set

if TYPE_CHECKING:
    from ecbench.analysis.bound.assets import SellingWindow, UpperBound
    from ecbench.world.model import World


def bound(
    source: str = "default",
    *,
    days: Days | None = None,
    stake: Yuan | None = None,
    rules: str = DEFAULT_SET,
    settings: list[str] | None = None,
    windows: bool = False,
) -> CommandResult:
    """Compute the upper bound on the final assets of an episode.

    No play that cannot foresee the market's draws ends with more on average. docs/bound.md has the argument.

    Options:
        windows: Also print how the upper bound grows through the episode.
    """
    from ecbench.analysis.bound.assets import NoBound, upper_bound
    from ecbench.runs.terms import read_overrides, rules_with
    from ecbench.world.load import load_world

    overrides, world = read_overrides(settings or [], rules), load_world(source)
    try:
        found = upper_bound(world, days=days, stake=stake, rules=rules_with(overrides, rules))
    except NoBound as problem:
        raise RunError(f"there is no upper bound: {problem}") from problem
    facts = {
        "world": world.name,
        "world_id": world.id,
        "days": found.days,
        "stake": found.stake,
        "rule_set": versioned_set(rules),
        "rules": overrides,
        "bound": _finite(found.assets),
        "excepted": found.excepted,
        "windows": [_window(window) for window in found.windows],
    }
    return CommandResult(facts, _parts(world, found, windows=windows))


def _window(window: SellingWindow) -> dict[str, Any]:
    """JSON has no infinity: null stands for no limit."""
    return {
        "first": window.first.isoformat(),
        "last": window.last.isoformat(),
        "assets": _finite(window.assets),
        "cash_price": window.cash_price,
        "store_types": list(window.store_types),
    }


def _finite(amount: float) -> float | None:
    return amount if isfinite(amount) else None


def _parts(world: World, found: UpperBound, *, windows: bool) -> Iterator[Any]:
    from ecbench.cli.plain_table import rows_table, words
    from ecbench.cli.progress import times_stake

    yield f"World {world.name}, {counted(found.days, 'day', ',')}, stake {yuan(found.stake)}\n"
    if isfinite(found.assets):
        yield f"Upper bound: {yuan(found.assets)} ({times_stake(found.assets / found.stake)} the stake)"
        yield "No play that cannot foresee the market's draws ends with more on average."
    else:
        yield "Upper bound: no limit"
    if found.excepted:
        exception = "selling goods off for more than they cost, has no limit: see docs/bound.md."
        yield words(f"\nThe one exception, {exception}", "dim")
    if windows and found.windows:
        title = "The upper bound window by window, and what a yuan of cash is worth beyond itself"
        columns: Mapping[str, Callable[[SellingWindow], str]] = {
            "Sales until ": lambda window: f"{window.last} ",
            ">Upper bound ": lambda window: f"{yuan(window.assets) if isfinite(window.assets) else 'no limit'} ",
            ">Cash ": lambda window: f"{window.cash_price:.2f} ",
            "Best stores": lambda window: ", ".join(window.store_types),
        }
        yield rows_table(found.windows, columns, title)
