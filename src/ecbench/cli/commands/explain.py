"""ecbench explain: how the market and the suppliers come to their numbers."""

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import (
    JsonOption,
    RuleOption,
    RuleSetOption,
    WorldArgument,
    command_group,
    number_option,
    with_option_groups,
)
from ecbench.ranges import Range
from ecbench.rules import DEFAULT_SET, SPEEDS

if TYPE_CHECKING:
    from ecbench.cli.handlers.explain import ExplainSetting

UNITS = Range(0, 1_000_000, whole=True)
PRICE = Range(0.01, 1_000_000)

explain = command_group("Show the model behind the numbers, hidden values included.")

SkuArgument = Annotated[str, typer.Argument(metavar="SKU", help="A product of the world.")]
PriceOption = Annotated[
    float | None,
    number_option("--price", within=PRICE, metavar="YUAN", help="Retail price. [default: the reference price]"),
]
CostOption = Annotated[
    float | None,
    number_option("--cost", within=PRICE, metavar="YUAN", help="Paid for a unit. [default: the opening quote]"),
]
SpeedOption = Annotated[str, typer.Option("--speed", metavar="NAME", help=f"Freight: {', '.join(SPEEDS)}.")]


@dataclass(frozen=True, slots=True)
class ExplainOutput:
    """Where an explanation goes."""

    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Also draw it into this new .svg or .png file.")
    ] = None
    as_json: JsonOption = False


@dataclass(frozen=True, slots=True)
class ExplainOptions(ExplainOutput):
    """The same, with the rules that the explanation is about."""

    rules: RuleSetOption = DEFAULT_SET
    settings: RuleOption = None


def _setting(world: str, shared: ExplainOutput) -> "ExplainSetting":
    own = shared if isinstance(shared, ExplainOptions) else ExplainOptions(shared.picture, shared.as_json)
    return handlers.explain.ExplainSetting(world, own.rules, own.settings or [], own.picture, own.as_json)


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
    discount: Annotated[
        float,
        typer.Option("--discount", min=0, max=0.5, metavar="SHARE", help="Of the price, in that day's promotion."),
    ] = 0.0,
    reputation: Annotated[
        float, typer.Option("--reputation", min=0, max=1, metavar="SHARE", help="Of the store.")
    ] = 1.0,
    listed: Annotated[
        int, typer.Option("--listed", min=1, max=10_000, metavar="N", help="SKUs of its category, priced alike.")
    ] = 1,
    shared: ExplainOptions,
) -> None:
    """From base sales to the units of a day, every multiplier named."""
    asked: date | None = day.date() if day else None
    setting = _setting(world, shared)
    handlers.explain.demand(setting, sku, price, asked, discount, reputation, listed)


@explain.command()
@with_option_groups
def unit(
    *,
    world: WorldArgument,
    sku: SkuArgument,
    price: PriceOption = None,
    cost: CostOption = None,
    speed: SpeedOption = "standard",
    storage_days: Annotated[int, number_option("--storage-days", within=UNITS, help="Days in the warehouse.")] = 14,
    shared: ExplainOptions,
) -> None:
    """The profit of a unit, and the volume that pays for the store."""
    setting = _setting(world, shared)
    handlers.explain.unit(setting, sku, price, cost, speed, storage_days)


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
    cycle: Annotated[int, number_option("--cycle", within=UNITS, help="Earlier bargains over this SKU.")] = 0,
    shared: ExplainOutput,
) -> None:
    """How a supplier answers a sequence of bids, and why."""
    setting = _setting(world, shared)
    handlers.explain.kernel(setting, supplier, sku, bids, cycle)


@explain.command()
@with_option_groups
def cash(
    *,
    world: WorldArgument,
    sku: SkuArgument,
    units: Annotated[int, number_option("--units", within=Range(1, 1_000_000, whole=True), help="In the order.")] = 40,
    price: PriceOption = None,
    cost: CostOption = None,
    speed: SpeedOption = "standard",
    shared: ExplainOptions,
) -> None:
    """The path of one order's money through bank, escrow and wallet."""
    setting = _setting(world, shared)
    handlers.explain.cash(setting, sku, units, price, cost, speed)


@explain.command()
@with_option_groups
def reputation(
    *,
    shipped: Annotated[int, number_option("--shipped", within=UNITS, help="Units shipped so far.")] = 0,
    sold: Annotated[int, number_option("--sold", within=UNITS, help="Units sold lately.")] = 0,
    returned: Annotated[int, number_option("--returned", within=UNITS, help="Units returned lately.")] = 0,
    cancelled: Annotated[int, number_option("--cancelled", within=UNITS, help="Units cancelled lately.")] = 0,
    shared: ExplainOptions,
) -> None:
    """How a store's reputation comes about, and how it recovers."""
    setting = _setting("default", shared)
    handlers.explain.reputation(setting, shipped, sold, returned, cancelled)
