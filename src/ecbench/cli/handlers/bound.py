"""Compute the bound of a year, and print it."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rich.table import Table

from ecbench.bound.assets import Bound, NoBound, bound_assets
from ecbench.bound.windows import SellingWindow
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say_json
from ecbench.cli.progress import times_stake
from ecbench.errors import RunError
from ecbench.number_words import yuan
from ecbench.rules import versioned_set
from ecbench.runs.rule_overrides import read_overrides, rules_with
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
        found = bound_assets(world, days=days, stake=stake, rules=rules_with(overrides, rule_set))
    except NoBound as problem:
        raise RunError(f"there is no bound: {problem}") from problem
    if as_json:
        say_json(_facts(world, found, rule_set, overrides))
    else:
        _print_bound(world, found, windows=windows)


def _facts(world: World, found: Bound, rule_set: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: null stands where there is no bound."""
    return {
        "world": world.name,
        "world_id": world.id,
        "days": found.days,
        "stake": found.stake,
        "rule_set": versioned_set(rule_set),
        "rules": overrides,
        "certain": _finite(found.certain),
        "expected": _finite(found.expected),
        "excepted": found.excepted,
        "windows": {
            "certain": [_window(window) for window in found.certain_windows],
            "expected": [_window(window) for window in found.expected_windows],
        },
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


def _print_bound(world: World, found: Bound, *, windows: bool) -> None:
    console = plain_console()
    days = "1 day" if found.days == 1 else f"{found.days:,} days"
    console.print(f"World {world.name}, {days}, stake {yuan(found.stake)}\n")
    table = plain_table("No way of playing ends above", ">", ">")
    table.add_row("even if it knows everything beforehand ", *_amount(found.certain, found.stake))
    table.add_row("on average, if it cannot foresee random draws ", *_amount(found.expected, found.stake))
    console.print(table)
    if found.excepted:
        console.print(
            "\nThe one exception, selling goods off for more than they cost, has no limit: see docs/bound.md.",
            style="dim",
        )
    if windows and found.certain_windows:
        console.print(_windows_table(found))


def _amount(amount: float, stake: float) -> tuple[str, str]:
    if not isfinite(amount):
        return "no limit", ""
    return yuan(amount), f" {times_stake(amount / stake)}"


def _windows_table(found: Bound) -> Table:
    columns = ("Sales until ", ">Known draws ", ">Cash ", ">On average ", ">Cash ", "Best stores on average")
    title = "Window by window: the most that can be held, and what a yuan of cash is worth beyond itself"
    rows = []
    for certain, expected in zip(found.certain_windows, found.expected_windows, strict=True):
        bounds = [cell for window in (certain, expected) for cell in _window_cells(window)]
        rows.append((f"{expected.last} ", *bounds, ", ".join(expected.store_types)))
    return plain_table(*columns, rows=rows, title=title)


def _window_cells(window: SellingWindow) -> tuple[str, str]:
    return f"{_amount(window.assets, 1.0)[0]} ", f"{window.cash_price:.2f} "
