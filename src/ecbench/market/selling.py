"""A day's sales, in two phases: what the public wishes of every shelf, then what each shelf gives.

The public of a store type belongs to the marketplace. One account alone has it to itself; several that keep a store of
the type share it: customers compare their prices, and both saturations of eq:demand run over all of them together.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import fsum

from ecbench.market.books import Books, DaySales, Store, new_tuple
from ecbench.market.demand import NO_OFFER, category_shares, saturation
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Charges, lowest_of_rivals
from ecbench.market.stock import take_oldest
from ecbench.sums import added


def share_public(stores: Mapping[int, Store], day: date, economy: Economy) -> Charges:
    """Phase one for the stores of one type, by seat: every store's wishes, and how crowded it is; and who charges what.

    Sums over seats are exact (`fsum`), so that nobody's sales hang on their order.
    """
    shops = list(stores.values())
    if len(shops) == 1:
        have_public_alone(shops[0], day, economy)
        return {}
    kind = shops[0].type.id
    visitors, capacity = economy.traffic[kind][day], economy.capacities[kind]
    for store in shops:
        store.stocked = [listing for listing in store.shelf.values() if listing.quantity]
    charges = _charges(stores)
    for seat, store in stores.items():
        store.wishes = _compared_wishes(store, visitors * store.reputation, charges, seat)
    if capacity.category is not None:
        _crowd_categories(shops, capacity.category, capacity.no_demand)
    crowding = saturation(capacity.store, fsum([added(store.wishes) for store in shops]))
    for store in shops:
        store.crowding = crowding
    return charges


def have_public_alone(store: Store, day: date, economy: Economy) -> None:
    """The same for a store without rivals, as every store is where a merchant is alone.

    One pass and `saturation` written out, since every store of a year comes by here every morning.
    """
    kind, offer = store.type.id, store.offer
    capacity, visitors = economy.capacities[kind], economy.traffic[kind][day] * store.reputation
    promoted, charged = offer is not NO_OFFER, 1.0
    if promoted:
        visitors, charged = visitors * offer.traffic, 1.0 - offer.discount
    ceiling, stacked = capacity.category, capacity.no_demand.copy()
    stocked, wishes = [], []
    for listing in store.shelf.values():
        if listing.quantity:
            pull = listing.appeal.pulls[charged * listing.price, offer.boost] if promoted else listing.pull
            units = pull * visitors
            stacked[listing.category] += units
            stocked.append(listing)
            wishes.append(units)
    if ceiling is not None:
        wishes = [units * (ceiling / (ceiling + stacked[listing.category])) for listing, units in zip(stocked, wishes)]
    store.stocked, store.wishes = stocked, wishes
    store.crowding = capacity.store / (capacity.store + added(wishes))


def _compared_wishes(store: Store, visitors: float, charges: Charges, seat: int) -> list[float]:
    """What the public wishes of each listing before the crowd, where it sees what rivals charge for the same SKU."""
    charged, boost, visitors = 1.0 - store.offer.discount, store.offer.boost, visitors * store.offer.traffic
    return [
        listing.appeal.pull_beside(charged * listing.price, boost, lowest_of_rivals(charges, listing.sku, seat))
        * visitors
        for listing in store.stocked
    ]


def _charges(stores: Mapping[int, Store]) -> Charges:
    charges: Charges = {}
    for seat, store in stores.items():
        charged = 1.0 - store.offer.discount
        for listing in store.stocked:
            charges.setdefault(listing.sku, {})[seat] = charged * listing.price
    return charges


def _crowd_categories(stores: Sequence[Store], ceiling: float, no_demand: dict[str, float]) -> None:
    """gamma: each category's stacked demand saturates."""
    stacks = []
    for store in stores:
        stacked = no_demand.copy()
        for listing, units in zip(store.stocked, store.wishes):
            stacked[listing.category] += units
        stacks.append(stacked)
    shares = category_shares(ceiling, {name: fsum([stacked[name] for stacked in stacks]) for name in no_demand})
    for store in stores:
        store.wishes = [units * shares[listing.category] for listing, units in zip(store.stocked, store.wishes)]


def sell(books: Books, store: Store, day: date) -> None:
    """Phase two: in the order in which the SKUs were first listed; each SKU's sales are one order that waits to ship.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    ordinal, crowding = day.toordinal(), store.crowding
    charged, number, total = 1.0 - store.offer.discount, books.shipment_count, 0
    discounted = charged != 1.0
    orders = store.sold_yesterday = {}
    for listing, wish in zip(store.stocked, store.wishes):
        wanted, held, appeal = wish * crowding, listing.quantity, listing.appeal
        units = int(wanted)
        if units >= held:
            units = held
        elif (appeal.draws.get(ordinal) or appeal.draws[ordinal]) < wanted - units:
            units += 1
        elif not units:
            continue
        stock = listing.stock
        listing.quantity = held - units
        stock.sold += units
        oldest = stock.lots[0]
        left = oldest.quantity - units
        if left > 0:  # take_oldest for the common case of one lot
            oldest.quantity = left
            stock.storage[0] = left * stock.storage_rate * oldest.step
        else:
            take_oldest(stock, units)
        total += units
        number += 1
        sales = appeal.sales[charged * listing.price, stock.defective_share] if discounted else listing.sales
        orders[number] = sales.get(units) or sales[units]
    if total:
        books.pending.append(new_tuple(DaySales, (store.id, day, total, orders)))
        books.shipment_count = number
        books.units -= total
        store.recent_sold += total
