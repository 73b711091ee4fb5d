"""How old the goods were that a year held, and how many units of each supplier came back."""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.market.calendar import WEEK
from ecbench.report.figure import Rows
from ecbench.runs.results.money_facts import AgedLot, GoodsFlow, replay_goods
from ecbench.runs.results.year_tables import YearTables

AGES = (("up to 2 weeks", 14), ("2 to 4 weeks", 28), ("4 to 8 weeks", 56), ("over 8 weeks", 10**6))
"""Names, and the days up to which they reach."""


@dataclass(frozen=True, slots=True)
class GoodsFollowed:
    """What a year's goods became: `ages` are the units held, on every seventh day and on the last one."""

    flow: GoodsFlow  # of the whole year
    ages: Rows
    returned: dict[str, int]  # units that came back, by supplier


def followed(tables: YearTables) -> GoodsFollowed:
    last = tables.days[-1].day
    weeks: dict[int, Rows] = {}
    flow = GoodsFlow()
    for day, flow in replay_goods(tables):
        if day % WEEK == 0 or day == last:
            counts = _ages(day, [lot for lots in flow.held.values() for lot in lots])
            weeks[-(-day // WEEK)] = [  # week 0 is the opening
                {"week": -(-day // WEEK), "day": day, "age": name, "order": place, "units": count}
                for place, (name, count) in enumerate(counts.items())
            ]
    return GoodsFollowed(flow, [row for rows in weeks.values() for row in rows], _returned(tables, flow))


def _ages(day: int, lots: Sequence[AgedLot]) -> dict[str, int]:
    counts = dict.fromkeys((name for name, _ in AGES), 0)
    for lot in lots:
        counts[next(name for name, most in AGES if day - lot.day <= most)] += lot.units
    return counts


def _returned(tables: YearTables, flow: GoodsFlow) -> dict[str, int]:
    supplier_of = {order.order: order.supplier for order in tables.orders}
    back: dict[str, int] = {}
    for parts in flow.returned.values():
        for order, units in parts:
            back[supplier_of[order]] = back.get(supplier_of[order], 0) + units
    return back
