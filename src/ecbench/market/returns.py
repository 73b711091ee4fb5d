"""What comes back: refunded out of its own escrow batch, restocked, and counted against the store."""

from ecbench.market.books import PendingReturn
from ecbench.market.day_lines import forget_freight_without_line
from ecbench.market.ledger import refund_from_escrow
from ecbench.market.stock import put_away
from ecbench.market.year import Year


def take_back(year: Year, back: PendingReturn, *, restock: bool) -> None:
    """The customer is refunded out of the shipment's own escrow batch, whether or not the store is still open."""
    books, (number, store_id, goods, _), units = year.books, back.shipment, back.quantity
    stock, store, tally = books.stock[goods.product.sku], books.stores[store_id], books.fulfilment
    refund = goods.unit_price * units
    refund_from_escrow(books.purse, number, refund)
    stock.returned += units
    if restock:
        put_away(stock, units, year.date.toordinal())
        stock.restocked += units
    store.recent_returned += units
    if not store.is_open:
        forget_freight_without_line(store)
    store.came_back.append(back)
    tally.units_returned += units
    tally.refund_loss += refund
    tally.freight_loss += back.freight
