"""The price desk of a store: each product on its shelf with its price, cost, margin, recent sales and days of stock."""

from dataclasses import dataclass
from statistics import fmean

from ecbench.market.books import Listing
from ecbench.market.calendar import WEEK
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.board.views.price_history import PriceDay

RECENT_DAYS = 2 * WEEK  # of sales that are shown


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A product on a shelf. Rates are units a day; amounts are yuan."""

    sku: str
    title: str
    category: str
    size: str
    units: int
    price: float
    was: float | None  # a former price that is shown crossed out
    reference: float
    cost: float
    sold: int  # to date
    returned: int
    days: list[PriceDay]  # of the last two weeks
    rate: float  # over the days of the last week on which it was listed
    earlier_rate: float | None  # of the week before; None if it was not listed then
    days_left: float | None  # of stock at that rate; None if nothing was sold


def price_desk(snapshots: SeatSnapshots, turn: int) -> dict[str, list[DeskRow]]:
    """By store that is open."""
    year = snapshots.at(turn)
    history, today = snapshots.snapshots.histories[snapshots.seat], year.day
    found = {}
    for store in year.account.books.trading:
        recent = history.of(store.id, today, today - RECENT_DAYS)
        found[store.id] = [
            _row(listing, store.was.get(sku), recent.get(sku, []), today) for sku, listing in store.shelf.items()
        ]
    return found


def _row(listing: Listing, was: float | None, days: list[PriceDay], today: int) -> DeskRow:
    stock, product = listing.stock, listing.stock.product
    rate, earlier = _rate(days, today - WEEK, today), _rate(days, today - RECENT_DAYS, today - WEEK)
    return DeskRow(
        sku=product.sku,
        title=product.title,
        category=listing.category,
        size=product.size,
        units=listing.quantity,
        price=round(listing.price, 2),
        was=None if was is None else round(was, 2),
        reference=product.reference_price,
        cost=round(stock.cost, 2),
        sold=stock.sold,
        returned=stock.returned,
        days=days,
        rate=round(rate or 0.0, 2),
        earlier_rate=None if earlier is None else round(earlier, 2),
        days_left=round(listing.quantity / rate, 1) if rate else None,
    )


def _rate(days: list[PriceDay], first: int, last: int) -> float | None:
    sold = [row.units for row in days if first <= row.day < last]
    return fmean(sold) if sold else None
