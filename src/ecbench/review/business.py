"""What a player did, day by day: the facts that its level and its strategy are read from."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ecbench.market.calendar import WEEK
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.runs.record.json_values import Yuan


@dataclass(frozen=True, slots=True)
class Business:
    """Columns with an entry for each day that was played, from day 0 on, and the types of all stores ever opened."""

    sales: tuple[Yuan, ...]  # sold that day, at the prices paid
    bought: tuple[Yuan, ...]  # paid to suppliers
    assets: tuple[Yuan, ...]  # bank and wallet in the evening, with that morning's escrow
    bank: tuple[Yuan, ...]  # in the evening
    stores: tuple[int, ...]
    listings: tuple[int, ...]  # with units on the shelf
    trades: tuple[str, ...]


def business_of(played: BilledYear) -> Business:
    evenings = played.evenings
    days = range(len(evenings))
    sales, bought = dict.fromkeys(days, 0.0), dict.fromkeys(days, 0.0)
    for sale in played.journal.sales:
        sales[sale.day] = sales.get(sale.day, 0.0) + sale.goods.unit_price * sale.goods.quantity
    for order in played.books.orders:
        bought[order.day] = bought.get(order.day, 0.0) + order.charged
    escrow = [0.0, *(morning.escrow for morning in played.books.days)]
    shelves = [evening.shelves for evening in evenings]
    return Business(
        sales=tuple(sales[day] for day in days),
        bought=tuple(bought[day] for day in days),
        assets=tuple(each.bank + each.wallet + held for each, held in zip(evenings, escrow)),
        bank=tuple(evening.bank for evening in evenings),
        stores=tuple(map(len, shelves)),
        listings=tuple(sum(units > 0 for note in notes for units in note.quantities) for notes in shelves),
        trades=tuple(sorted({note.type for notes in shelves for note in notes})),
    )


def by_week(daily: Sequence[float]) -> list[float]:
    """Sums of seven days each; the last week may be shorter."""
    return [sum(daily[day : day + WEEK]) for day in range(0, len(daily), WEEK)]


def around(weekly: Sequence[float], reach: int) -> list[float]:
    """For each week the median of those at most `reach` away."""
    return [median(weekly[max(0, week - reach) : week + reach + 1]) for week in range(len(weekly))]
