"""A day's sales in two phases: the demand for every shelf, then what each shelf sells.

The customers of a store type belong to the marketplace. All accounts with a store of the type share them: customers
compare their prices, and both saturations of eq:demand run over these stores together. A merchant without rivals is the
case of one store.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import fsum

from ecbench.market.books import Books, DaySales, Store
from ecbench.market.demand import NO_OFFER, saturation, whole_units
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Charges, lowest_rival_prices
from ecbench.market.stock import take_oldest
from ecbench.sums import ordered_sum


def share_demand(stores: Mapping[int, Store], day: date, economy: Economy) -> Charges:
    """Set the wishes and the crowding of the stores of one type, by seat; return what each charges where several do.

    Sums over stores are exact (`fsum`), so that the order of seats changes no sale.
    """
    shops = list(stores.values())
    kind = shops[0].type.id
    traffic, capacity = economy.traffic[kind][day], economy.capacities[kind]
    drift = economy.drift.get(kind)
    charges = _charges(stores) if len(shops) > 1 else {}
    stacks, totals = [], []
    for seat, store in stores.items():
        stacked = _wish(store, traffic, lowest_rival_prices(charges, seat) if charges else {})
        stacks.append(stacked if drift is None else _drifted(store, stacked, drift[day]))
    gamma = {}
    if capacity.category is not None:
        for name, wished in (stacks[0] if len(stacks) == 1 else _total(stacks)).items():
            gamma[name] = saturation(capacity.category, wished)
    for store in shops:
        if gamma:
            store.wishes = [wish * gamma[listing.category] for listing, wish in zip(store.stocked, store.wishes)]
        totals.append(ordered_sum(store.wishes))
    crowding = saturation(capacity.store, fsum(totals))
    for store in shops:
        store.crowding = crowding
    return charges


def _charges(stores: Mapping[int, Store]) -> Charges:
    charges: Charges = {}
    for seat, store in stores.items():
        charged = 1.0 - store.offer.discount
        for sku, listing in store.shelf.items():
            if listing.quantity:
                charges.setdefault(sku, {})[seat] = charged * listing.full_price
    return charges


def _wish(store: Store, traffic: float, rivals: Mapping[str, float]) -> dict[str, float]:
    """Set what customers wish of each listing with units, before saturation; return the wishes stacked by category."""
    discount, promoted, boost = offer = store.offer
    charged, visitors = 1.0 - discount, traffic * store.reputation * promoted
    plain = offer is NO_OFFER and not rivals
    store.stocked = stocked = []
    store.wishes = wishes = []
    stacked: dict[str, float] = {}
    for sku, listing in store.shelf.items():
        if listing.quantity:
            if plain:
                wish = listing.pull * visitors
            else:
                wish = listing.demand.pulls[charged * listing.full_price, boost, rivals.get(sku)] * visitors
            stocked.append(listing)
            wishes.append(wish)
            category = listing.category
            stacked[category] = stacked[category] + wish if category in stacked else wish
    return stacked


def _drifted(store: Store, stacked: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    """Multiply the wishes of the categories that drift; return the wishes stacked by category."""
    store.wishes = [wish * factors.get(listing.category, 1.0) for listing, wish in zip(store.stocked, store.wishes)]
    return {category: wished * factors.get(category, 1.0) for category, wished in stacked.items()}


def _total(stacks: Sequence[dict[str, float]]) -> dict[str, float]:
    """By category, over all stores."""
    return {name: fsum([stacked.get(name, 0.0) for stacked in stacks]) for name in set().union(*stacks)}


def sell(books: Books, store: Store, day: date) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    ordinal, crowding, plain = day.toordinal(), store.crowding, store.offer is NO_OFFER
    charged, number, total = 1.0 - store.offer.discount, books.shipment_count, 0
    orders = store.sold_yesterday = {}
    for listing, wish in zip(store.stocked, store.wishes):
        units = whole_units(wish * crowding, listing.demand.draws[ordinal])
        if units:
            stock, held = listing.stock, listing.quantity
            if units > held:
                units = held
            listing.quantity = held - units
            stock.sold += units
            take_oldest(stock, units)
            total += units
            number += 1
            sales = listing.sales if plain else stock.demand.sales[charged * listing.full_price, stock.defective_share]
            orders[number] = sales[units]
    if total:
        books.pending.append(DaySales(store.id, day, total, orders))
        books.shipment_count = number
        books.units -= total
        store.recent_sold += total
