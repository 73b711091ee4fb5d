"""ecbench world explain: how the market and the suppliers compute their numbers, with the paper figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from ecbench.cli.declare import CommandResult, command, group
from ecbench.cli.options import Count
from ecbench.extras import import_with_extra
from ecbench.ranges import Range, quoted
from ecbench.rules import DEFAULT_SET, rule_set

if TYPE_CHECKING:
    from ecbench.analysis.explain.explanation import Explanation, Fact

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

Price = Annotated[float, Range(0.01, 1_000_000)]
Share = Annotated[float, Range(0, 1)]
Speed = Literal["fast", "standard", "slow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions:
    """The rules that an explanation is about, and a picture of it.

    Options:
        picture FILE: Also draw it into this new .svg or .png file.
    """

    picture: Path | None = None
    rules: str = DEFAULT_SET
    settings: list[str] | None = None


def demand(
    source: str,
    sku: str,
    *,
    price: Price | None = None,
    day: datetime | None = None,
    discount: Annotated[float, Range(0, 0.5)] = 0.0,
    reputation: Share = 1.0,
    listed: Annotated[int, Range(1, 10_000)] = 1,
    shared: ExplainOptions,
) -> CommandResult:
    """From base sales to the units of a day, factor by factor.

    Options:
        day --date DATE: The day. [default: the world's first]
        discount SHARE: Of the price, in that day's promotion.
        reputation SHARE: Of the store.
        listed: SKUs of its category, priced alike.
    """
    offer = {"price": price, "day": day and day.date(), "discount": discount}
    return _explained("demand", shared, source, sku, **offer, reputation=reputation, listed=listed)


def unit(
    source: str,
    skus: list[str],
    *,
    price: Price | None = None,
    cost: Price | None = None,
    speed: Speed = "standard",
    storage_days: Count = 14,
    shared: ExplainOptions,
) -> CommandResult:
    """The profit of a unit, and the volume that pays for the store.

    Options:
        skus SKU...: Products of the world.
        storage_days: Days in the warehouse.
    """
    return _explained("unit", shared, source, skus, price=price, cost=cost, speed=speed, storage_days=storage_days)


def kernel(
    source: str, supplier: str, sku: str, *, bids: str | None = None, cycle: Count = 0, shared: ExplainOptions
) -> CommandResult:
    """How a supplier answers a sequence of bids, and why.

    Options:
        supplier SUPPLIER: Its name or e-mail address.
        bids YUAN,...: Bids in order. [default: six around its reservation]
        cycle: Earlier bargains over this SKU.
    """
    return _explained("kernel", shared, source, supplier, sku, bids=_read_bids(bids), cycle=cycle)


def _read_bids(text: str | None) -> list[float] | None:
    try:
        bids = None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if bids is not None and not (0 < len(bids) <= 100 and all(0 <= bid <= 1e9 for bid in bids)):
        raise click.BadParameter(f"{quoted(str(text))}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def cash(
    source: str,
    sku: str,
    *,
    units: Annotated[int, Range(1, 1_000_000)] = 40,
    price: Price | None = None,
    cost: Price | None = None,
    speed: Speed = "standard",
    shared: ExplainOptions,
) -> CommandResult:
    """The money of an order in bank, escrow and wallet.

    Options:
        units: In the order.
    """
    return _explained("cash", shared, source, sku, units=units, price=price, cost=cost, speed=speed)


def reputation(
    source: str,
    *,
    shipped: Count = 0,
    sold: Count = 0,
    returned: Count = 0,
    cancelled: Count = 0,
    shared: ExplainOptions,
) -> CommandResult:
    """How a store's reputation comes about, and how it recovers.

    Options:
        shipped: Units shipped so far.
        sold: Units sold lately.
        returned: Units returned lately.
        cancelled: Units cancelled lately.
    """
    counters = {"shipped": shipped, "sold": sold, "returned": returned, "cancelled": cancelled}
    return _explained("reputation", shared, source, **counters)


def _figure(name: str, help: str) -> click.Command:
    """A command that takes only a world."""

    def figure(source: str, *, shared: ExplainOptions) -> CommandResult:
        return _explained(name, shared, source)

    figure.__doc__ = help
    return command(figure, name)


def _explained(name: str, shared: ExplainOptions, source: str, *arguments: Any, **options: Any) -> CommandResult:
    """One explanation, drawn if a picture is wanted."""
    from ecbench.runs.terms import read_overrides
    from ecbench.world.load import load_world

    rules = rule_set(shared.rules).with_overrides(read_overrides(shared.settings or [], shared.rules))
    module = import_module(f"ecbench.analysis.explain.{MODULES[name]}")
    found: Explanation = vars(module)[f"explain_{name}"](load_world(source), rules, *arguments, **options)
    if shared.picture is not None:
        import_with_extra("ecbench.pages.report.explained", "charts").write_picture(found, shared.picture)
    return CommandResult(found, _lines(found, shared.picture))


def _lines(found: Explanation, picture: Path | None) -> Iterator[str]:
    yield fill(f"{found.title} ({found.paper})", WIDTH) + "\n"
    names = max(len(fact.name) for fact in found.facts)
    for fact in found.facts:
        why = f"  ({fact.why})" if fact.why else ""
        line = f"{'*' if fact.hidden else ' '} {fact.name:<{names}}  {_value(fact)}{why}"
        yield fill(line, WIDTH, subsequent_indent=" " * (names + 6))
    if any(fact.hidden for fact in found.facts):
        yield "\nLines with * show hidden values: agents never see them."
    if picture is not None:
        yield f"Picture: {picture}"


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
