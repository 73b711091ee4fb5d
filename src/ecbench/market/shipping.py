"""Shipping: freight leaves the bank, net revenue enters escrow, and returns are drawn."""

from bisect import bisect_left
from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import groupby

from ecbench.market.books import Books, DaySales, PendingReturn
from ecbench.market.escrow import hold_in_escrow
from ecbench.market.journal import Sending
from ecbench.market.ledger import FREIGHT, pay_each
from ecbench.market.marketplace import Account
from ecbench.market.product_demand import Parcel, SoldGoods
from ecbench.rules import Rules


@dataclass(slots=True, init=False)
class Dispatch:
    """What one call shipped."""

    numbers: list[int]  # of the shipments, in the order of their parcels
    parcels: list[Parcel]
    freight: float
    revenue: float  # after commission

    def __init__(self, numbers: list[int], parcels: list[Parcel], freight: float, revenue: float) -> None:
        self.numbers = numbers
        self.parcels = parcels
        self.freight = freight
        self.revenue = revenue


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


def ship(account: Account, sales: list[DaySales], speed: str) -> Dispatch:
    """Ship sales in the order given. Returns are drawn on the day of shipping (app:econ_returns)."""
    books, rules, draws = account.books, account.rules, account.economy.returns[speed]
    today = account.market.date.toordinal()
    matures = today + rules.escrow_days
    place = len(books.purse.batches.get(matures, ()))
    numbers: list[int] = []
    parcels: list[Parcel] = []
    for day_sales in sales:
        number, packed = day_sales.first, len(parcels)
        for goods in day_sales.goods:
            parcel = goods.parcels.get(speed)
            if parcel is None:
                parcel = _pack(goods, speed, rules)
            numbers.append(number)
            parcels.append(parcel)
            rate = parcel.return_rate
            lowest, days, others = draws[goods.quantity][number]
            if lowest < rate:
                back = 1 + bisect_left(others, rate) if others else 1
                freight = parcel.unit_freight * back
                coming = PendingReturn(number, day_sales.store, goods, back, freight, matures, place)
                books.returns.setdefault(today + days, []).append(coming)
            number += 1
            place += 1
        store = books.stores[day_sales.store]
        store.shipped += day_sales.units
        store.sent += parcels[packed:]
    books.sent += parcels
    if account.journal is not None:
        day = account.market.day
        account.journal.sent |= {number: Sending(day, parcel) for number, parcel in zip(numbers, parcels)}
    paid = pay_each(books.purse, FREIGHT, [parcel.freight for parcel in parcels])
    held = hold_in_escrow(books.purse, [parcel.goods.net for parcel in parcels], matures)
    return Dispatch(numbers, parcels, paid, held)


def _pack(goods: SoldGoods, speed: str, rules: Rules) -> Parcel:
    """Compute freight and return rate at a speed, and cache them with the goods."""
    unit_freight = rules.freight_cost[goods.product.size] * rules.freight_factor[speed]
    rate = min(rules.return_cap, goods.rates.capped * rules.speed_return_factor[speed])
    parcel = goods.parcels[speed] = Parcel(goods, speed, unit_freight, unit_freight * goods.quantity, rate)
    return parcel
