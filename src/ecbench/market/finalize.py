"""The end of a year: what was sold but not shipped is lost, what will come back is refunded, the rest is paid out."""

from ecbench.market.escrow import release_all
from ecbench.market.marketplace import Account
from ecbench.market.returns import take_back

ENDED_BY_MARKET = ("year_end", "bankruptcy")  # on a morning: by the calendar, or after too many unpaid ones


def finalize(account: Account, ending: str) -> None:
    """End an account, once: drop unshipped orders, refund pending returns, pay out escrow."""
    if account.done:
        return
    books = account.books
    books.pending.clear()
    for coming in books.returns.values():
        take_back(account, coming, restock=False)
    books.returns.clear()
    release_all(books.purse)
    account.ending = ending
