"""A day's sales in two phases: the demand for every shelf, then what each shelf sells.

The customers of a store type belong to the marketplace. All accounts with a store of the type share them: customers
compare their prices, and both saturations of eq:demand run over these stores together. A merchant without rivals is the
case of one store.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import fsum

from ecbench.market.books import Books, DaySales, Listing, Store
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
    charges = _charges(stores) if len(shops) > 1 else {}
    stacks = []
    for seat, store in stores.items():
        stacks.append(_wish(store, traffic, lowest_rival_prices(charges, seat) if charges else {}))
    if capacity.category is not None:
        stacked = stacks[0] if len(stacks) == 1 else _total(stacks)
        gamma = {name: saturation(capacity.category, units) for name, units in stacked.items()}
        for store in shops:
            store.wishes = [wish * gamma[listing.category] for listing, wish in zip(store.stocked, store.wishes)]
    crowding = saturation(capacity.store, fsum([ordered_sum(store.wishes) for store in shops]))
    for store in shops:
        store.crowding = crowding
    return charges


def _charges(stores: Mapping[int, Store]) -> Charges:
    charges: Charges = {}
    for seat, store in stores.items():
        charged = 1.0 - store.offer.discount
        for sku, listing in store.shelf.items():
            if listing.quantity:
                charges.setdefault(sku, {})[seat] = charged * listing.price
    return charges


def _wish(store: Store, traffic: float, rivals: Mapping[str, float]) -> dict[str, float]:
    """Set what customers wish of each listing with units, before saturation; return the wishes stacked by category."""
    discount, promoted, boost = store.offer
    charged, visitors = 1.0 - discount, traffic * store.reputation * promoted
    plain = store.offer is NO_OFFER and not rivals
    stocked: list[Listing] = []
    wishes: list[float] = []
    stacked: dict[str, float] = {}
    for sku, listing in store.shelf.items():
        if listing.quantity:
            pull = listing.pull if plain else listing.demand.pulls[charged * listing.price, boost, rivals.get(sku)]
            wish = pull * visitors
            stocked.append(listing)
            wishes.append(wish)
            stacked[listing.category] = stacked.get(listing.category, 0.0) + wish
    store.stocked, store.wishes = stocked, wishes
    return stacked


def _total(stacks: Sequence[dict[str, float]]) -> dict[str, float]:
    """By category, over all stores."""
    return {name: fsum([stacked.get(name, 0.0) for stacked in stacks]) for name in set().union(*stacks)}


def sell(books: Books, store: Store, day: date) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    ordinal, crowding, offer = day.toordinal(), store.crowding, store.offer
    charged, number, total = 1.0 - offer.discount, books.shipment_count, 0
    orders = store.sold_yesterday = {}
    for listing, wish in zip(store.stocked, store.wishes):
        demand = listing.demand
        units = whole_units(wish * crowding, demand.draws[ordinal])
        if units > listing.quantity:
            units = listing.quantity
        if units:
            stock = listing.stock
            listing.quantity -= units
            stock.sold += units
            take_oldest(stock, units)
            total += units
            number += 1
            sales = listing.sales if offer is NO_OFFER else demand.sales[charged * listing.price, stock.defective_share]
            orders[number] = sales[units]
    if total:
        books.pending.append(DaySales(store.id, day, total, orders))
        books.shipment_count = number
        books.units -= total
        store.recent_sold += total
