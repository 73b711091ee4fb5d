"""Days without a call."""

from ecbench.market.clock import begin_tomorrow, end_day
from ecbench.market.marketplace import Account


def next_day(account: Account) -> None:
    end_day(account)
    begin_tomorrow(account.market)
