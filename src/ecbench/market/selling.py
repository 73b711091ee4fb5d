"""A day's sales in two phases: the demand for every shelf, then what each shelf sells.

The customers of a store type belong to the marketplace. All accounts with a store of the type share them
(`sharing.py`); a merchant without rivals has them all.
"""

from collections.abc import Mapping
from datetime import date

from ecbench.market.books import Books, DaySales, Listing, Store
from ecbench.market.demand import NO_OFFER, saturation, whole_units
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Charges
from ecbench.market.product_demand import SoldGoods
from ecbench.market.sharing import DayTraffic, day_traffic, share_customers
from ecbench.market.stock import take_oldest


def share_demand(stores: Mapping[int, Store], day: date, economy: Economy) -> Charges:
    """Set the wishes and the crowding of the stores of one type, by seat; return what each charges where several do."""
    if len(stores) == 1:
        for store in stores.values():
            meet_demand(store, day, economy)
        return {}
    kind = next(iter(stores.values())).type.id
    traffic = day_traffic(economy, kind, day)
    stacks = {}
    for seat, store in stores.items():
        stocked, stacked = _wish(store, traffic)
        stacks[seat] = {listing.category: stacked[listing.demand.place] for listing in stocked}
    return share_customers(stores, stacks, traffic, economy.capacities[kind])


def meet_demand(store: Store, day: date, economy: Economy) -> None:
    """Set the wishes and the crowding of a store without rivals: both saturations (eq:app_saturation)."""
    capacity = economy.capacities[store.type.id]
    stocked, stacked = _wish(store, day_traffic(economy, store.type.id, day))
    total = 0.0
    if capacity.category is None:
        for listing in stocked:
            total += listing.wish
    else:
        gamma = [saturation(capacity.category, wished) for wished in stacked]
        for listing in stocked:
            listing.wish *= gamma[listing.demand.place]
            total += listing.wish
    store.crowding = saturation(capacity.store, total)


def _wish(store: Store, day: DayTraffic) -> tuple[list[Listing], list[float]]:
    """Set what customers wish of each listing with units without rivals, before saturation.

    Returns these listings, and the sum of wishes for each category of the store type.
    """
    offer, plain = store.offer, store.offer is NO_OFFER
    charged, visitors = 1.0 - offer.discount, day.traffic * store.reputation * offer.traffic
    stocked: list[Listing] = []
    stacked = [0.0] * len(store.type.categories)
    for listing in store.shelf.values():
        listing.stocked = listing.quantity > 0
        if listing.stocked:
            demand = listing.demand
            if plain:
                wish = listing.pull * visitors
            else:
                wish = demand.pulls[charged * listing.full_price, offer.boost, None] * visitors
            listing.wish = wish
            stacked[demand.place] += wish
            stocked.append(listing)
    if day.drift:
        for listing in stocked:
            listing.wish *= day.drift.get(listing.category, 1.0)
        for place, category in enumerate(store.type.categories):
            stacked[place] *= day.drift.get(category, 1.0)
    return stocked, stacked


def sell(books: Books, store: Store, day: date) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    ordinal, crowding, plain = day.toordinal(), store.crowding, store.offer is NO_OFFER
    charged, total = 1.0 - store.offer.discount, 0
    sold: list[SoldGoods] = []
    for listing in store.shelf.values():
        if not listing.stocked:
            continue
        units = whole_units(listing.wish * crowding, listing.demand.draws[ordinal])
        if units:
            stock, held = listing.stock, listing.quantity
            if units > held:
                units = held
            listing.quantity = held - units
            stock.sold += units
            take_oldest(stock, units)
            total += units
            sales = listing.sales if plain else stock.demand.sales[charged * listing.full_price, stock.defective_share]
            sold.append(sales[units])
    store.sold_yesterday = DaySales(store.id, day, total, books.shipment_count + 1, sold)
    if sold:
        books.pending.append(store.sold_yesterday)
        books.shipment_count += len(sold)
        books.units -= total
        store.recent_sold += total
