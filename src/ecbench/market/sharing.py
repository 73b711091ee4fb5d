"""Several stores of one type: customers compare their prices, and one public is divided (docs/arena.md, Demand).

Sums over seats are exact (`fsum`), so that the order of seats changes no sale.
"""

from collections.abc import Mapping
from datetime import date
from math import fsum, inf
from typing import NamedTuple

from ecbench.market.books import Store
from ecbench.market.day_demand import Charges, DayDemand, ShelfDemand, offer_of, raw_demand, shelf_demand
from ecbench.market.demand import saturation
from ecbench.market.economy import Capacity, Economy, PricedGoods, ProductDemand
from ecbench.sums import ordered_sum


class Offered(NamedTuple):
    """One seat's listing of a SKU that several may offer."""

    units: int
    charged: float
    raw_demand: float  # without a rival


OffersBySku = Mapping[str, Mapping[int, Offered]]
"""By SKU and seat: the listings with units."""


class Scarce(NamedTuple):
    """A listing with fewer units than customers who ask for it."""

    category: str
    weight: float
    units: int


class Crowd(NamedTuple):
    """How much a store's listings weigh in the sums of another."""

    plenty: dict[str, float]  # by category: of listings with units for all
    scarce: list[Scarce]


def day_demand(stores: Mapping[int, list[Store]], day: date, economy: Economy) -> DayDemand:
    """The demand of a date for the open stores of every seat."""
    if len(stores) == 1:
        [(alone, opened)] = stores.items()
        offered = [(store, offer_of(store, day, economy.rules)) for store in opened]
        return DayDemand({alone: {store.id: shelf_demand(store, offer, day, economy) for store, offer in offered}}, {})
    shelves: dict[int, dict[str, ShelfDemand]] = {seat: {} for seat in stores}
    charges: Charges = {}
    by_type: dict[str, dict[int, Store]] = {}
    for seat, opened in stores.items():
        for store in opened:
            by_type.setdefault(store.type.id, {})[seat] = store
    for of_type in by_type.values():
        for seat, shelf in share_demand(of_type, day, economy).items():
            shelves[seat][of_type[seat].id] = shelf
            if len(of_type) > 1:
                for priced in shelf.goods:
                    charges.setdefault(priced.goods.sku, {})[seat] = priced.price
    return DayDemand(shelves, charges)


def share_demand(stores: Mapping[int, Store], day: date, economy: Economy) -> dict[int, ShelfDemand]:
    """The demand for the stores of one type, by seat. The customers of a type belong to the marketplace."""
    promotions = {seat: offer_of(store, day, economy.rules) for seat, store in stores.items()}
    if len(stores) == 1:
        return {seat: shelf_demand(store, promotions[seat], day, economy) for seat, store in stores.items()}
    shelves = {seat: raw_demand(store, promotions[seat], day, economy) for seat, store in stores.items()}
    offers = offers_by_sku(stores, shelves)
    capacity, crowds, served = economy.capacities[next(iter(stores.values())).type.id], {}, {}
    for seat, shelf in shelves.items():
        served[seat] = served_alone(shelf, capacity)
    for seat, shelf in shelves.items():
        shelf.raw_demand = [
            demand - _lost(seat, shelf, priced, served[seat], offers[priced.goods.sku])
            for demand, priced in zip(shelf.raw_demand, shelf.goods)
        ]
        crowds[seat] = _crowd(stores[seat], shelf)
    for seat, shelf in shelves.items():
        _saturate(shelf, [crowd for other, crowd in crowds.items() if other != seat], capacity, served[seat])
    return shelves


def offers_by_sku(stores: Mapping[int, Store], shelves: Mapping[int, ShelfDemand]) -> OffersBySku:
    """The listings with units of stores of one type."""
    found: dict[str, dict[int, Offered]] = {}
    for seat, shelf in shelves.items():
        for priced in shelf.goods:
            product, charged = priced.goods, shelf.seen.get(priced.sku, priced.price)
            demand = product.pulls[charged, shelf.offer.boost, None] * shelf.visitors_of(product.category.name)
            units = stores[seat].shelf[product.sku].quantity
            found.setdefault(product.sku, {})[seat] = Offered(units, charged, demand)
    return found


