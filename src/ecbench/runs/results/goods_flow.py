"""Which purchase a unit came from: the warehouse gives its oldest units first, so the tables of a year say it."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ecbench.runs.results.rows import LiquidationRow, ReturnRow, SaleRow, YearTables

Dated = TypeVar("Dated", SaleRow, ReturnRow, LiquidationRow)

Parts = Sequence[tuple[int, int]]
"""Some units by purchase: the number of the order, and how many of them are its."""


@dataclass(slots=True)
class AgedLot:
    day: int
    order: int
    units: int


class Arrival(NamedTuple):
    """Units of one SKU on their way into the warehouse: bought, sent back by customers, or not shipped in time."""

    sku: str
    parts: Parts


@dataclass(slots=True)
class GoodsFlow:
    """Where the units of all purchases are, and where they went."""

    held: dict[str, deque[AgedLot]] = field(default_factory=dict)  # by SKU, the oldest first
    sold: dict[int, Parts] = field(default_factory=dict)  # by shipment
    returned: dict[int, Parts] = field(default_factory=dict)  # by shipment; also what was refunded only
    sold_off: list[tuple[LiquidationRow, Parts]] = field(default_factory=list)
    units: int = 0  # held

    def put(self, day: int, goods: Arrival) -> None:
        lots = self.held.setdefault(goods.sku, deque())
        for order, units in goods.parts:
            lots.append(AgedLot(day, order, units))
            self.units += units

    def take(self, sku: str, units: int) -> Parts:
        """Remove the oldest units."""
        lots, parts = self.held.setdefault(sku, deque()), []
        while units and lots:
            taken = min(units, lots[0].units)
            parts.append((lots[0].order, taken))
            lots[0].units -= taken
            self.units -= taken
            units -= taken
            if not lots[0].units:
                lots.popleft()
        return parts


def replay_goods(tables: YearTables) -> Iterator[tuple[int, GoodsFlow]]:
    """The flow on each morning, as the books count it: what has come is there, what the day sells as well.

    One object that goes on changing; the last one is that of the whole year.
    """
    sales, liquidations, returns = _by_day(tables.sales), _by_day(tables.liquidations), _by_day(tables.returns)
    cancelled: dict[int, list[tuple[int, str]]] = {}
    for sale in tables.sales:
        if sale.outcome == "cancelled" and sale.outcome_day is not None:
            cancelled.setdefault(sale.outcome_day, []).append((sale.shipment, sale.sku))
    bought: dict[int, list[Arrival]] = {}
    for order in tables.orders:
        if order.sku and order.delivered and order.day_received is not None:
            arrival = Arrival(order.sku, [(order.order, order.delivered)])
            bought.setdefault(order.day_received, []).append(arrival)
    flow = GoodsFlow()
    for day in range(tables.days[-1].day + 1):
        for shipment, sku in cancelled.get(day, []):
            flow.put(day, Arrival(sku, flow.sold[shipment]))
        for back in returns.get(day, []):
            flow.returned[back.shipment] = parts = part_of(flow.sold.get(back.shipment, ()), back.units)
            if back.restocked:
                flow.put(day, Arrival(back.sku, parts))
        for goods in bought.get(day, []):
            flow.put(day, goods)
        yield day, flow
        for row in liquidations.get(day, []):
            flow.sold_off.append((row, flow.take(row.sku, row.units)))
        for sold in sales.get(day, []):
            flow.sold[sold.shipment] = flow.take(sold.sku, sold.units)


def goods_flow(tables: YearTables) -> GoodsFlow:
    """The flow of the whole year."""
    flow = GoodsFlow()
    for _, flow in replay_goods(tables):  # noqa: B007, as the last one is wanted
        pass
    return flow


def part_of(parts: Parts, units: int) -> Parts:
    """So many of them, whole units in proportion to those of each purchase."""
    total, seen, given, shares = sum(count for _, count in parts), 0, 0, []
    for order, count in parts:
        seen += count
        share = units * seen // total - given
        given += share
        if share:
            shares.append((order, share))
    return shares


def value_of(parts: Iterable[tuple[int, int]], unit_costs: Mapping[int, float]) -> float:
    """What was paid for some units."""
    return sum(unit_costs[order] * units for order, units in parts)


def unit_costs(tables: YearTables) -> dict[int, float]:
    """What a unit of each purchase cost, by the number of the order."""
    return {order.order: order.charged / order.quantity for order in tables.orders if order.sku}


def _by_day(rows: Iterable[Dated]) -> dict[int, list[Dated]]:
    groups: dict[int, list[Dated]] = {}
    for row in rows:
        groups.setdefault(row.day, []).append(row)
    return groups
