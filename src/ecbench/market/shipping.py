"""Sending what was sold: freight leaves the bank, net revenue enters escrow, and the returns are decided."""

from bisect import bisect_left

from ecbench.market.books import Dispatch, PendingReturn, Shipment
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay_each
from ecbench.market.year import Year


def ship(year: Year, shipments: list[Shipment], speed: str) -> Dispatch:
    """Send some pending shipments, in the order given."""
    books, rules = year.books, year.rules
    stores, pending, factor = books.stores, books.pending, rules.freight_factor[speed]
    freights = []
    for shipment in shipments:
        number, store_id, goods, _ = shipment
        del pending[number]
        unit_freight = rules.freight_cost[goods.product.size] * factor
        freight = unit_freight * goods.quantity
        freights.append(freight)
        store = stores[store_id]
        store.shipped += goods.quantity
        store.freight_paid.append((goods.product.sku, freight))
        decide_returns(year, shipment, speed, unit_freight)
    pay_each(books.purse, FREIGHT, freights)
    revenue = {shipment.number: shipment.goods.net for shipment in shipments}
    hold_in_escrow(books.purse, revenue, year.date.toordinal() + rules.escrow_days)
    sent = Dispatch(speed, shipments, freights)
    books.fulfilment.sent.append(sent)
    return sent


def decide_returns(year: Year, shipment: Shipment, speed: str, unit_freight: float) -> None:
    """Whether a unit comes back is decided the day it leaves, not the day it arrives (app:econ_returns)."""
    rules, goods = year.rules, shipment.goods
    rate = goods.rates.capped * rules.speed_return_factor[speed]
    trials, days = year.market.return_trials(shipment.number, speed, goods.quantity)
    units = bisect_left(trials, min(rules.return_cap, rate)) if trials[0] < rate else 0
    if units:
        arrives = year.date.toordinal() + days
        year.books.returns.append(PendingReturn(arrives, shipment, units, unit_freight * units))
