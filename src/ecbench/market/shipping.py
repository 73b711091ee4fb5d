"""Sending what was sold: freight leaves the bank, net revenue enters escrow, and the returns are decided."""

from bisect import bisect_left
from collections.abc import Iterable

from ecbench.market.books import Dispatch, PendingReturn, Shipment
from ecbench.market.draws import return_trials
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay
from ecbench.market.year import Year


def ship(year: Year, shipments: Iterable[Shipment], speed: str) -> list[Dispatch]:
    """Send some pending shipments, in the order given."""
    books, rules, purse = year.books, year.rules, year.books.purse
    today = year.date.toordinal()
    settles, factor = today + rules.escrow_days, rules.freight_factor[speed]
    sent = []
    for shipment in shipments:
        units, product, store = shipment.quantity, shipment.product, books.stores[shipment.store]
        del books.pending[shipment.number]
        unit_freight = rules.freight_cost[product.size] * factor
        freight = unit_freight * units
        pay(purse, FREIGHT, freight)
        batch = hold_in_escrow(purse, shipment.net, settles)
        store.shipped += units
        line = store.yesterday.get(product.sku)
        if line is not None:
            line.freight += freight
        returned, days = decide_returns(year, shipment, speed)
        if returned:
            books.returns.append(PendingReturn(today + days, shipment, batch, returned, unit_freight * returned))
        sent.append(Dispatch(shipment, speed, freight))
    books.fulfilment.sent += sent
    return sent


def decide_returns(year: Year, shipment: Shipment, speed: str) -> tuple[int, int]:
    """How many units will come back, and after how many days: decided the day they leave (app:econ_returns)."""
    rules = year.rules
    rate = min(rules.return_cap, shipment.rates.capped * rules.speed_return_factor[speed])
    trials, days = return_trials(year.world.seed, shipment.number, speed, shipment.quantity, *rules.return_days)
    return bisect_left(trials, rate), days