def served_alone(shelf: ShelfDemand, capacity: Capacity) -> dict[str, float]:
    """By category: the share of its raw demand that a store could serve without rivals; `""` for any other category."""
    products = [priced.goods for priced in shelf.goods]
    demand = {product.category.name: shelf.category_demand[product.category_index] for product in products}
    gamma = dict.fromkeys(demand, 1.0)
    if capacity.category is not None:
        gamma = {name: saturation(capacity.category, raw) for name, raw in demand.items()}
    store = saturation(capacity.store, ordered_sum([gamma[name] * raw for name, raw in demand.items()]))
    return {name: share * store for name, share in gamma.items()} | {"": store}


def _lost(
    seat: int, shelf: ShelfDemand, priced: PricedGoods, served: Mapping[str, float], seats: Mapping[int, Offered]
) -> float:
    """The demand that a listing loses to cheaper rivals: the least, over k, of what the k cheapest rivals' units serve
    plus what the next price takes.
    """
    product, own = priced.goods, seats[seat]
    rivals = sorted([(each.charged, diverted(seat, rival, seats)) for rival, each in seats.items() if rival != seat])
    category = product.category.name
    lost, gone, visitors = inf, 0.0, shelf.visitors_of(category)
    for price, units in rivals:
        if price >= product.product.reference_price:
            break
        left = product.pulls[own.charged, shelf.offer.boost, price] * visitors
        lost = min(lost, gone + max(0.0, own.raw_demand - left))
        gone += units / served[category]
        if gone >= lost:
            break
    return min(lost, gone)


def diverted(seat: int, rival: int, seats: Mapping[int, Offered]) -> float:
    """The units of a rival that can serve customers of this seat: its other rivals lose some of theirs to them, too."""
    units, demand = seats[rival].units, seats[seat].raw_demand
    if len(seats) == 2 or not demand:
        return units
    return units * demand / fsum([each.raw_demand for other, each in seats.items() if other != rival])


def _crowd(store: Store, shelf: ShelfDemand) -> Crowd:
    plenty: dict[str, float] = {}
    scarce = []
    for priced, demand in zip(shelf.goods, shelf.raw_demand):
        charged, category = shelf.seen.get(priced.sku, priced.price), priced.goods.category.name
        weight = min(demand, most_weight(shelf, priced.goods, charged))
        units = store.shelf[priced.goods.sku].quantity
        if units < weight:
            scarce.append(Scarce(category, weight, units))
        else:
            plenty[category] = plenty.get(category, 0.0) + weight
    return Crowd(plenty, scarce)


def most_weight(shelf: ShelfDemand, product: ProductDemand, charged: float) -> float:
    """The demand for a listing that charges less than counts for rivals, at the lowest price that does; or infinity."""
    lowest = product.lowest_rival_price
    if charged >= lowest:
        return inf
    return product.pulls[lowest, shelf.offer.boost, None] * shelf.visitors_of(product.category.name)


def _saturate(shelf: ShelfDemand, crowds: list[Crowd], capacity: Capacity, served: Mapping[str, float]) -> None:
    own: dict[str, float] = {}
    for priced, demand in zip(shelf.goods, shelf.raw_demand):
        name = priced.goods.category.name
        own[name] = own.get(name, 0.0) + demand
    weights: dict[str, list[float]] = {name: [] for name in own}
    for crowd in crowds:
        for name, weight in crowd.plenty.items():
            weights.setdefault(name, []).append(weight)
        for name, weight, units in crowd.scarce:
            share = served.get(name) or served[""]
            weights.setdefault(name, []).append(min(weight, units / share))
    gamma = dict.fromkeys(weights, 1.0)
    if capacity.category is not None:
        gamma = {
            name: saturation(capacity.category, fsum([own.get(name, 0.0), *of_rivals]))
            for name, of_rivals in weights.items()
        }
    shelf.claims = [demand * gamma[priced.goods.category.name] for demand, priced in zip(shelf.raw_demand, shelf.goods)]
    shelf.rival_demand = {name: fsum(of_rivals) * gamma[name] for name, of_rivals in weights.items()}
    shelf.store_saturation = saturation(capacity.store, fsum([ordered_sum(shelf.claims), *shelf.rival_demand.values()]))
