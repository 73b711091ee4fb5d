"""What comes back: refunded out of its own escrow batch, restocked, and counted against the store."""

from ecbench.market.books import DayLine, PendingReturn
from ecbench.market.ledger import refund_from_escrow
from ecbench.market.stock import put_away
from ecbench.market.year import Year


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
