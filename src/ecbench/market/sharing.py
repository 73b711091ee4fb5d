"""Several stores of one type: customers compare their prices, and one public is divided (docs/arena.md, Demand).

A rival's listing takes from a store at most as many customers as the units it holds can serve, and is never compared at
less than `lowest_rival_ratio` of the reference price. Without both limits one unit at a fraction of a cent ruins a
rival's year. Sums over seats are exact (`fsum`), so that the order of seats changes no sale.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import fsum, inf
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.demand import saturation
from ecbench.market.economy import Capacity, Economy
from ecbench.market.marketplace import Charges
from ecbench.sums import ordered_sum

NO_DRIFT: Mapping[str, float] = {}
Stacks = Mapping[int, dict[str, float]]
"""By seat and category: the wishes of a store's listings before saturation."""


@dataclass(slots=True, init=False)
class DayTraffic:
    """The factors of a date for the stores of a type: for all goods alike, and of the categories that drift."""

    traffic: float
    drift: Mapping[str, float]

    def __init__(self, traffic: float, drift: Mapping[str, float]) -> None:
        self.traffic = traffic
        self.drift = drift

    def visitors(self, store: Store, category: str) -> float:
        """What multiplies the pull of a listing."""
        return self.traffic * store.reputation * store.offer.traffic * self.drift.get(category, 1.0)


def day_traffic(economy: Economy, kind: str, day: date) -> DayTraffic:
    """The traffic of a store type on a date."""
    drift = economy.drift.get(kind)
    return DayTraffic(economy.traffic[kind][day], NO_DRIFT if drift is None else drift[day])


class Carried(NamedTuple):
    """One seat's listing of a SKU that several carry."""

    listing: Listing
    charged: float
    wish: float  # without a rival


class Scarce(NamedTuple):
    """A listing with fewer units than customers who wish for it."""

    category: str
    weight: float
    units: int


class Crowd(NamedTuple):
    """How much a store's listings weigh in the sums of another."""

    plenty: dict[str, float]  # by category: of listings with units for all
    scarce: list[Scarce]


def share_customers(stores: Mapping[int, Store], stacks: Stacks, day: DayTraffic, capacity: Capacity) -> Charges:
    """Set the wishes and the crowding of each store, from its wishes without rivals; return what each seat charges."""
    carried = carried_in(stores, day)
    crowds = {}
    for seat, store in stores.items():
        store.served = served_alone(stacks[seat], capacity)
    for seat, store in stores.items():
        for listing in store.stocked:
            listing.wish -= _lost(seat, store, listing, day, carried)
        crowds[seat] = _crowd(store, day)
    for seat, store in stores.items():
        _saturate(store, [crowd for other, crowd in crowds.items() if other != seat], capacity)
    return {sku: {seat: each.charged for seat, each in seats.items()} for sku, seats in carried.items()}


def carried_in(stores: Mapping[int, Store], day: DayTraffic) -> dict[str, dict[int, Carried]]:
    """By SKU and seat: the listings with units."""
    found: dict[str, dict[int, Carried]] = {}
    for seat, store in stores.items():
        discount, boost = store.offer.discount, store.offer.boost
        for sku, listing in store.shelf.items():
            if listing.quantity:
                charged = (1.0 - discount) * listing.full_price
                wish = listing.demand.pulls[charged, boost, None] * day.visitors(store, listing.category)
                found.setdefault(sku, {})[seat] = Carried(listing, charged, wish)
    return found


def served_alone(stacked: Mapping[str, float], capacity: Capacity) -> dict[str, float]:
    """By category: the share of its wishes that a store could serve without rivals; `""` for any other category."""
    gamma = dict.fromkeys(stacked, 1.0)
    if capacity.category is not None:
        gamma = {name: saturation(capacity.category, wished) for name, wished in stacked.items()}
    store = saturation(capacity.store, ordered_sum([gamma[name] * wished for name, wished in stacked.items()]))
    return {name: share * store for name, share in gamma.items()} | {"": store}


def _lost(
    seat: int, store: Store, listing: Listing, day: DayTraffic, carried: Mapping[str, Mapping[int, Carried]]
) -> float:
    """The wishes that a listing loses to cheaper rivals.

    With k rivals sold out, cheapest first, it loses what their units serve and what the next price takes:
    the least of these sums over k.
    """
    seats = carried[listing.sku]
    if len(seats) < 2:
        return 0.0
    own = seats[seat]
    if not own.wish:
        return 0.0
    rivals = sorted([(each.charged, diverted(seat, rival, seats)) for rival, each in seats.items() if rival != seat])
    lost, gone, share = inf, 0.0, store.served[listing.category]
    for price, units in rivals:
        if price >= listing.stock.product.reference_price:
            break
        left = listing.demand.pulls[own.charged, store.offer.boost, price] * day.visitors(store, listing.category)
        lost = min(lost, gone + max(0.0, own.wish - left))
        gone += units / share
        if gone >= lost:
            break
    return min(lost, gone)


def diverted(seat: int, rival: int, seats: Mapping[int, Carried]) -> float:
    """The units of a rival that can serve customers of this seat: its other rivals lose some of theirs to them, too."""
    units, wish = seats[rival].listing.quantity, seats[seat].wish
    if len(seats) == 2 or not wish:
        return units
    return units * wish / fsum([each.wish for other, each in seats.items() if other != rival])


def _crowd(store: Store, day: DayTraffic) -> Crowd:
    plenty: dict[str, float] = {}
    scarce = []
    for listing in store.stocked:
        weight, category = min(listing.wish, most_wished(store, listing, day)), listing.category
        if listing.quantity < weight:
            scarce.append(Scarce(category, weight, listing.quantity))
        else:
            plenty[category] = plenty.get(category, 0.0) + weight
    return Crowd(plenty, scarce)


def most_wished(store: Store, listing: Listing, day: DayTraffic) -> float:
    """The wishes for a listing that charges less than counts for rivals, at the lowest price that does; or infinity."""
    lowest = listing.demand.lowest_rival_price
    if (1.0 - store.offer.discount) * listing.full_price >= lowest:
        return inf
    return listing.demand.pulls[lowest, store.offer.boost, None] * day.visitors(store, listing.category)


def _saturate(store: Store, crowds: list[Crowd], capacity: Capacity) -> None:
    """Both saturations over a store's own wishes and the weight of its rivals."""
    own: dict[str, float] = {}
    for listing in store.stocked:
        own[listing.category] = own.get(listing.category, 0.0) + listing.wish
    weights: dict[str, list[float]] = {name: [] for name in own}
    for crowd in crowds:
        for name, weight in crowd.plenty.items():
            weights.setdefault(name, []).append(weight)
        for name, weight, units in crowd.scarce:
            share = store.served.get(name) or store.served[""]
            weights.setdefault(name, []).append(min(weight, units / share))
    gamma = dict.fromkeys(weights, 1.0)
    if capacity.category is not None:
        gamma = {
            name: saturation(capacity.category, fsum([own.get(name, 0.0), *of_rivals]))
            for name, of_rivals in weights.items()
        }
        for listing in store.stocked:
            listing.wish *= gamma[listing.category]
    store.beside = {name: fsum(of_rivals) * gamma[name] for name, of_rivals in weights.items()}
    store.crowding = saturation(capacity.store, fsum([ordered_sum(store.wishes), *store.beside.values()]))
