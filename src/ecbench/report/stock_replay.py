"""Which delivery a unit came from: what arrived first is sold first, as the warehouse itself does it."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import NamedTuple

from ecbench.report.figure import Rows
from ecbench.runs.results.tables import SaleRow, YearTables

AGES = (("up to 2 weeks", 14), ("2 to 4 weeks", 28), ("4 to 8 weeks", 56), ("over 8 weeks", 10**6))
"""Names, and the days up to which they reach."""

WEEK = 7
MORNING = time(8)


@dataclass(slots=True)
class AgedLot:
    day: int
    supplier: str
    units: int


class Arrival(NamedTuple):
    """Units on their way into the warehouse: bought, sent back by customers, or not shipped in time."""

    day: int
    sku: str
    units: int
    supplier: str = ""
    shipment: int | None = None  # of goods that had been sold


@dataclass(slots=True)
class Warehouse:
    held: dict[str, deque[AgedLot]] = field(default_factory=dict)  # by SKU, the oldest first
    sources: dict[int, list[tuple[str, int]]] = field(default_factory=dict)  # supplier and units, by shipment
    units: int = 0

    def put(self, goods: Arrival) -> None:
        supplier = goods.supplier
        if goods.shipment is not None:
            supplier = self.sources.get(goods.shipment, [("", 0)])[0][0]
        self.held.setdefault(goods.sku, deque()).append(AgedLot(goods.day, supplier, goods.units))
        self.units += goods.units

    def sell_off(self, units: int, goods: Collection[str]) -> None:
        """Units leave for good with a store that closed: the oldest of what it had sold, then of anything else."""
        oldest = sorted((sku not in goods, lots[0].day, sku) for sku, lots in self.held.items() if lots)
        for *_, sku in oldest:
            held = sum(lot.units for lot in self.held[sku])
            self.take(sku, min(units, held), None)
            units -= min(units, held)

    def take(self, sku: str, units: int, shipment: int | None) -> None:
        lots = self.held.setdefault(sku, deque())
        while units and lots:
            taken = min(units, lots[0].units)
            if shipment is not None:
                self.sources.setdefault(shipment, []).append((lots[0].supplier, taken))
            lots[0].units -= taken
            self.units -= taken
            units -= taken
            if not lots[0].units:
                lots.popleft()


def replayed(tables: YearTables) -> Iterator[tuple[int, Warehouse]]:
    """The warehouse on each morning, as the books count it: what has come is there, what the day sells as well."""
    arrivals: dict[int, list[Arrival]] = {}
    for goods in (*_bought(tables), *_came_back(tables)):
        arrivals.setdefault(goods.day, []).append(goods)
    sales: dict[int, list[SaleRow]] = {}
    for row in tables.sales:
        sales.setdefault(row.day, []).append(row)
    counted = {row.day: row.units for row in tables.days if row.row == "morning"}
    sold_off = _sold_off(tables)
    warehouse = Warehouse()
    for day in range(tables.days[-1].day + 1):
        for goods in arrivals.get(day, []):
            warehouse.put(goods)
        gone = warehouse.units - counted.get(day, warehouse.units)
        if gone > 0:
            warehouse.sell_off(gone, {sku for closed, sku in sold_off if closed <= day})
        yield day, warehouse
        for row in sales.get(day, []):
            warehouse.take(row.sku, row.units, row.shipment)


def _sold_off(tables: YearTables) -> list[tuple[int, str]]:
    """Goods of stores that were closed with units on their shelves, by the day: the tables count these units only."""
    sold = {(row.store, row.sku) for row in tables.sales}
    closed = [(row.day, row.store) for row in tables.stores if row.row == "closed" and row.salvage]
    return sorted((day, sku) for day, shut in closed for store, sku in sold if store == shut)


def _bought(tables: YearTables) -> Iterator[Arrival]:
    opening = datetime.combine(tables.days[0].date, MORNING)
    for order in tables.orders:
        if order.sku and order.delivered:
            # A delivery is there on the first morning at or behind its moment.
            morning = -((opening - order.arrives) // timedelta(days=1))
            yield Arrival(morning, order.sku, order.delivered, order.supplier)


def _came_back(tables: YearTables) -> Iterator[Arrival]:
    for back in tables.returns:
        if back.restocked:
            yield Arrival(back.day, back.sku, back.units, shipment=back.shipment)
    for sale in tables.sales:
        if sale.outcome == "cancelled" and sale.outcome_day is not None:
            yield Arrival(sale.outcome_day, sale.sku, sale.units, shipment=sale.shipment)


@dataclass(frozen=True, slots=True)
class GoodsFollowed:
    """What a year's goods became: `ages` are the units held, on every seventh day and on the last one."""

    ages: Rows
    returned: dict[str, float]  # units that came back, by supplier


def followed(tables: YearTables) -> GoodsFollowed:
    last = tables.days[-1].day
    weeks: dict[int, Rows] = {}
    sources: dict[int, list[tuple[str, int]]] = {}
    for day, warehouse in replayed(tables):
        sources = warehouse.sources
        if day % WEEK == 0 or day == last:
            counts = _ages(day, [lot for lots in warehouse.held.values() for lot in lots])
            weeks[-(-day // WEEK)] = [  # week 0 is the opening
                {"week": -(-day // WEEK), "day": day, "age": name, "order": place, "units": count}
                for place, (name, count) in enumerate(counts.items())
            ]
    return GoodsFollowed([row for rows in weeks.values() for row in rows], _returned(tables, sources))


def _ages(day: int, lots: Sequence[AgedLot]) -> dict[str, int]:
    counts = dict.fromkeys((name for name, _ in AGES), 0)
    for lot in lots:
        counts[next(name for name, most in AGES if day - lot.day <= most)] += lot.units
    return counts


def _returned(tables: YearTables, sources: Mapping[int, Sequence[tuple[str, int]]]) -> dict[str, float]:
    """Shared among the suppliers of a shipment by their units."""
    back: dict[str, float] = {}
    for row in tables.returns:
        parts = sources.get(row.shipment, [])
        whole = sum(units for _, units in parts)
        for supplier, units in parts:
            back[supplier] = back.get(supplier, 0.0) + row.units * units / whole
    return back
