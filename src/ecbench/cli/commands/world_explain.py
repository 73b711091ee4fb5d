"""ecbench world explain: how the market and the suppliers compute their numbers, with the paper figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count
from ecbench.extras import import_with_extra
from ecbench.ranges import Range, quoted
from ecbench.rules import DEFAULT_SET, rule_set

if TYPE_CHECKING:
    from ecbench.analysis.explain.explanation import Explanation, Fact

Figure = Literal["demand", "unit", "kernel", "cash", "reputation", "catalog", "seasonality", "calendar"]
MODULES = {
    "market_figures": ("demand", "reputation"),
    "order_figures": ("unit", "cash"),
    "concession_curve": ("kernel",),
    "world_figures": ("catalog", "seasonality", "calendar"),
}
"""The modules of `analysis.explain`, and what each explains."""
NAMES = {"demand": "SKU", "unit": "SKU...", "kernel": "SUPPLIER SKU", "cash": "SKU"}
"""What the others do not take: names of goods and suppliers."""

Price = Annotated[float, Range(0.01, 1_000_000)]
Share = Annotated[float, Range(0, 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOptions:
    """What a figure is computed for; None stands for the default of the figure.

    Options:
        day --date DATE: Of demand: the day. [default: the world's first]
        discount SHARE: Of demand: of the price, in that day's promotion. [default: 0]
        reputation SHARE: Of demand: that of the store. [default: 1]
        listed: Of demand: SKUs of its category, priced alike. [default: 1]
        price YUAN: Of demand, unit and cash: retail price. [default: the reference price]
        cost YUAN: Of unit and cash: what a unit was bought for. [default: the opening quote; of unit also the floor]
        speed: Of unit and cash: freight. [default: standard]
        storage_days: Of unit: days in the warehouse. [default: 14]
        units: Of cash: units in the order. [default: 40]
        bids YUAN,...: Of kernel: bids in order. [default: six around its reservation]
        cycle: Of kernel: earlier bargains over this SKU. [default: 0]
        shipped: Of reputation: units shipped so far. [default: 0]
        sold: Of reputation: units sold lately. [default: 0]
        returned: Of reputation: units returned lately. [default: 0]
        cancelled: Of reputation: units cancelled lately. [default: 0]
    """

    day: datetime | None = None
    discount: Annotated[float, Range(0, 0.5)] | None = None
    reputation: Share | None = None
    listed: Annotated[int, Range(1, 10_000)] | None = None
    price: Price | None = None
    cost: Price | None = None
    speed: Literal["fast", "standard", "slow"] | None = None
    storage_days: Count | None = None
    units: Annotated[int, Range(1, 1_000_000)] | None = None
    bids: str | None = None
    cycle: Count | None = None
    shipped: Count | None = None
    sold: Count | None = None
    returned: Count | None = None
    cancelled: Count | None = None


def explain(
    figure: Figure,
    source: str,
    names: list[str] | None = None,
    *,
    given: FigureOptions,
    picture: Path | None = None,
    rules: str = DEFAULT_SET,
    settings: list[str] | None = None,
) -> CommandResult:
    """Show the model behind the numbers, hidden values included.

    demand WORLD SKU: from base sales to the units of a day, factor by factor. unit WORLD SKU...: the profit of a unit,
    and the volume that pays for the store. kernel WORLD SUPPLIER SKU: how a supplier answers a sequence of bids, and
    why. cash WORLD SKU: the money of an order in bank, escrow and wallet. reputation WORLD: how a store's reputation
    comes about, and how it recovers. catalog, seasonality and calendar WORLD: products and suppliers; demand by month;
    events and promotions.

    Options:
        figure FIGURE: demand, unit, kernel, cash, reputation, catalog, seasonality or calendar.
        names [NAME]...: Goods by their SKU; a supplier by its name or e-mail address.
        picture FILE: Also draw it into this new .svg or .png file.
    """
    from ecbench.runs.terms import read_overrides
    from ecbench.world.load import load_world

    [module] = [module for module, figures in MODULES.items() if figure in figures]
    function = vars(import_module(f"ecbench.analysis.explain.{module}"))[f"explain_{figure}"]
    options = _options(figure, function, given)
    chosen = rule_set(rules).with_overrides(read_overrides(settings or [], rules))
    found: Explanation = function(load_world(source), chosen, *_named(figure, names or []), **options)
    if picture is not None:
        import_with_extra("ecbench.pages.report.explained", "charts").write_picture(found, picture)
    return CommandResult(found, _parts(found, picture))


def _named(figure: str, names: Sequence[str]) -> Sequence[Any]:
    """The names as a figure takes them. Raises BadParameter for too many or too few."""
    wanted = NAMES.get(figure, "")
    if wanted.endswith("...") and names:
        return [names]
    if wanted.endswith("...") or len(names) != len(wanted.split()):
        raise click.BadParameter(f"write it as: {figure} WORLD {wanted}".rstrip())
    return names


def _options(figure: str, function: Callable[..., Any], given: FigureOptions) -> dict[str, Any]:
    """The options that are given. Raises BadParameter for one that the figure does not take."""
    options = {name: value for name, value in asdict(given).items() if value is not None}
    if unknown := [name for name in options if name not in signature(function).parameters]:
        flag = "--date" if unknown[0] == "day" else f"--{unknown[0].replace('_', '-')}"
        raise click.BadParameter(f"{flag} is not for {figure}; leave it out")
    if given.day is not None:
        options["day"] = given.day.date()
    if given.bids is not None:
        options["bids"] = _read_bids(given.bids)
    return options


def _read_bids(text: str) -> list[float]:
    try:
        bids = [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if not (0 < len(bids) <= 100 and all(0 <= bid <= 1e9 for bid in bids)):
        raise click.BadParameter(f"{quoted(text)}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def _parts(found: Explanation, picture: Path | None) -> Iterator[Any]:
    from ecbench.cli.table_printing import plain_table, words

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
