"""The marks of a year: days that lost more than this player usually loses, by the engine's value or by the account."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from statistics import median
from typing import Final

from ecbench.analysis.review.curve import SIGNS, Week, usual_of
from ecbench.analysis.review.recorded_year import Business
from ecbench.formatting import yuan
from ecbench.market.calendar import WEEK
from ecbench.metrics.losses.account import ABOVE_FLOOR, CAUSES, EMPTY_SHELF, FEES, SHORT_DELIVERY, STORAGE

SHARES: Final = ((1.0, "??"), (0.4, "?"), (0.15, "?!"))
"""From which share of a usual week's sales the losses beyond the usual are a blunder, a mistake, an inaccuracy."""
UNUSUAL_FROM: Final = 5.0  # standard deviations of the player's own weeks from which one of them is unusual
LEAST: Final = 0.04  # of a usual week's sales, however even the player's weeks are
REACH: Final = 4  # weeks to each side whose median is the level of sales at a time
STAKE_SHARE: Final = 0.05  # of what the player began with: the level of a business that sells less
CLOSING: Final = 28  # last days of a year, in which a shelf that is not filled again is not a mistake
LONGEST: Final = 28  # days that are marked; what continues for longer has become the player's usual
FOR_NOTHING: Final = (FEES, SHORT_DELIVERY)  # money that bought nothing: weighed against all money there was, if less
JUDGED: Final = tuple(cause.key for cause in CAUSES if cause.key != STORAGE)
CAUSES_NAMED: Final = 3  # beside a mark

DailyLosses = Mapping[str, Sequence[float]]
"""By cause: yuan on each day, from day 0 on."""
ValueLost = Callable[[int, int], Week | None]
"""What the engine's value lost from the last position before some days to the first one after them."""


@dataclass(frozen=True, slots=True)
class WeekMark:
    """Days that lost more than the player usually loses."""

    first_day: int
    last_day: int  # included
    sign: str
    counted: float  # yuan beyond the usual on these days: one cause, by the account
    later: Week | None = None  # what the engine's value lost by the end of the year; None without two positions
    by_value: bool = False  # whether the value alone would be marked
    until: int = 0  # the last day on which the account still stood out
    causes: Mapping[str, float] = field(default_factory=dict)  # yuan beyond the usual, the main one first

    @property
    def cost(self) -> float:
        """Yuan beyond the usual: by the engine where its value fell, else as counted."""
        return self.later.excess if self.later is not None and self.by_value else self.counted

    @property
    def certainty(self) -> str:
        """How sure the cost is, and what it includes, in words."""
        if self.later is None:
            return "counted on these days, as one cause alone"
        low, high = (yuan(max(0.0, self.later.excess + sign * self.later.band)) for sign in (-1, 1))
        if self.by_value:
            return f"with what followed by the end of the year, by the engine: 95% between {low} and {high}"
        return f"counted on these days; with what followed by the end of the year {low} to {high} (95%, by the engine)"

    def overlaps(self, first_day: int, last_day: int) -> bool:
        return self.first_day <= last_day and first_day <= self.last_day


def marks_of(
    weeks: Sequence[Week], losses: DailyLosses, business: Business, days: int, value_lost: ValueLost
) -> list[WeekMark]:
    """In the order of the year; what shares a day is one mark, with the gravest sign. `days` are those of a year."""
    unusual = unusual_losses(losses, business, days)
    found = [
        WeekMark(week.first_day, week.last_day, week.mark, 0.0, week, True, week.last_day)
        for week in weeks
        if week.mark
    ]
    for run in sorted(unusual, key=lambda run: -run.share):
        later = value_lost(run.first_day, run.last_day)
        found = _joined(found, WeekMark(run.first_day, run.last_day, run.mark, run.excess, later, until=run.until))
    return sorted((_explained(mark, unusual, losses) for mark in found), key=lambda mark: mark.first_day)


def _joined(marks: list[WeekMark], new: WeekMark) -> list[WeekMark]:
    for index, mark in enumerate(marks):
        if mark.overlaps(new.first_day, new.last_day):
            both = replace(
                mark,
                first_day=min(mark.first_day, new.first_day),
                last_day=max(mark.last_day, new.last_day),
                sign=min(mark.sign, new.sign, key=SIGNS.index),
                counted=max(mark.counted, new.counted),
                until=max(mark.until, new.until),
            )
            return [*marks[:index], both, *marks[index + 1 :]]
    return [*marks, new]


