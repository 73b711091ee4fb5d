"""Which delivery a unit came from: what arrived first is sold first, as the warehouse itself does it."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ecbench.report.figure import Rows
from ecbench.report.played import PlayedYear

AGES = (("up to 2 weeks", 14), ("2 to 4 weeks", 28), ("4 to 8 weeks", 56), ("over 8 weeks", 10**6))
"""Names, and the days up to which they reach."""

WEEK = 7


@dataclass(slots=True)
class Lot:
    day: int
    supplier: str
    units: int


@dataclass(slots=True)
class Lots:
    """What lies in the warehouse, by SKU, and from whom each shipment came."""

    held: dict[str, deque[Lot]]
    sources: dict[int, list[tuple[str, int]]]  # supplier and units, by shipment

    def take(self, sku: str, units: int, shipment: int) -> None:
        lots = self.held.setdefault(sku, deque())
        while units and lots:
            taken = min(units, lots[0].units)
            self.sources.setdefault(shipment, []).append((lots[0].supplier, taken))
            lots[0].units -= taken
            units -= taken
            if not lots[0].units:
                lots.popleft()


def replayed(year: PlayedYear, start: datetime) -> Iterator[tuple[int, Lots]]:
    """The warehouse after each day of the year."""
    arrivals: dict[int, Rows] = {}
    for order in year.table("orders"):
        sku = order.get("sku", order.get("product"))
        if sku and order["delivered"]:
            arrivals.setdefault(_day(order["arrives"], start), []).append({**order, "sku": sku})
    sales = _by_day(year.table("sales"))
    back = [row for row in year.table("returns") if row["restocked"]]
    # What is not shipped in time goes back on a fresh clock, like what customers send back.
    back += [{**row, "day": row["outcome_day"]} for row in year.table("sales") if row["outcome"] == "cancelled"]
    returned = _by_day(back)
    lots = Lots({}, {})
    for day in range(int(year.days[-1]["day"]) + 1):
        for order in arrivals.get(day, []):
            lots.held.setdefault(order["sku"], deque()).append(Lot(day, order["supplier"], order["delivered"]))
        for goods in returned.get(day, []):
            source = lots.sources.get(goods["shipment"], [("", 0)])[0][0]
            lots.held.setdefault(goods["sku"], deque()).append(Lot(day, source, goods["units"]))
        for sale in sales.get(day, []):
            lots.take(sale["sku"], sale["units"], sale["shipment"])
        yield day, lots


def ages_by_week(year: PlayedYear, start: datetime) -> Rows:
    rows: Rows = []
    last = int(year.days[-1]["day"])
    for day, lots in replayed(year, start):
        if day % WEEK and day != last:
            continue
        counts = dict.fromkeys((name for name, _ in AGES), 0)
        for lot in (lot for held in lots.held.values() for lot in held):
            counts[next(name for name, most in AGES if day - lot.day <= most)] += lot.units
        rows += [{"week": -(-day // WEEK), "day": day, "age": name, "order": place, "units": count}
                 for place, (name, count) in enumerate(counts.items())]  # fmt: skip
    # The last day may share its week with another.
    return list({(row["week"], row["age"]): row for row in rows}.values())


def returned_by_supplier(year: PlayedYear, start: datetime) -> dict[str, float]:
    """Units that came back, shared among the suppliers of their shipment."""
    sources = next((lots.sources for _, lots in deque(replayed(year, start), maxlen=1)), {})
    back: dict[str, float] = {}
    for row in year.table("returns"):
        parts = sources.get(row["shipment"], [])
        whole = sum(units for _, units in parts)
        for supplier, units in parts:
            back[supplier] = back.get(supplier, 0.0) + row["units"] * units / whole
    return back


def _by_day(rows: Rows) -> dict[int, Rows]:
    days: dict[int, Rows] = {}
    for row in rows:
        days.setdefault(row["day"], []).append(row)
    return days


def _day(moment: Any, start: datetime) -> int:
    """The morning on which what arrives at a moment is there."""
    arrives = datetime.fromisoformat(str(moment))
    late = arrives.hour >= 8 and (arrives.hour, arrives.minute, arrives.second) > (8, 0, 0)
    return (arrives - start).days + late
