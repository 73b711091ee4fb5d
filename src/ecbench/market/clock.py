"""Simulated time: a working day from opening to closing, a settlement at every opening."""

from ecbench.market.calendar import ONE_DAY
from ecbench.market.settlement import settle
from ecbench.market.year import Market, Year, iso, open_year


def start_year(market: Market, *, days: int, stake: float) -> Year:
    """Day 0 begins without a settlement; what is announced before it counts as announced and is never shown."""
    year = open_year(market, days=days, stake=stake)
    announced = market.calendar.announced_on(year.date, market.rules.announce_days)
    year.books.announced.update([promotion.name for promotion in announced])
    return year


def spend(year: Year, minutes: int) -> None:
    """A timed tool advances the clock before it acts; once the working day is over, tomorrow begins."""
    if year.ending is None:
        year.minute += minutes
        if year.minute >= year.market.closing_minute:
            next_day(year)


def next_day(year: Year) -> None:
    if year.ending is not None:
        return
    year.date += ONE_DAY
    year.today = iso(year.date)
    year.minute = year.market.opening_minute
    settle(year)
