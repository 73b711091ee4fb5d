"""ecbench world explain: how the market and the suppliers compute their numbers, with the paper figures."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import click

from ecbench.cli.declare import argument, command, group, option
from ecbench.cli.options import ExplainOptions, WorldArgument
from ecbench.cli.terminal import say, say_json
from ecbench.extras import import_with_extra
from ecbench.ranges import Range, quoted
from ecbench.rules import SPEEDS, rule_set

if TYPE_CHECKING:
    from ecbench.analysis.explain.explanation import Explanation, Fact


def _check_speed(name: str) -> str:
    if name not in SPEEDS:
        raise click.BadParameter(f"{quoted(name)}: there are {', '.join(SPEEDS)}")
    return name


def _read_bids(text: str | None) -> list[float] | None:
    try:
        bids = None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if bids is not None and not (0 < len(bids) <= 100 and all(0 <= bid <= 1e9 for bid in bids)):
        raise click.BadParameter(f"{quoted(str(text))}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def _number(name: str, least: float, most: float, help: str, metavar: str = "N") -> Any:
    return option(name, within=Range(least, most), help=help, metavar=metavar)


SkuArgument = Annotated[str, argument(metavar="SKU", help="A product of the world.")]


PriceOption = Annotated[
    float | None, _number("--price", 0.01, 1_000_000, "Retail price. [default: the reference price]", "YUAN")
]


CostOption = Annotated[float | None, _number("--cost", 0.01, 1_000_000, "What a unit was bought for.", "YUAN")]


SpeedOption = Annotated[
    str,
    option("--speed", metavar="NAME", check=_check_speed, help=f"Freight: {', '.join(SPEEDS)}."),
]


def demand(
    *,
    world: WorldArgument,
    sku: SkuArgument,
    price: PriceOption = None,
    day: Annotated[
        datetime | None,
        option("--date", metavar="DATE", help="The day. [default: the world's first]"),
    ] = None,
    discount: Annotated[float, _number("--discount", 0, 0.5, "Of the price, in that day's promotion.", "SHARE")] = 0.0,
    reputation: Annotated[float, _number("--reputation", 0, 1, "Of the store.", "SHARE")] = 1.0,
    listed: Annotated[int, _number("--listed", 1, 10_000, "SKUs of its category, priced alike.")] = 1,
    shared: ExplainOptions,
) -> None:
    """From base sales to the units of a day, factor by factor."""
    offer = {"price": price, "day": day and day.date(), "discount": discount}
    _show("demand", shared, world, sku, **offer, reputation=reputation, listed=listed)


def unit(
    *,
    world: WorldArgument,
    skus: Annotated[list[str], argument(metavar="SKU...", help="Products of the world.")],
    price: PriceOption = None,
    cost: CostOption = None,
    speed: SpeedOption = "standard",
    storage_days: Annotated[int, _number("--storage-days", 0, 1_000_000, "Days in the warehouse.")] = 14,
    shared: ExplainOptions,
) -> None:
    """The profit of a unit, and the volume that pays for the store."""
    _show("unit", shared, world, skus, price=price, cost=cost, speed=speed, storage_days=storage_days)


def kernel(
    *,
    world: WorldArgument,
    supplier: Annotated[str, argument(metavar="SUPPLIER", help="Its name or e-mail address.")],
    sku: SkuArgument,
    bids: Annotated[
        str | None,
        option("--bids", metavar="YUAN,...", help="Bids in order. [default: six around its reservation]"),
    ] = None,
    cycle: Annotated[int, _number("--cycle", 0, 1_000_000, "Earlier bargains over this SKU.")] = 0,
    shared: ExplainOptions,
) -> None:
    """How a supplier answers a sequence of bids, and why."""
    _show("kernel", shared, world, supplier, sku, bids=_read_bids(bids), cycle=cycle)


def cash(
    *,
    world: WorldArgument,
    sku: SkuArgument,
    units: Annotated[int, _number("--units", 1, 1_000_000, "In the order.")] = 40,
    price: PriceOption = None,
    cost: CostOption = None,
    speed: SpeedOption = "standard",
    shared: ExplainOptions,
) -> None:
    """The money of an order in bank, escrow and wallet."""
    _show("cash", shared, world, sku, units=units, price=price, cost=cost, speed=speed)


def reputation(
    *,
    world: WorldArgument,
    shipped: Annotated[int, _number("--shipped", 0, 1_000_000, "Units shipped so far.")] = 0,
    sold: Annotated[int, _number("--sold", 0, 1_000_000, "Units sold lately.")] = 0,
    returned: Annotated[int, _number("--returned", 0, 1_000_000, "Units returned lately.")] = 0,
    cancelled: Annotated[int, _number("--cancelled", 0, 1_000_000, "Units cancelled lately.")] = 0,
    shared: ExplainOptions,
) -> None:
    """How a store's reputation comes about, and how it recovers."""
    counters = {"shipped": shipped, "sold": sold, "returned": returned, "cancelled": cancelled}
    _show("reputation", shared, world, **counters)


