"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.year import Capacity, Market

Sale = tuple[Listing, int]


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


def wishes(listed: list[Listing], store: Store, day: date, offer: Offer, market: Market) -> list[float]:
    """Equation eq:demand up to the capacity terms, for each listed SKU."""
    visitors = market.traffic(store.type, day) * store.reputation
    if offer is NO_OFFER:
        return [listing.pull * visitors for listing in listed]
    charged, boost, visitors = 1.0 - offer.discount, offer.boost, visitors * offer.traffic
    return [listing.appeal.pulls[charged * listing.price, boost] * visitors for listing in listed]


def trim_to_capacity(listed: list[Listing], wished: list[float], capacity: Capacity) -> list[float]:
    """First each category's stacked demand saturates, then the store's (eq:app_saturation)."""
    ceiling = capacity.category
    if ceiling is not None:
        stacked: dict[str, float] = {}
        for listing, units in zip(listed, wished):
            category = listing.category
            stacked[category] = stacked[category] + units if category in stacked else units
        factor = {category: ceiling / (ceiling + total) for category, total in stacked.items()}
        wished = [units * factor[listing.category] for listing, units in zip(listed, wished)]
    store_factor = capacity.store / (capacity.store + sum(wished))
    return [units * store_factor for units in wished]


def sales_of(store: Store, day: date, offer: Offer, market: Market) -> list[Sale]:
    """What a store sells on a date, in the order in which its SKUs were first listed.

    Whole units, at most the shelf; the last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    listed = [listing for listing in store.shelf.values() if listing.quantity]
    if not listed:
        return []
    wished = wishes(listed, store, day, offer, market)
    sales = []
    for listing, wanted in zip(listed, trim_to_capacity(listed, wished, market.capacities[store.type.id])):
        units = int(wanted)
        if units >= listing.quantity:
            sales.append((listing, listing.quantity))
            continue
        draws = listing.appeal.draws
        if (draws.get(day) or draws[day]) < wanted - units:
            units += 1
        if units:
            sales.append((listing, units))
    return sales
