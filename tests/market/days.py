"""Days without a call, and the demand of the last one."""

from ecbench.market.books import Store
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.marketplace import Account
from ecbench.market.settlement import begin_tomorrow, end_day


def next_day(account: Account) -> None:
    end_day(account)
    begin_tomorrow(account.market)


def last_demand(account: Account, store: Store) -> ShelfDemand:
    """The demand that the last morning settled."""
    return account.market.demand.shelves[account.seat][store.id]
