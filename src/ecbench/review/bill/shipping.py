"""What was lost on the way to the customer: sales that were not sent, and freight by the wrong speed."""

from collections.abc import Iterator, Sequence

import numpy as np

from ecbench.market.journal import Sale
from ecbench.market.price_columns import Column
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.review.bill.causes import CANCELLED, FREIGHT
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.margins import Margins
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.rules import SPEEDS, Rules

HALF_A_CENT = 0.005


def sending(played: BilledYear) -> Iterator[Charge]:
    costs = _costs(played)
    margins = Margins(played.rules)
    yield from _not_sent(played, costs, margins)
    yield from _wrong_speeds(played, costs, margins)


Costs = dict[tuple[int, str], float]
"""By day and SKU: what a unit had cost that was sold on it."""


def _costs(played: BilledYear) -> Costs:
    return {
        (evening.day, demand.product.sku): cost
        for evening in played.evenings
        for note in evening.shelves
        for demand, cost in zip(note.goods, note.costs)
    }


def _not_sent(played: BilledYear, costs: Costs, margins: Margins) -> Iterator[Charge]:
    """A cancelled order's units go back to the warehouse; those of an order that the end of the year found are gone."""
    journal, account = played.journal, played.year.account
    last_sold = played.last_day - 1 - (account.ending in ENDED_BY_MARKET)
    late = [sale for sale in journal.sales if sale.number in journal.cancelled]
    waiting = [
        sale for sale in journal.sales if sale.number not in journal.sent and sale.number not in journal.cancelled
    ]
    gone = [sale for sale in waiting if played.over and sale.day <= last_sold]
    for sales, kept in ((late, True), (gone, False)):
        if not sales:
            continue
        cost = np.array([costs[sale.day, sale.goods.product.sku] for sale in sales])
        rate, price, freight, units = _columns(sales, played.rules)
        amounts = (margins.margin(rate, price, freight, cost) + (0.0 if kept else cost)) * units
        for sale, amount in zip(sales, np.maximum(0.0, amounts).tolist()):
            day = journal.cancelled.get(sale.number, played.last_day)
            yield Charge(day, CANCELLED, amount, sale.store, sale.goods.product.sku, units=sale.goods.quantity)


def _wrong_speeds(played: BilledYear, costs: Costs, margins: Margins) -> Iterator[Charge]:
    sent = played.journal.sent
    for speed in SPEEDS:
        sales = [s for s in played.journal.sales if s.number in sent and sent[s.number].parcel.speed == speed]
        if not sales:
            continue
        cost = np.array([costs[sale.day, sale.goods.product.sku] for sale in sales])
        rate, price, freight, units = _columns(sales, played.rules)
        least = margins.least_sending(rate, price, freight, cost)
        amounts = (margins.sending(speed, rate, price, freight, cost) - least) * units
        for place in np.flatnonzero(amounts >= HALF_A_CENT):
            sale = sales[place]
            day, sku = sent[sale.number].day, sale.goods.product.sku
            yield Charge(day, FREIGHT, float(amounts[place]), sale.store, sku, units=sale.goods.quantity)


def _columns(sales: Sequence[Sale], rules: Rules) -> tuple[Column, Column, Column, Column]:
    """Return rate by standard speed, price, freight by standard speed, and units."""
    goods = [sale.goods for sale in sales]
    return (
        np.array([sold.rates.capped for sold in goods]),
        np.array([sold.unit_price for sold in goods]),
        np.array([rules.freight_cost[sold.product.size] for sold in goods]),
        np.array([sold.quantity for sold in goods], dtype=np.float64),
    )
