"""A day's sales in two phases: the demand for every shelf, then what each shelf sells.

The customers of a store type belong to the marketplace. All accounts with a store of the type share them
(`sharing.py`); a merchant without rivals has them all.
"""

from collections.abc import Mapping
from datetime import date

from ecbench.market.books import Books, DaySales, Store
from ecbench.market.demand import NO_OFFER, saturation, whole_units
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Charges
from ecbench.market.product_demand import SoldGoods
from ecbench.market.sharing import DayTraffic, share_customers
from ecbench.market.stock import take_oldest
from ecbench.sums import ordered_sum


def share_demand(stores: Mapping[int, Store], day: date, economy: Economy) -> Charges:
    """Set the wishes and the crowding of the stores of one type, by seat; return what each charges where several do."""
    kind = next(iter(stores.values())).type.id
    of_day, capacity = DayTraffic.of(economy, kind, day), economy.capacities[kind]
    stacks = {}
    for seat, store in stores.items():
        stacked = _wish(store, of_day.traffic)
        stacks[seat] = _drifted(store, stacked, of_day.drift) if of_day.drift else stacked
    if len(stores) > 1:
        return share_customers(stores, stacks, of_day, capacity)
    for seat, store in stores.items():
        if capacity.category is not None:
            gamma = {name: saturation(capacity.category, wished) for name, wished in stacks[seat].items()}
            store.wishes = [wish * gamma[listing.category] for listing, wish in zip(store.stocked, store.wishes)]
        store.crowding = saturation(capacity.store, ordered_sum(store.wishes))
    return {}


def _wish(store: Store, traffic: float) -> dict[str, float]:
    """Set what customers wish of each listing with units without rivals, before saturation; return it by category."""
    discount, promoted, boost = offer = store.offer
    charged, plain = 1.0 - discount, offer is NO_OFFER
    visitors = traffic * store.reputation * promoted
    store.stocked = stocked = []
    store.wishes = wishes = []
    stacked: dict[str, float] = {}
    for listing in store.shelf.values():
        if listing.quantity:
            if plain:
                wish = listing.pull * visitors
            else:
                wish = listing.demand.pulls[charged * listing.full_price, boost, None] * visitors
            stocked.append(listing)
            wishes.append(wish)
            category = listing.category
            stacked[category] = stacked[category] + wish if category in stacked else wish
    return stacked


def _drifted(store: Store, stacked: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    """Multiply the wishes of the categories that drift; return the wishes stacked by category."""
    store.wishes = [wish * factors.get(listing.category, 1.0) for listing, wish in zip(store.stocked, store.wishes)]
    return {category: wished * factors.get(category, 1.0) for category, wished in stacked.items()}


def sell(books: Books, store: Store, day: date) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    ordinal, crowding, plain = day.toordinal(), store.crowding, store.offer is NO_OFFER
    charged, total = 1.0 - store.offer.discount, 0
    sold: list[SoldGoods] = []
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
            sales = listing.sales if plain else stock.demand.sales[charged * listing.full_price, stock.defective_share]
            sold.append(sales[units])
    store.sold_yesterday = DaySales(store.id, day, total, books.shipment_count + 1, sold)
    if sold:
        books.pending.append(store.sold_yesterday)
        books.shipment_count += len(sold)
        books.units -= total
        store.recent_sold += total
