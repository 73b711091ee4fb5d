"""A store's place in a promotion, and the prices that its discount is taken off."""

from datetime import date

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.demand import NO_OFFER


def drop_finished_enrolment(store: Store, morning: date, yesterday: date) -> None:
    """A store leaves a promotion on the second morning after the promotion's last window of the year."""
    if store.enrolment is None:
        return
    promotion = store.enrolment.promotion
    if not is_running(promotion, yesterday) and is_over(promotion, morning):
        store.enrolment = None


def remember_prices(store: Store, day: date, memory: int) -> None:
    """Set the price that a running promotion's discount is taken off: the SKU's lowest of that day and `memory` before.

    Prices of the SKU count whatever shelf it was on, so that taking it off a shelf for a while changes nothing.
    """
    today, promoted = day.toordinal(), store.offer is not NO_OFFER
    for listing in store.shelf.values():
        if listing.quantity:
            lowest = _lowest_recent(listing, today, memory)
            listing.full_price = lowest if promoted else listing.price


def _lowest_recent(listing: Listing, today: int, memory: int) -> float:
    price, stock = listing.price, listing.stock
    kept = [(then, past) for then, past in stock.past_prices if then >= today - memory and past < price]
    stock.past_prices = (*kept, (today, price))
    return stock.past_prices[0][1]
