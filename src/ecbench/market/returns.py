"""Returns: refunded from their escrow batch, restocked, and counted against the store."""

from ecbench.market.books import PendingReturn
from ecbench.market.day_lines import forget_freight_without_line
from ecbench.market.escrow import refund_from_escrow
from ecbench.market.journal import Return
from ecbench.market.marketplace import Account
from ecbench.market.stock import put_away


def take_back(account: Account, coming: list[PendingReturn], *, restock: bool) -> None:
    """Refund each return from the escrow of its shipment, also for stores closed since."""
    books, today, journal = account.books, account.market.date.toordinal(), account.journal
    purse, stocks, stores = books.purse, books.stock, books.stores
    refund_loss, freight_loss = books.refund_loss, books.freight_loss
    for back in coming:
        goods, units = back.goods, back.quantity
        stock, store = stocks[goods.product.sku], stores[back.store]
        refund = goods.unit_price * units
        taken = refund_from_escrow(purse, back.matures, back.place, refund)
        stock.returned += units
        if restock:
            put_away(books, stock, units, today)
            stock.restocked += units
        store.recent_returned += units
        if not store.is_open:
            forget_freight_without_line(store)
        store.came_back.append(back)
        refund_loss += refund
        freight_loss += back.freight
        if journal is not None:
            journal.returns.append(Return(account.market.day, back, taken, restock))
    books.refund_loss, books.freight_loss = refund_loss, freight_loss
