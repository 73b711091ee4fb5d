"""Compute the upper bound of a year, and print it."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from ecbench.bound.assets import NoBound, SellingWindow, UpperBound, upper_bound
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say_json
from ecbench.cli.progress import times_stake
from ecbench.errors import RunError
from ecbench.number_words import yuan
from ecbench.rules import versioned_set
from ecbench.runs.terms import read_overrides, rules_with
from ecbench.world.load import load_world
from ecbench.world.model import World


def show_bound(
    name: str,
    days: int | None,
    stake: float | None,
    rule_set: str,
    settings: Sequence[str],
    *,
    windows: bool,
    as_json: bool,
) -> None:
    overrides = read_overrides(settings, rule_set)
    world = load_world(name)
    try:
        found = upper_bound(world, days=days, stake=stake, rules=rules_with(overrides, rule_set))
    except NoBound as problem:
        raise RunError(f"there is no upper bound: {problem}") from problem
    if as_json:
        say_json(_facts(world, found, rule_set, overrides))
    else:
        _print_bound(world, found, windows=windows)


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
