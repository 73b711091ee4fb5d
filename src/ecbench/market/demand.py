"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.year import Market


class Offer(NamedTuple):
    """What a store's enrolment does on one date: the discount given, the traffic won, the sharper price response."""

    discount: float = 0.0
    traffic: float = 1.0
    boost: float = 1.0


NO_OFFER = Offer()


def offer_on(store: Store, day: date, market: Market) -> Offer:
    """Traffic grows with the discount until the whole boost is won; a deeper one only lowers the price."""
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


def wishes(store: Store, day: date, offer: Offer, market: Market) -> list[float]:
    """Equation eq:demand for each SKU on the shelf, but for the store's own capacity; without units it draws nobody."""
    kind, shelf = store.type.id, store.shelf.values()
    traffic = market.traffic[kind]
    visitors = (traffic.get(day) or traffic[day]) * store.reputation
    if offer is NO_OFFER:
        wished = [listing.pull * visitors if listing.quantity else 0.0 for listing in shelf]
    else:
        charged, boost, visitors = 1.0 - offer.discount, offer.boost, visitors * offer.traffic
        wished = [
            listing.appeal.pulls[charged * listing.price, boost] * visitors if listing.quantity else 0.0
            for listing in shelf
        ]
    capacity = market.capacities[kind]
    ceiling = capacity.category
    if ceiling is None:
        return wished
    stacked = capacity.no_demand.copy()
    for listing, units in zip(shelf, wished):
        stacked[listing.category] += units
    # Each category's stacked demand saturates (eq:app_saturation).
    return [units * (ceiling / (ceiling + stacked[listing.category])) for listing, units in zip(shelf, wished)]
