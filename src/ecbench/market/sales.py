"""What each shelf sells of the day's demand, and how it is shipped: freight, escrow and the draw of returns."""

from collections.abc import Iterator, Set
from datetime import date
from functools import lru_cache, partial
from itertools import groupby
from typing import NamedTuple

from ecbench.market.books import NOTHING_MISSED, Books, DaySales, Parcel, PendingReturn, SoldGoods, Store
from ecbench.market.cache import FunctionCache
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.demand import whole_units
from ecbench.market.economy import Economy, PricedGoods
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay_each
from ecbench.market.marketplace import Account
from ecbench.market.returns import cached_trials, rate_at, return_layers, units_back
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
    """Sell whole units, in the order in which the SKUs were first listed; each SKU is one order that waits to ship.

    A draw that the order of calls cannot change rounds the last fraction (eq:app_round).
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


CACHED_PARCELS = 100_000


class GoodsSent(NamedTuple):
    """What one call shipped."""

    numbers: list[int]  # of the shipments, in the order of their parcels
    parcels: list[Parcel]
    freight: float
    revenue: float  # after commission


def take_pending(books: Books, wanted: Set[object] | None = None) -> list[DaySales]:
    """Remove shipments from the queue, in its order: all of them, or those with the given numbers."""
    queue, books.pending = books.pending, []
    if wanted is None:
        return queue
    taken: list[DaySales] = []
    for sales in queue:
        for chosen, part in _parts(sales, wanted):
            (taken if chosen else books.pending).append(part)
    return taken


def _parts(sales: DaySales, wanted: Set[object]) -> Iterator[tuple[bool, DaySales]]:
    """Split the shipments of a day where the wanted ones begin or end."""
    numbers = range(sales.first, sales.first + len(sales.goods))
    for chosen, run in groupby(numbers, wanted.__contains__):
        part = list(run)
        if len(part) == len(numbers):
            yield chosen, sales
            return
        goods = sales.goods[part[0] - sales.first :][: len(part)]
        yield chosen, DaySales(sales.store, sales.sold_on, sum([sold.quantity for sold in goods]), part[0], goods)


def ship(account: Account, sales: list[DaySales], speed: str) -> GoodsSent:
    """Ship sales in the order given. Returns are drawn on the day of shipping (app:econ_returns)."""
    books, trials, packed = account.books, cached_trials(account.economy, speed), parcels_at(account.economy, speed)
    today = account.market.date.toordinal()
    matures = today + account.rules.escrow_days
    index = len(books.purse.batches.get(matures, ()))
    numbers: list[int] = []
    parcels: list[Parcel] = []
    for day_sales in sales:
        sent = [packed[goods] for goods in day_sales.goods]
        for number, parcel in enumerate(sent, day_sales.first):
            drawn = trials[parcel.goods.quantity][number]
            if drawn[0] < parcel.return_rate:
                back = units_back(drawn, parcel.return_rate)
                freight, held = parcel.unit_freight * back, index + number - day_sales.first
                coming = PendingReturn(number, day_sales.store, parcel.goods, back, freight, matures, held)
                books.returns.setdefault(today + drawn[1], []).append(coming)
        index += len(sent)
        numbers += range(day_sales.first, day_sales.first + len(sent))
        parcels += sent
        store = books.stores[day_sales.store]
        store.shipped += day_sales.units
        store.moved += sent
    books.sent += parcels
    paid = pay_each(books.purse, FREIGHT, [parcel.freight for parcel in parcels])
    revenue = hold_in_escrow(books.purse, [parcel.goods.net for parcel in parcels], matures)
    if account.journal is not None:
        account.journal.goods_sent(account.market.day, numbers, parcels)
    return GoodsSent(numbers, parcels, paid, revenue)


@lru_cache(maxsize=64)
def parcels_at(economy: Economy, speed: str) -> FunctionCache[SoldGoods, Parcel]:
    """Parcels by their goods, at a speed."""
    return FunctionCache(partial(_pack, economy.rules, speed), CACHED_PARCELS)


def _pack(rules: Rules, speed: str, goods: SoldGoods) -> Parcel:
    unit_freight = rules.freight_cost[goods.product.size] * rules.freight_factor[speed]
    return Parcel(goods, speed, unit_freight, unit_freight * goods.quantity, rate_at(speed, goods.rates.capped, rules))
