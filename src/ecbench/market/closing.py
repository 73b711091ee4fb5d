"""The end of a year: what was sold but not shipped is lost, what will come back is refunded, the rest is paid out."""

from ecbench.market.ledger import release_all
from ecbench.market.returns import take_back
from ecbench.market.year import Year


def finalize(year: Year, ending: str) -> None:
    """Once per episode. A closing fire sale cannot outrun its own returns."""
    if year.done:
        return
    books = year.books
    books.pending.clear()
    for coming in books.returns.values():
        take_back(year, coming, restock=False)
    books.returns.clear()
    release_all(books.purse)
    year.ending = ending
