"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from collections.abc import Iterable
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


def wishes(shelf: Iterable[Listing], store: Store, day: date, offer: Offer, market: Market) -> list[float]:
    """Equation eq:demand up to the capacity terms, for each listed SKU; a SKU without units draws nobody."""
    place, traffic = (store.type.id, day), market.traffic
    visitors = (traffic.get(place) or traffic[place]) * store.reputation
    if offer is NO_OFFER:
        return [listing.pull * visitors if listing.quantity else 0.0 for listing in shelf]
    charged, boost, visitors = 1.0 - offer.discount, offer.boost, visitors * offer.traffic
    return [
        listing.appeal.pulls[charged * listing.price, boost] * visitors if listing.quantity else 0.0
        for listing in shelf
    ]


def trim_to_categories(shelf: Iterable[Listing], wished: list[float], capacity: Capacity) -> list[float]:
    """Each category's stacked demand saturates, before the store's does (eq:app_saturation)."""
    ceiling = capacity.category
    if ceiling is None:
        return wished
    stacked = capacity.no_demand.copy()
    for listing, units in zip(shelf, wished):
        stacked[listing.category] += units
    return [units * (ceiling / (ceiling + stacked[listing.category])) for listing, units in zip(shelf, wished)]


def sales_of(store: Store, day: date, offer: Offer, market: Market) -> list[Sale]:
    """What a store sells on a date, in the order in which its SKUs were first listed.

    Whole units, at most the shelf; the last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    shelf, capacity, ordinal = store.shelf.values(), market.capacities[store.type.id], day.toordinal()
    wished = trim_to_categories(shelf, wishes(shelf, store, day, offer, market), capacity)
    store_share = capacity.store / (capacity.store + sum(wished))  # eq:app_saturation, for the store
    sales = []
    for listing, wish in zip(shelf, wished):
        wanted = wish * store_share
        units, held, draws = int(wanted), listing.quantity, listing.appeal.draws
        if units >= held:
            if held:
                sales.append((listing, held))
        elif (draws.get(ordinal) or draws[ordinal]) < wanted - units:
            sales.append((listing, units + 1))
        elif units:
            sales.append((listing, units))
    return sales
