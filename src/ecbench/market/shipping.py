"""Sending what was sold: freight leaves the bank, net revenue enters escrow, and the returns are decided."""

from bisect import bisect_left

from ecbench.market.books import Dispatch, PendingReturn, Shipment
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay_each
from ecbench.market.year import Year


def ship(year: Year, shipments: list[Shipment], speed: str) -> Dispatch:
    """Send some pending shipments, in the order given.

    Whether a unit comes back is decided here, the day it leaves, and not the day it arrives (app:econ_returns).
    """
    books, rules, draws, today = year.books, year.rules, year.market.returns, year.date.toordinal()
    stores, pending, returns = books.stores, books.pending, books.returns
    unit_freights = {size: cost * rules.freight_factor[speed] for size, cost in rules.freight_cost.items()}
    return_factor, cap = rules.speed_return_factor[speed], rules.return_cap
    freights, revenue = [], {}
    for shipment in shipments:
        number, store_id, (product, units, _, _, net, _, rate, _), _ = shipment
        del pending[number]
        unit_freight = unit_freights[product.size]
        freight = unit_freight * units
        freights.append(freight)
        revenue[number] = net
        store = stores[store_id]
        store.shipped += units
        store.freight_paid.append((product.sku, freight))
        rate *= return_factor
        if rate > cap:
            rate = cap
        trials, days = draws.get((number, speed, units)) or draws[number, speed, units]
        if trials[0] < rate:
            back = bisect_left(trials, rate)
            returns.setdefault(today + days, []).append(PendingReturn(shipment, back, unit_freight * back))
    pay_each(books.purse, FREIGHT, freights)
    hold_in_escrow(books.purse, revenue, today + rules.escrow_days)
    sent = Dispatch(speed, shipments, freights)
    books.fulfilment.sent.append(sent)
    return sent
