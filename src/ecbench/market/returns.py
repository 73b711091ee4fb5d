"""What comes back: four channels set a unit's return rate, three at the sale and one at dispatch (app:econ_returns)."""

from itertools import pairwise

from ecbench.market.books import DayLine, PendingReturn, ReturnLayers, Stock
from ecbench.market.ledger import refund_from_escrow
from ecbench.market.stock import put_away
from ecbench.market.year import Year
from ecbench.rules import Rules

Knees = tuple[tuple[float, float], ...]


def price_curve(ratio: float, knees: Knees) -> float:
    """Piecewise linear through the knees, flat outside them."""
    if ratio <= knees[0][0]:
        return knees[0][1]
    for (left, low), (right, high) in pairwise(knees):
        if ratio <= right:
            return low + (high - low) * (ratio - left) / (right - left)
    return knees[-1][1]


def return_layers(stock: Stock, price_ratio: float, rules: Rules) -> ReturnLayers:
    natural = stock.product.return_rate
    blended = natural
    if stock.defective:
        defective_rate = min(rules.return_cap, max(rules.defective_floor, 2.0 * natural))
        share = stock.defective / stock.delivered
        blended = (1.0 - share) * natural + share * defective_rate
    priced = blended * price_curve(price_ratio, rules.price_return_knees)
    return ReturnLayers(natural, blended, priced, min(rules.return_cap, priced))


def take_back(year: Year, due: PendingReturn, *, restock: bool) -> None:
    """The customer is refunded out of the shipment's own escrow batch, whether or not the store is still open."""
    books, shipment, units = year.books, due.shipment, due.quantity
    stock = books.stock[shipment.product.sku]
    refund = shipment.unit_price * units
    refund_from_escrow(books.purse, due.batch, refund)
    stock.returned += units
    if restock:
        put_away(stock, units, year.date.toordinal())
        stock.restocked += units
    store = books.stores[shipment.store]
    store.recent_returned += units
    line = store.yesterday.get(shipment.product.sku)
    if line is None:
        line = store.yesterday[shipment.product.sku] = DayLine()
    line.returned += units
    line.refunds += refund
    tally = books.fulfilment
    tally.units_returned += units
    tally.refund_loss += refund
    tally.freight_loss += due.freight
