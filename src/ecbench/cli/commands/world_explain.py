"""ecbench world explain: how the market and the suppliers compute their numbers, with the paper figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.table_printing import plain_table, words
from ecbench.extras import import_with_extra
from ecbench.rules import DEFAULT_SET, rule_set
from ecbench.world.load import load_world

if TYPE_CHECKING:
    from ecbench.analysis.explain.explanation import Explanation, Fact

Figure = Literal["demand", "unit", "kernel", "cash", "reputation", "catalog", "seasonality", "calendar"]
MODULES = {
    "market_figures": ("demand", "reputation"),
    "order_figures": ("kernel", "unit", "cash"),
    "world_figures": ("catalog", "seasonality", "calendar"),
}
"""The modules of `analysis.explain`, and what each explains."""
NAMES = {"demand": "SKU", "unit": "SKU", "kernel": "SUPPLIER SKU", "cash": "SKU"}
"""What the others do not take: names of goods and suppliers."""


def explain(
    figure: Figure,
    source: str,
    names: list[str] | None = None,
    *,
    at: list[str] | None = None,
    picture: Path | None = None,
    rules: str = DEFAULT_SET,
    settings: list[str] | None = None,
) -> CommandResult:
    """Show the model behind the numbers, hidden values included.

    demand WORLD SKU: from base sales to the units of a day, factor by factor. unit WORLD SKU: the profit of a unit,
    and the volume that pays for the store. kernel WORLD SUPPLIER SKU: how a supplier answers a sequence of bids, and
    why. cash WORLD SKU: the money of an order in bank, escrow and wallet. reputation WORLD: how a store's reputation
    comes about, and how it recovers. catalog, seasonality and calendar WORLD: products and suppliers; demand by month;
    events and promotions.

    Options:
        figure FIGURE: demand, unit, kernel, cash, reputation, catalog, seasonality or calendar.
        names [NAME]...: Goods by their SKU; a supplier by its name or e-mail address.
        at --at KEY=VALUE: For what it is computed; may be repeated. demand: price, day=2026-10-31, discount
            and reputation; unit: price; cash: price and units; kernel: bids=[4,5.5] and cycle (earlier bargains).
        picture FILE: Also draw it into this new .svg or .png file.
    """
    from ecbench.cli.run_file import read_overrides

    [module] = [module for module, figures in MODULES.items() if figure in figures]
    function = vars(import_module(f"ecbench.analysis.explain.{module}"))[f"explain_{figure}"]
    options = _options(function, at or [])
    chosen = rule_set(rules).with_overrides(read_overrides(settings, rules))
    found: Explanation = function(load_world(source), chosen, *_named(figure, names or []), **options)
    if picture is not None:
        import_with_extra("ecbench.pages.report.explained", "charts").write_picture(found, picture)
    return CommandResult(found, _parts(found, picture))


def _named(figure: str, names: Sequence[str]) -> Sequence[str]:
    wanted = NAMES.get(figure, "")
    if len(names) != len(wanted.split()):
        raise click.BadParameter(f"write it as: {figure} WORLD {wanted}".rstrip())
    return names


def _options(function: Callable[..., Any], given: Sequence[str]) -> dict[str, Any]:
    """What --at states, by the types of the function's own parameters. Raises RunError."""
    from msgspec import defstruct, structs

    from ecbench.cli.run_file import read_assignments

    known = [
        (name, each.annotation, each.default)
        for name, each in signature(function).parameters.items()
        if each.kind is each.KEYWORD_ONLY
    ]
    return structs.asdict(read_assignments("--at", given, defstruct("Options", known)))


def _parts(found: Explanation, picture: Path | None) -> Iterator[Any]:
    yield words(f"{found.title} ({found.paper})", "bold")
    rows = [(f"{'*' if fact.hidden else ' '} {fact.name}", _value(fact), fact.why) for fact in found.facts]
    yield plain_table("figure", "value", "why", rows=rows)
    if any(fact.hidden for fact in found.facts):
        yield "Lines with * show hidden values: agents never see them."
    if picture is not None:
        yield f"Picture: {picture}"


def _value(fact: Fact) -> str:
    if isinstance(fact.value, str):
        return f"{fact.value} {fact.unit}".rstrip()
    if fact.unit == "¥":
        return f"{'-' if fact.value < 0 else ''}¥{abs(fact.value):,.2f}"
    number = f"{fact.value:,}" if isinstance(fact.value, int) else f"{fact.value:,.4f}"
    return f"{number} {fact.unit}".rstrip()
