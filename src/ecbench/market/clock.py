"""Simulated time: a working day from opening to closing for each account, a settlement at every opening for all."""

from ecbench.market.calendar import ONE_DAY
from ecbench.market.marketplace import Account, Marketplace, iso
from ecbench.market.settlement import settle


def spend(account: Account, minutes: int) -> bool:
    """Advance the clock before a timed tool acts; False if the day is over, and the tool acts tomorrow."""
    if account.ending is not None:
        return True
    account.minute += minutes
    return account.minute < account.economy.closing_minute


def end_day(account: Account) -> None:
    """Move the clock to the end of the day."""
    if account.ending is None:
        account.minute = max(account.minute, account.economy.closing_minute)


def begin_tomorrow(market: Marketplace) -> bool:
    """Settle the next morning if every account in business has reached its evening; return whether it did."""
    trading, closing = market.in_business, market.economy.closing_minute
    if not trading or min([account.minute for account in trading]) < closing:
        return False
    market.date += ONE_DAY
    market.today = iso(market.date)
    market.day += 1
    for account in trading:
        account.minute = market.economy.opening_minute
    settle(market)
    return True
