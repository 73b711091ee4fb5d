"""Sending what was sold: freight leaves the bank, net revenue enters escrow, and the returns are decided."""

from typing import NamedTuple

from ecbench.market.books import Fulfilment, PendingReturn, ReturnLayers, Shipment
from ecbench.market.draws import return_trials
from ecbench.market.ledger import FREIGHT, hold_in_escrow, pay
from ecbench.market.year import Year
from ecbench.rules import Rules


class Dispatch(NamedTuple):
    shipment: Shipment
    freight: float
    settles: int  # date ordinal


def ship(year: Year, shipment: Shipment, speed: str) -> Dispatch:
    books, rules = year.books, year.rules
    del books.pending[shipment.number]
    units, product = shipment.quantity, shipment.product
    unit_freight = rules.freight_cost[product.size] * rules.freight_factor[speed]
    freight = unit_freight * units
    pay(books.purse, year.day, FREIGHT, freight, str(shipment.number))
    store = books.stores[shipment.store]
    store.shipped += units
    line = store.yesterday.get(product.sku)
    if line is not None:
        line.freight += freight
    today = year.date.toordinal()
    settles = today + rules.escrow_days
    batch = hold_in_escrow(books.purse, year.day, shipment.net, settles, str(shipment.number))
    returned, days = decide_returns(year, shipment, speed)
    if returned:
        books.returns.append(PendingReturn(today + days, shipment, batch.number, returned, unit_freight * returned))
    tally = books.fulfilment
    tally.orders_shipped += 1
    tally.units_shipped += units
    tally.by_speed[speed] += 1
    accrue_expected_returns(tally, shipment.rates, units, speed, rules)
    return Dispatch(shipment, freight, settles)


def decide_returns(year: Year, shipment: Shipment, speed: str) -> tuple[int, int]:
    """How many units will come back, and after how many days: decided the day they leave."""
    rules = year.rules
    rate = min(rules.return_cap, shipment.rates.capped * rules.speed_return_factor[speed])
    trials, days = return_trials(year.world.seed, shipment.number, speed, shipment.quantity, rules.return_days)
    return sum([trial < rate for trial in trials]), days


def accrue_expected_returns(tally: Fulfilment, rates: ReturnLayers, units: int, speed: str, rules: Rules) -> None:
    """The channels of the execution metric, each carried forward under the same speed (eq:e5_carry, eq:e5_accrual)."""
    cap, factor = rules.return_cap, rules.speed_return_factor[speed]
    natural = min(cap, rates.natural * factor)
    blended = min(cap, rates.blended * factor)
    priced = min(cap, rates.priced * factor)
    final = min(cap, rates.capped * factor)
    tally.expected += units * final
    tally.expected_natural += units * natural
    tally.expected_defective += units * max(0.0, blended - natural)
    tally.expected_pricing += units * (priced - blended)
    tally.expected_speed += units * (final - priced)
    tally.expected_speed_vs_standard += units * (final - min(cap, rates.capped))