def _figure(name: str, help: str) -> click.Command:
    """A command that takes only a world."""

    def figure(*, world: WorldArgument, shared: ExplainOptions) -> None:
        _show(name, shared, world)

    figure.__doc__ = help
    return command(figure, name)


WIDTH = 80


MODULES = {
    "demand": "market_figures",
    "unit": "order_figures",
    "kernel": "concession_curve",
    "cash": "order_figures",
    "reputation": "market_figures",
    "catalog": "world_figures",
    "seasonality": "world_figures",
    "calendar": "world_figures",
}
"""The module of `analysis.explain` that has each explanation."""


def _show(name: str, shared: ExplainOptions, world: str, *arguments: Any, **options: Any) -> None:
    """Print one explanation, and draw it if a picture is wanted."""
    from msgspec import to_builtins

    from ecbench.runs.terms import read_overrides
    from ecbench.world.load import load_world

    rules = rule_set(shared.rules).with_overrides(read_overrides(shared.settings or [], shared.rules))
    module = import_module(f"ecbench.analysis.explain.{MODULES[name]}")
    explanation: Explanation = vars(module)[f"explain_{name}"](load_world(world), rules, *arguments, **options)
    if shared.picture is not None:
        import_with_extra("ecbench.pages.report.explained", "charts").write_picture(explanation, shared.picture)
    if shared.as_json:
        say_json(to_builtins(explanation))
        return
    say(fill(f"{explanation.title} ({explanation.paper})", WIDTH) + "\n")
    names = max(len(fact.name) for fact in explanation.facts)
    for fact in explanation.facts:
        line = (
            f"{'*' if fact.hidden else ' '} {fact.name:<{names}}  {_value(fact)}{f'  ({fact.why})' if fact.why else ''}"
        )
        say(fill(line, WIDTH, subsequent_indent=" " * (names + 6)))
    if any(fact.hidden for fact in explanation.facts):
        say("\nLines with * show hidden values: agents never see them.")
    if shared.picture is not None:
        say(f"Picture: {shared.picture}")


def _value(fact: Fact) -> str:
    if isinstance(fact.value, str):
        return f"{fact.value} {fact.unit}".rstrip()
    if fact.unit == "¥":
        return f"{'-' if fact.value < 0 else ''}¥{abs(fact.value):,.2f}"
    number = f"{fact.value:,}" if isinstance(fact.value, int) else f"{fact.value:,.4f}"
    return f"{number} {fact.unit}".rstrip()


explain = group(
    "explain",
    "Show the model behind the numbers, hidden values included.",
    *(command(each) for each in (demand, unit, kernel, cash, reputation)),
    _figure("catalog", "Products, prices, natural return rates and suppliers."),
    _figure("seasonality", "How demand moves with the months, by store type."),
    _figure("calendar", "Events and promotions of the episode, with their effects."),
)
