"""The end of a year: what was sold but not shipped is lost, what will come back is refunded, the rest is paid out."""

from itertools import chain

from ecbench.market.escrow import release_all
from ecbench.market.ledger import SALVAGE, credit
from ecbench.market.marketplace import Account
from ecbench.market.returns import take_back

ENDED_BY_MARKET = ("year_end", "bankruptcy")  # on a morning: by the calendar, or after too many unpaid ones


def finalize(account: Account, ending: str) -> None:
    """End an account, once: drop unshipped orders, refund pending returns, pay for unsold goods, pay out escrow."""
    if account.done:
        return
    books = account.books
    books.pending.clear()
    for coming in books.returns.values():
        take_back(account, coming, restock=False)
    books.returns.clear()
    if account.rules.closing_stock_share:
        _pay_closing_stock(account)
    release_all(books.purse)
    account.ending = ending


def _pay_closing_stock(account: Account) -> None:
    """Pay a share of the category's floor for every unit in the warehouse, on a shelf or on its way."""
    books, world = account.books, account.world
    held = [(stock.product, stock.physical) for stock in books.stock.values()]
    coming = [(order.product, order.delivered) for order in chain.from_iterable(books.in_transit.values())]
    for product, units in held + coming:
        assert product is not None  # a fee is never in transit
        floor = world.category_by_name[product.category].floor_ratio * product.reference_price
        books.closing_stock += account.rules.closing_stock_share * floor * units
    credit(books.purse, SALVAGE, books.closing_stock)
