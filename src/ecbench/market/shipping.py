"""Shipping: freight leaves the bank, net revenue enters escrow, and returns are drawn."""

from bisect import bisect_left
from collections.abc import Set
from typing import NamedTuple

from ecbench.market.books import Books, DaySales, PendingReturn
from ecbench.market.escrow import hold_in_escrow
from ecbench.market.journal import Sending
from ecbench.market.ledger import FREIGHT, pay_each
from ecbench.market.marketplace import Account
from ecbench.market.product_demand import Parcel, SoldGoods
from ecbench.rules import Rules


class Dispatch(NamedTuple):
    """What one call shipped."""

    numbers: list[int]
    parcels: list[Parcel]
    freight: float
    revenue: float  # after commission


def take_pending(books: Books, wanted: Set[object] | None = None) -> list[DaySales]:
    """Remove shipments from the queue, in its order: all of them, or those with the given numbers."""
    queue, books.pending = books.pending, []
    if wanted is None:
        return queue
    taken = []
    for sales in queue:
        if sales.goods.keys() <= wanted:
            taken.append(sales)
            continue
        chosen = {number: goods for number, goods in sales.goods.items() if number in wanted}
        left = {number: goods for number, goods in sales.goods.items() if number not in chosen}
        if chosen:
            taken.append(_part(sales, chosen))
        if left:
            books.pending.append(_part(sales, left))
    return taken


def _part(sales: DaySales, goods: dict[int, SoldGoods]) -> DaySales:
    return DaySales(sales.store, sales.sold_on, sum([sold.quantity for sold in goods.values()]), goods)


def ship(account: Account, sales: list[DaySales], speed: str) -> Dispatch:
    """Ship sales in the order given. Returns are drawn on the day of shipping (app:econ_returns)."""
    books, rules, draws = account.books, account.rules, account.economy.returns[speed]
    today = account.market.date.toordinal()
    matures = today + rules.escrow_days
    parcels, revenue = [], {}
    for day_sales in sales:
        store_id, _, shipped, orders = day_sales
        for number, goods in orders.items():
            parcel = goods.parcels.get(speed) or _pack(goods, speed, rules)
            parcels.append(parcel)
            revenue[number] = goods.net
            units, rate = goods.quantity, parcel.return_rate
            lowest, days, others = draws[units][number]
            if lowest < rate:
                back = 1 + bisect_left(others, rate) if others else 1
                coming = PendingReturn(number, store_id, goods, back, parcel.unit_freight * back, matures)
                books.returns.setdefault(today + days, []).append(coming)
        store = books.stores[store_id]
        store.shipped += shipped
        store.sent.append((speed, day_sales))
    books.sent += parcels
    if account.journal is not None:
        day = account.market.day
        account.journal.sent |= {number: Sending(day, parcel) for number, parcel in zip(revenue, parcels)}
    freight = pay_each(books.purse, FREIGHT, [parcel.freight for parcel in parcels])
    return Dispatch(list(revenue), parcels, freight, hold_in_escrow(books.purse, revenue, matures))


def _pack(goods: SoldGoods, speed: str, rules: Rules) -> Parcel:
    """Compute freight and return rate at a speed, and cache them with the goods."""
    unit_freight = rules.freight_cost[goods.product.size] * rules.freight_factor[speed]
    rate = min(rules.return_cap, goods.rates.capped * rules.speed_return_factor[speed])
    parcel = goods.parcels[speed] = Parcel(goods, speed, unit_freight, unit_freight * goods.quantity, rate)
    return parcel
