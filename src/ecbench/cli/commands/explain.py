"""ecbench world explain: how the market and the suppliers come to their numbers, with the paper's figures."""

from datetime import datetime
from typing import Annotated, Any

import typer

from ecbench.cli import handlers
from ecbench.cli.options import (
    ExplainOptions,
    WorldArgument,
    command_group,
    number_option,
    with_option_groups,
)
from ecbench.ranges import Range, quoted
from ecbench.rules import SPEEDS

explain = command_group("Show the model behind the numbers, hidden values included.")


def _check_speed(name: str) -> str:
    if name not in SPEEDS:
        raise typer.BadParameter(f"{quoted(name)}: there are {', '.join(SPEEDS)}")
    return name


def _read_bids(text: str | None) -> list[float] | None:
    try:
        bids = None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if bids is not None and not (0 < len(bids) <= 100 and all(0 <= bid <= 1e9 for bid in bids)):
        raise typer.BadParameter(f"{quoted(str(text))}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def _number(name: str, least: float, most: float, help: str, metavar: str = "N") -> Any:
    return number_option(name, within=Range(least, most), help=help, metavar=metavar)


SkuArgument = Annotated[str, typer.Argument(metavar="SKU", help="A product of the world.")]
PriceOption = Annotated[
    float | None, _number("--price", 0.01, 1_000_000, "Retail price. [default: the reference price]", "YUAN")
]
CostOption = Annotated[float | None, _number("--cost", 0.01, 1_000_000, "What a unit was bought for.", "YUAN")]
SpeedOption = Annotated[
    str,
    typer.Option("--speed", metavar="NAME", callback=_check_speed, help=f"Freight: {', '.join(SPEEDS)}."),
]


@explain.command()
@with_option_groups
def demand(
    *,
    world: WorldArgument,
    sku: SkuArgument,
    price: PriceOption = None,
    day: Annotated[
        datetime | None,
        typer.Option("--date", metavar="DATE", formats=["%Y-%m-%d"], help="The day. [default: the world's first]"),
    ] = None,
    discount: Annotated[float, _number("--discount", 0, 0.5, "Of the price, in that day's promotion.", "SHARE")] = 0.0,
    reputation: Annotated[float, _number("--reputation", 0, 1, "Of the store.", "SHARE")] = 1.0,
    listed: Annotated[int, _number("--listed", 1, 10_000, "SKUs of its category, priced alike.")] = 1,
    shared: ExplainOptions,
) -> None:
    """From base sales to the units of a day, factor by factor."""
    offer = {"price": price, "day": day and day.date(), "discount": discount}
    handlers.explain.show("demand", shared, world, sku, **offer, reputation=reputation, listed=listed)


@explain.command()
@with_option_groups
def unit(
    *,
    world: WorldArgument,
    skus: Annotated[list[str], typer.Argument(metavar="SKU...", help="Products of the world.")],
    price: PriceOption = None,
    cost: CostOption = None,
    speed: SpeedOption = "standard",
    storage_days: Annotated[int, _number("--storage-days", 0, 1_000_000, "Days in the warehouse.")] = 14,
    shared: ExplainOptions,
) -> None:
    """The profit of a unit, and the volume that pays for the store."""
    handlers.explain.show("unit", shared, world, skus, price=price, cost=cost, speed=speed, storage_days=storage_days)


@explain.command()
@with_option_groups
def kernel(
    *,
    world: WorldArgument,
    supplier: Annotated[str, typer.Argument(metavar="SUPPLIER", help="Its name or e-mail address.")],
    sku: SkuArgument,
    bids: Annotated[
        str | None,
        typer.Option("--bids", metavar="YUAN,...", help="Bids in order. [default: six around its reservation]"),
    ] = None,
    cycle: Annotated[int, _number("--cycle", 0, 1_000_000, "Earlier bargains over this SKU.")] = 0,
    shared: ExplainOptions,
) -> None:
    """How a supplier answers a sequence of bids, and why."""
    handlers.explain.show("kernel", shared, world, supplier, sku, bids=_read_bids(bids), cycle=cycle)


@explain.command()
@with_option_groups
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
    handlers.explain.show("cash", shared, world, sku, units=units, price=price, cost=cost, speed=speed)


@explain.command()
@with_option_groups
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
    handlers.explain.show("reputation", shared, world, **counters)


def _add_figure(name: str, help: str) -> None:
    """Add a command that takes only a world."""

    def figure(*, world: WorldArgument, shared: ExplainOptions) -> None:
        handlers.explain.show(name, shared, world)

    explain.command(name, help=help)(with_option_groups(figure))


_add_figure("catalog", "Products, prices, natural return rates and suppliers.")
_add_figure("seasonality", "How demand moves with the months, by store type.")
_add_figure("calendar", "Events and promotions of the year, with their effects.")
