"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.year import Capacity, Market

Wish = tuple[Listing, float]  # customers' wish for one listed SKU before capacity trims it
Sale = tuple[Listing, int]


class Offer(NamedTuple):
    """What a store's enrolment does on one date: the discount given, the traffic won, the sharper price response."""

    discount: float = 0.0
    traffic: float = 1.0
    boost: float = 1.0


NO_OFFER = Offer()


def offer_on(store: Store, day: date, market: Market) -> Offer:
    enrolment = store.enrolment
    if enrolment is None or not is_running(enrolment.promotion, day):
        return NO_OFFER
    promotion, discount = enrolment
    reach = min(1.0, discount / market.rules.full_boost_discount)
    return Offer(discount, 1.0 + (promotion.max_demand - 1.0) * reach, promotion.elasticity_boost)


def drop_finished_enrolment(store: Store, morning: date, yesterday: date) -> None:
    if store.enrolment is None:
        return
    promotion = store.enrolment.promotion
    if not is_running(promotion, yesterday) and is_over(promotion, morning):
        store.enrolment = None


def wishes(store: Store, day: date, offer: Offer, market: Market) -> list[Wish]:
    """Equation eq:demand up to the capacity terms."""
    weekday, season, event = market.traffic(store.type, day)
    discount, promoted, boost = offer
    standing = store.reputation
    found = []
    for listing in store.shelf.values():
        if listing.quantity > 0:
            pull = listing.pull if offer is NO_OFFER else listing.appeal.pull((1.0 - discount) * listing.price, boost)
            found.append((listing, pull * weekday * promoted * season * event * standing))
    return found


def trim_to_capacity(found: list[Wish], capacity: Capacity) -> list[float]:
    """First each category's stacked demand saturates, then the store's."""
    wanted = [units for _, units in found]
    ceiling = capacity.category
    if ceiling is not None:
        stacked: dict[str, float] = {}
        for listing, units in found:
            category = listing.appeal.product.category
            stacked[category] = stacked.get(category, 0.0) + units
        factor = {category: ceiling / (ceiling + total) for category, total in stacked.items()}
        wanted = [units * factor[listing.appeal.product.category] for listing, units in found]
    store_factor = capacity.store / (capacity.store + sum(wanted))
    return [units * store_factor for units in wanted]


def units_sold(listing: Listing, wanted: float, day: date) -> int:
    """Whole units, at most the shelf; the last fraction is rounded by a draw that the order of calls cannot change."""
    whole = int(wanted)
    if whole >= listing.quantity:
        return listing.quantity
    return whole + 1 if listing.appeal.rounds_up(wanted - whole, day) else whole


def sales_of(store: Store, day: date, offer: Offer, market: Market) -> list[Sale]:
    """What a store sells on a date, in the order in which its SKUs were first listed."""
    found = wishes(store, day, offer, market)
    if not found:
        return []
    trimmed = trim_to_capacity(found, market.capacities[store.type.id])
    sales = [(listing, units_sold(listing, wanted, day)) for (listing, _), wanted in zip(found, trimmed, strict=True)]
    return [sale for sale in sales if sale[1]]
