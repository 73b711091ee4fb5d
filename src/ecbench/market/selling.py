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

CACHED_SALES = 100_000

Sale = tuple[PricedGoods, float, int]
"""Goods at a price, the defective share of all their deliveries, units."""


@lru_cache(maxsize=16)
def sold_goods(economy: Economy) -> FunctionCache[Sale, SoldGoods]:
    """Goods by their sale. Shops sell the same units at the same price day after day, and so do all episodes."""
    return FunctionCache(partial(_goods_of, economy.rules), CACHED_SALES)


def _goods_of(rules: Rules, sale: Sale) -> SoldGoods:
    priced, defective_share, quantity = sale
    product, unit_price = priced.goods.product, priced.price
    gross = unit_price * quantity
    net = gross - gross * rules.commission
    return SoldGoods(
        product, quantity, unit_price, gross, net, return_layers(product, defective_share, unit_price, rules)
    )


def sell(books: Books, store: Store, demand: ShelfDemand, day: date, known: FunctionCache[Sale, SoldGoods]) -> None:
    """Sell in the order in which the SKUs were first listed; the units of each become one order that waits to ship.

    `known` is `sold_goods` of the economy.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    shelf, ordinal, store_saturation, total = store.shelf, day.toordinal(), demand.store_saturation, 0
    sold: list[SoldGoods] = []
    missed = NOTHING_MISSED
    for priced, claim in zip(demand.goods, demand.claims):
        units = whole_units(claim * store_saturation, priced.goods.draws[ordinal])
        if units:
            sku = priced.goods.sku
            listing = shelf[sku]
            stock, held = listing.stock, listing.quantity
            if units > held:
                missed = {**missed, sku: units - held}
                units = held
            listing.quantity = held - units
            stock.sold += units
            take_oldest(stock, units)
            total += units
            sold.append(known[priced, stock.defective_share, units])
    store.sold_yesterday = DaySales(store.id, day, total, books.shipment_count + 1, sold, missed)
    store.moved = []
    if sold:
        books.pending.append(store.sold_yesterday)
        books.shipment_count += len(sold)
        books.units -= total
        store.recent_sold += total
