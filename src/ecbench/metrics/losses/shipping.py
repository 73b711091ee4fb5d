"""What a unit sold is expected to bring, and what was lost between sale and customer.

    margin = price (1 - commission) - worth - least over the speeds of [freight + rate (price - worth)]

`worth` is what the unit is worth unsold: what it had cost. One that comes back is refunded in full and is worth that
again. Freight is by the speed that costs least, so that a wrong speed is lost once, as freight.
"""

from collections.abc import Iterator

from ecbench.market.journal import Sale
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.losses.account import Loss, LossFacts
from ecbench.metrics.losses.causes import CANCELLED, FREIGHT
from ecbench.rules import SPEEDS, Rules

HALF_A_CENT = 0.005  # less is the last digit of a search


def sending(rules: Rules, speed: str, rate: float, price: float, freight: float, worth: float) -> float:
    """Freight of a unit, and what it is expected to lose by coming back; rate and freight are those of standard."""
    back = min(rules.return_cap, rate * rules.speed_return_factor[speed])
    return freight * rules.freight_factor[speed] + back * (price - worth)


def least_sending(rules: Rules, rate: float, price: float, freight: float, worth: float) -> float:
    return min([sending(rules, speed, rate, price, freight, worth) for speed in SPEEDS])


def margin(rules: Rules, rate: float, price: float, freight: float, worth: float) -> float:
    return price * (1.0 - rules.commission) - worth - least_sending(rules, rate, price, freight, worth)


def shipping(year: LossFacts) -> Iterator[Loss]:
    journal, rules = year.journal, year.account.rules
    last_sold = year.last_day - 1 - (year.account.ending in ENDED_BY_MARKET)
    order_sent = {number: place for place, number in enumerate(journal.sent, start=1)}
    for sale in journal.sales:
        goods, number = sale.goods, sale.number
        cost, freight = year.cost_of(goods.product.sku, sale.day), rules.freight_cost[goods.product.size]
        terms = (goods.rates.capped, goods.unit_price, freight, cost)
        if number in journal.sent:
            day, parcel = journal.sent[number].day, journal.sent[number].parcel
            lost = (sending(rules, parcel.speed, *terms) - least_sending(rules, *terms)) * goods.quantity
            if lost >= HALF_A_CENT:
                yield _loss(day, FREIGHT, lost, sale)._replace(turn=year.log.turn_of_shipment(order_sent[number]))
        elif number in journal.cancelled:
            yield _loss(journal.cancelled[number], CANCELLED, margin(rules, *terms) * goods.quantity, sale)
        elif year.over and sale.day <= last_sold:  # the end found them unshipped, and their units are gone as well
            yield _loss(year.last_day, CANCELLED, (margin(rules, *terms) + cost) * goods.quantity, sale)


def _loss(day: int, cause: str, amount: float, sale: Sale) -> Loss:
    return Loss(day, cause, max(0.0, amount), sale.store, sale.goods.product.sku, units=sale.goods.quantity)
