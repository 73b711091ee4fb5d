"""Weeks whose bill stands out from the player's other weeks: what was lost beyond the usual, and to which cause.

The bill is exact and at the player's own scale. So a mistake of a small business shows here, while the engine's value
of the position, which is mostly what the engine would make of it, hardly moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Final

from ecbench.market.calendar import WEEK
from ecbench.review.bill.causes import ABOVE_FLOOR, CAUSES, EMPTY_SHELF, FEES, SHORT_DELIVERY, STORAGE
from ecbench.review.bill.charges import Bill
from ecbench.review.business import Business, around, by_week
from ecbench.review.usual import usual_of

SHARES: Final = ((1.0, "??"), (0.4, "?"), (0.15, "?!"))
"""From which share of a usual week's sales the charges beyond the usual are a blunder, a mistake, an inaccuracy."""
UNUSUAL_FROM: Final = 5.0  # standard deviations of the player's own weeks from which one of them is unusual
LEAST: Final = 0.04  # of a usual week's sales, however even the player's weeks are
REACH: Final = 4  # weeks to each side whose median is the level of sales at a time
STAKE_SHARE: Final = 0.05  # of what the player began with: the level of a business that sells less
CLOSING: Final = 28  # last days of a year, in which a shelf that is not filled again is no mistake
LONGEST: Final = 28  # days that are marked; what goes on for longer has become the player's usual
FOR_NOTHING: Final = (FEES, SHORT_DELIVERY)  # money that bought nothing: weighed against all money there was, if less
JUDGED: Final = tuple(cause.key for cause in CAUSES if not cause.beside and cause.key != STORAGE)


@dataclass(frozen=True, slots=True)
class Unusual:
    """Weeks in a row in which one cause was charged more than usual."""

    cause: str
    first_day: int
    last_day: int  # included; of the weeks that are marked
    until: int  # the last day on which it still was unusual
    excess: float  # yuan beyond the usual, up to then
    share: float  # of a usual week's sales
    usual: float  # yuan in as many weeks

    @property
    def mark(self) -> str:
        return next((sign for share, sign in SHARES if self.share >= share), "")


def unusual_charges(bill: Bill, business: Business, days: int) -> list[Unusual]:
    """Those that deserve a mark, by day; `days` are those of a whole year."""
    if not business.sales:
        return []
    sold = _level(business)
    owned = [min(level, max(STAKE_SHARE * business.assets[0], money)) for level, money in zip(sold, _money(business))]
    found = []
    for cause in JUDGED:
        level, weekly = owned if cause in FOR_NOTHING else sold, by_week(_daily(bill, cause, len(business.sales), days))
        found += _runs(cause, weekly, _usual_charges(cause, weekly, level, business), level)
    return sorted((run for run in found if run.mark), key=lambda run: (run.first_day, -run.excess))


def _level(business: Business) -> list[float]:
    """What a week usually sells at that time, and at least as much as the middle week of the year."""
    weekly = by_week(business.sales)
    least = max(median(weekly), STAKE_SHARE * business.assets[0])
    return [max(least, each) for each in around(weekly, REACH)]


def _money(business: Business) -> Sequence[float]:
    """On the first evening of each week."""
    return business.assets[::WEEK]


def _daily(bill: Bill, cause: str, played: int, days: int) -> list[float]:
    """What a cause was charged each day, without the part that another cause explains."""
    explaining = [other.key for other in CAUSES if other.explains == cause]
    daily = [0.0] * played
    for day, charged in bill.by_day.items():
        explained = sum(charged.get(other, 0.0) for other in explaining)
        if cause != EMPTY_SHELF or day < days - CLOSING:
            daily[min(day, played - 1)] += max(0.0, charged.get(cause, 0.0) - explained)
    return daily


def _usual_charges(cause: str, weekly: list[float], level: list[float], business: Business) -> list[float]:
    """A share of the level of sales; of what was bought, for prices."""
    base = by_week(business.bought) if cause == ABOVE_FLOOR else level
    rates = [charged / amount for charged, amount in zip(weekly, base) if amount > 0]
    rate = usual_of(rates).rate if rates else 0.0
    return [rate * amount for amount in base]


def _runs(cause: str, weekly: list[float], usual: list[float], level: list[float]) -> list[Unusual]:
    beyond = [(charged - expected) / each for charged, expected, each in zip(weekly, usual, level)]
    spread = usual_of(beyond).spread
    found = []
    for unusual, run in groupby(range(len(beyond)), key=lambda week: beyond[week] > max(LEAST, UNUSUAL_FROM * spread)):
        weeks = list(run)
        if unusual:
            first, end = weeks[0] * WEEK, (weeks[-1] + 1) * WEEK
            found.append(
                Unusual(
                    cause,
                    first,
                    min(end, first + LONGEST) - 1,
                    end - 1,
                    sum(weekly[week] - usual[week] for week in weeks),
                    sum(beyond[week] for week in weeks),
                    sum(usual[week] for week in weeks),
                )
            )
    return found
