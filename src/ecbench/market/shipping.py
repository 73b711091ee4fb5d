"""Sending what was sold: freight leaves the bank, net revenue enters escrow, and the returns are decided."""

from collections.abc import Iterable
from typing import NamedTuple

from ecbench.market.books import Fulfilment, PendingReturn, ReturnLayers, Shipment
from ecbench.market.draws import return_trials
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay
from ecbench.market.year import Year


class Dispatch(NamedTuple):
    shipment: Shipment
    freight: float
    settles: int  # date ordinal


def ship(year: Year, shipments: Iterable[Shipment], speed: str) -> list[Dispatch]:
    """Send some pending shipments, in the order given."""
    books, rules, purse, tally = year.books, year.rules, year.books.purse, year.books.fulfilment
    today = year.date.toordinal()
    settles = today + rules.escrow_days
    sent = []
    for shipment in shipments:
        number, units, product = shipment.number, shipment.quantity, shipment.product
        del books.pending[number]
        unit_freight = rules.freight_cost[product.size] * rules.freight_factor[speed]
        freight = unit_freight * units
        pay(purse, year.day, FREIGHT, freight, number)
        batch = hold_in_escrow(purse, year.day, shipment.net, settles, number)
        store = books.stores[shipment.store]
        store.shipped += units
        line = store.yesterday.get(product.sku)
        if line is not None:
            line.freight += freight
        returned, days = decide_returns(year, shipment, speed)
        if returned:
            back = PendingReturn(today + days, shipment, batch.number, returned, unit_freight * returned)
            books.returns.append(back)
        accrue_expected_returns(tally, shipment.rates, units, rules.speed_return_factor[speed], rules.return_cap)
        sent.append(Dispatch(shipment, freight, settles))
    tally.orders_shipped += len(sent)
    tally.by_speed[speed] += len(sent)
    return sent


def decide_returns(year: Year, shipment: Shipment, speed: str) -> tuple[int, int]:
    """How many units will come back, and after how many days: decided the day they leave."""
    rules = year.rules
    rate = min(rules.return_cap, shipment.rates.capped * rules.speed_return_factor[speed])
    trials, days = return_trials(year.world.seed, shipment.number, speed, shipment.quantity, rules.return_days)
    return sum([trial < rate for trial in trials]), days


def accrue_expected_returns(tally: Fulfilment, rates: ReturnLayers, units: int, factor: float, cap: float) -> None:
    """The channels of the execution metric, each carried forward under the same speed (eq:e5_carry, eq:e5_accrual)."""
    natural = min(cap, rates.natural * factor)
    blended = min(cap, rates.blended * factor)
    priced = min(cap, rates.priced * factor)
    final = min(cap, rates.capped * factor)
    tally.units_shipped += units
    tally.expected += units * final
    tally.expected_natural += units * natural
    tally.expected_defective += units * max(0.0, blended - natural)
    tally.expected_pricing += units * (priced - blended)
    tally.expected_speed += units * (final - priced)
    tally.expected_speed_vs_standard += units * (final - min(cap, rates.capped))
