"""Simulated time: a working day from opening to closing for each account, a settlement at every opening for all."""

from ecbench.market.calendar import ONE_DAY
from ecbench.market.marketplace import Account, Marketplace, iso
from ecbench.market.settlement import settle


def spend(account: Account, minutes: int) -> bool:
    """A timed tool advances the clock before it acts. False: the day is over, and it acts once tomorrow has begun."""
    if account.ending is not None:
        return True
    account.minute += minutes
    return account.minute < account.economy.closing_minute


def end_day(account: Account) -> None:
    """Give up what is left of the day."""
    if account.ending is None:
        account.minute = max(account.minute, account.economy.closing_minute)


def begin_tomorrow(market: Marketplace) -> bool:
    """The morning comes once every account that is still in business has reached its evening; whether it has come."""
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
