"""A day's sales: what each shelf sells of the demand for it."""

from datetime import date
from functools import lru_cache, partial

from ecbench.market.books import NOTHING_MISSED, Books, DaySales, SoldGoods, Store
from ecbench.market.cache import FunctionCache
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.demand import whole_units
from ecbench.market.economy import Economy, PricedGoods
from ecbench.market.returns import return_layers
from ecbench.market.stock import take_oldest
from ecbench.rules import Rules

CACHED_GOODS = 16_384
CACHED_SALES = 64  # of each of them

SalesCache = FunctionCache[PricedGoods, FunctionCache[int, SoldGoods]]
"""What is sold, by the goods at their price and then by units."""


@lru_cache(maxsize=16)
def sold_goods(economy: Economy) -> SalesCache:
    """Shops sell the same units at the same price day after day, and so do all episodes."""

    def of_goods(priced: PricedGoods) -> FunctionCache[int, SoldGoods]:
        return FunctionCache(partial(_sold, economy.rules, priced), CACHED_SALES)

    return FunctionCache(of_goods, CACHED_GOODS)


def _sold(rules: Rules, priced: PricedGoods, quantity: int) -> SoldGoods:
    product, unit_price = priced.goods.product, priced.price
    gross = unit_price * quantity
    net = gross - gross * rules.commission
    rates = return_layers(product, priced.defective_share, unit_price, rules)
    return SoldGoods(product, quantity, unit_price, gross, net, rates)


def sell(books: Books, store: Store, demand: ShelfDemand, day: date, known: SalesCache) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    `known` is `sold_goods` of the economy.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    shelf, ordinal, store_saturation, total = store.shelf, day.toordinal(), demand.store_saturation, 0
    sold: list[SoldGoods] = []
    missed = NOTHING_MISSED
    for priced, claim in zip(demand.goods, demand.claims):
        units = whole_units(claim * store_saturation, priced.draws[ordinal])
        if units:
            listing = shelf[priced.sku]
            stock, held = listing.stock, listing.quantity
            if units > held:
                missed = {**missed, priced.sku: units - held}
                units = held
            listing.quantity = held - units
            stock.sold += units
            take_oldest(stock, units)
            total += units
            sold.append(known[priced][units])
    store.sold_yesterday = DaySales(store.id, day, total, books.shipment_count + 1, sold, missed)
    store.moved = []
    if sold:
        books.pending.append(store.sold_yesterday)
        books.shipment_count += len(sold)
        books.units -= total
        store.recent_sold += total
