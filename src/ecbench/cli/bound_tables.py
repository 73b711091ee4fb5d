"""A bound for a person: two figures, and the windows they grew through."""

from math import isfinite

from rich.table import Table

from ecbench.bound.assets import Bound
from ecbench.cli.plain_table import plain_table
from ecbench.cli.plain_text import plain_console
from ecbench.number_words import yuan
from ecbench.world.model import World

WHOLE_FROM = 99.95  # times the stake, from where a decimal would say nothing


def print_bound(world: World, found: Bound, *, windows: bool) -> None:
    console = plain_console()
    days = "1 day" if found.days == 1 else f"{found.days:,} days"
    console.print(f"World {world.name}, {days}, stake {yuan(found.stake)}\n")
    table = plain_table("No way of playing ends above", ">", ">")
    table.add_row("even if it knows everything beforehand ", *_amount(found.certain, found.stake))
    table.add_row("on average, if it cannot foresee random draws ", *_amount(found.expected, found.stake))
    console.print(table)
    console.print(
        "\nThe one exception, selling goods off for more than they cost, has no limit: see docs/bound.md.",
        style="dim",
    )
    if windows and found.certain_windows:
        console.print(_windows(found))


def _amount(amount: float, stake: float) -> tuple[str, str]:
    if not isfinite(amount):
        return "no limit", ""
    times = amount / stake
    return yuan(amount), f" {times:,.1f}x" if times < WHOLE_FROM else f" {times:,.0f}x"


def _windows(found: Bound) -> Table:
    table = plain_table(
        "Sales until ",
        ">Known draws ",
        ">Cash ",
        ">On average ",
        ">Cash ",
        "Best stores on average",
        title="Window by window: the most that can be held, and what a yuan of cash is worth beyond itself",
    )
    for certain, expected in zip(found.certain_windows, found.expected_windows, strict=True):
        table.add_row(
            f"{expected.last} ",
            f"{_amount(certain.assets, 1.0)[0]} ",
            f"{certain.cash_price:.2f} ",
            f"{_amount(expected.assets, 1.0)[0]} ",
            f"{expected.cash_price:.2f} ",
            ", ".join(expected.store_types),
        )
    return table
