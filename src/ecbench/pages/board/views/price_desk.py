"""The price desk of a store: each product on its shelf with its price, cost, margin, recent sales and days of stock."""

from statistics import fmean
from typing import Any

from ecbench.market.books import Listing
from ecbench.market.calendar import WEEK
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.board.views.price_history import PriceDay

RECENT_DAYS = 2 * WEEK  # of sales that are shown


def price_desk(snapshots: SeatSnapshots, turn: int) -> dict[str, list[dict[str, Any]]]:
    """By store that is open, its products. Rates are units a day; amounts are yuan."""
    year = snapshots.at(turn)
    history, today = snapshots.snapshots.histories[snapshots.seat], year.day
    found = {}
    for store in year.account.books.trading:
        recent = history.of(store.id, today, today - RECENT_DAYS)
        found[store.id] = [
            _row(listing, store.was.get(sku), recent.get(sku, []), today) for sku, listing in store.shelf.items()
        ]
    return found


def _row(listing: Listing, was: float | None, days: list[PriceDay], today: int) -> dict[str, Any]:
    """Rates are over the days of the last week, and of the week before, on which it was listed; None if on none.

    `was` is a former price that is shown crossed out, `days_left` of stock at that rate, None if nothing was sold.
    """
    stock, product = listing.stock, listing.stock.product
    rate, earlier = _rate(days, today - WEEK, today), _rate(days, today - RECENT_DAYS, today - WEEK)
    return {
        "sku": product.sku,
        "title": product.title,
        "size": product.size,
        "units": listing.quantity,
        "price": round(listing.price, 2),
        "was": None if was is None else round(was, 2),
        "reference": product.reference_price,
        "cost": round(stock.cost, 2),
        "sold": stock.sold,
        "returned": stock.returned,
        "days": [day.units for day in days],
        "rate": round(rate or 0.0, 2),
        "earlier_rate": None if earlier is None else round(earlier, 2),
        "days_left": round(listing.quantity / rate, 1) if rate else None,
    }


def _rate(days: list[PriceDay], first: int, last: int) -> float | None:
    sold = [row.units for row in days if first <= row.day < last]
    return fmean(sold) if sold else None