def _explained(mark: WeekMark, unusual: Sequence["Unusual"], losses: DailyLosses) -> WeekMark:
    """First the causes that are unusual in these days, then what else the account has for them beyond the median."""
    within = [run for run in unusual if mark.overlaps(run.first_day, run.last_day)]
    causes: dict[str, float] = {}
    for run in sorted(within, key=lambda run: -run.share):
        causes.setdefault(run.cause, run.excess)
    for cause, amount in beyond_usual(losses, mark.first_day, mark.last_day).items():
        causes.setdefault(cause, amount)
    return replace(mark, causes=dict(list(causes.items())[:CAUSES_NAMED]))


def beyond_usual(losses: DailyLosses, first_day: int, last_day: int) -> dict[str, float]:
    """By cause: yuan lost on these days beyond the median of as many other days of the year, most first."""
    length, beyond = last_day - first_day + 1, {}
    for cause, daily in losses.items():
        spans = [sum(daily[day : day + length]) for day in range(0, len(daily), length)]
        beyond[cause] = sum(daily[first_day : last_day + 1]) - median(spans)
    return {cause: beyond[cause] for cause in sorted(beyond, key=lambda cause: -beyond[cause]) if beyond[cause] > 0}


@dataclass(frozen=True, slots=True)
class Unusual:
    """Weeks in a row in which one cause took more than usual."""

    cause: str
    first_day: int
    last_day: int  # included; of the weeks that are marked
    until: int  # the last day on which it still was unusual
    excess: float  # yuan beyond the usual, up to then
    share: float  # of a usual week's sales

    @property
    def mark(self) -> str:
        return next((sign for share, sign in SHARES if self.share >= share), "")


def unusual_losses(losses: DailyLosses, business: Business, days: int) -> list[Unusual]:
    """The losses that deserve a mark, by day."""
    if not business.sales:
        return []
    sold, money = _level(business), business.assets[::WEEK]
    owned = [min(level, max(STAKE_SHARE * business.assets[0], has)) for level, has in zip(sold, money)]
    found = []
    for cause in JUDGED:
        level = owned if cause in FOR_NOTHING else sold
        weekly = _by_week(_daily(losses, cause, len(business.sales), days))
        found += _runs(cause, weekly, _usual_losses(cause, weekly, level, business), level)
    return sorted((run for run in found if run.mark), key=lambda run: (run.first_day, -run.excess))


def _level(business: Business) -> list[float]:
    """What a week usually sells at that time, and at least as much as the middle week of the year."""
    weekly = _by_week(business.sales)
    least = max(median(weekly), STAKE_SHARE * business.assets[0])
    levels = (median(weekly[max(0, week - REACH) : week + REACH + 1]) for week in range(len(weekly)))
    return [max(least, each) for each in levels]


def _by_week(daily: Sequence[float]) -> list[float]:
    """Sums of seven days each; the last week may be shorter."""
    return [sum(daily[day : day + WEEK]) for day in range(0, len(daily), WEEK)]


def _daily(losses: DailyLosses, cause: str, played: int, days: int) -> list[float]:
    """What a cause took on each day that was played; shelves may empty in the last days."""
    daily = [0.0] * played
    for day, lost in enumerate(losses.get(cause, ())):
        if cause != EMPTY_SHELF or day < days - CLOSING:
            daily[min(day, played - 1)] += lost
    return daily


def _usual_losses(cause: str, weekly: list[float], level: list[float], business: Business) -> list[float]:
    """A share of the level of sales; of what was bought, for prices paid."""
    base = _by_week(business.bought) if cause == ABOVE_FLOOR else level
    rates = [lost / amount for lost, amount in zip(weekly, base) if amount > 0]
    rate = usual_of(rates).rate if rates else 0.0
    return [rate * amount for amount in base]


def _runs(cause: str, weekly: list[float], usual: list[float], level: list[float]) -> list[Unusual]:
    beyond = [(lost - expected) / each for lost, expected, each in zip(weekly, usual, level)]
    spread = usual_of(beyond).spread
    found = []
    for unusual, run in groupby(range(len(beyond)), key=lambda week: beyond[week] > max(LEAST, UNUSUAL_FROM * spread)):
        weeks = list(run)
        if unusual:
            first, end = weeks[0] * WEEK, (weeks[-1] + 1) * WEEK
            excess, share = sum(weekly[week] - usual[week] for week in weeks), sum(beyond[week] for week in weeks)
            found.append(Unusual(cause, first, min(end, first + LONGEST) - 1, end - 1, excess, share))
    return found
