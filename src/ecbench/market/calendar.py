"""The year's events and promotions by date. Month-days recur every year and are cut at its end."""

from calendar import isleap
from datetime import date, timedelta
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

from ecbench.market.cache import FunctionCache
from ecbench.world.fields import MonthDay
from ecbench.world.model import Event, Promotion, World

ONE_DAY: Final = timedelta(days=1)
WEEK = 7  # days
CACHED_DAYS = 4_096


class DateWindow(NamedTuple):
    """A first and a last date, both included."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


def _on(year: int, month_day: MonthDay) -> date:
    month, day = month_day
    if (month, day) == (2, 29) and not isleap(year):
        return date(year, 2, 28)
    return date(year, month, day)


@lru_cache(maxsize=4096)
def promotion_windows(promotion: Promotion, year: int) -> tuple[DateWindow, ...]:
    windows = []
    for start, end in promotion.windows:
        first, last = _on(year, start), _on(year, end)
        windows.append(DateWindow(first, last if last >= first else date(year, 12, 31)))
    return tuple(windows)


def event_window(event: Event, year: int) -> DateWindow:
    first = _on(year, event.start)
    return DateWindow(first, min(first + (event.days - 1) * ONE_DAY, date(year, 12, 31)))


@lru_cache(maxsize=65536)
def is_running(promotion: Promotion, day: date) -> bool:
    return any(window.holds(day) for window in promotion_windows(promotion, day.year))


@lru_cache(maxsize=65536)
def starts_within(promotion: Promotion, day: date, days: int) -> bool:
    """Whether one of its windows opens today or in the coming days, next January's included."""
    return any(
        0 <= (window.first - day).days <= days
        for year in (day.year, day.year + 1)
        for window in promotion_windows(promotion, year)
    )


def is_over(promotion: Promotion, day: date) -> bool:
    """Whether every window of this calendar year has ended."""
    return all(window.last < day for window in promotion_windows(promotion, day.year))


PromotionCache = FunctionCache[tuple[date, int], tuple[Promotion, ...]]
"""By date and days ahead."""


class Calendar:
    """Events and promotions by date, cached."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._active: FunctionCache[date, tuple[Event, ...]] = FunctionCache(self._find_active, CACHED_DAYS)
        self._starting: FunctionCache[date, tuple[Event, ...]] = FunctionCache(self._find_starting, CACHED_DAYS)
        self._announced: PromotionCache = FunctionCache(self._find_announced, CACHED_DAYS)
        self._opening: PromotionCache = FunctionCache(self._find_opening, CACHED_DAYS)

    def events_on(self, day: date) -> tuple[Event, ...]:
        return self._active[day]

    def starting_on(self, day: date) -> tuple[Event, ...]:
        """Events whose first day this is."""
        return self._starting[day]

    def announced_on(self, day: date, ahead: int) -> tuple[Promotion, ...]:
        """Promotions that run on a date or start within the days ahead, next January's included."""
        return self._announced[day, ahead]

    def opening_on(self, day: date, ahead: int) -> tuple[Promotion, ...]:
        """Promotions that are announced on a date and were not the day before."""
        return self._opening[day, ahead]

    def demand_factor(self, store_type: str, day: date) -> float:
        """Active events compound."""
        return prod([event.demand.get(store_type, 1.0) for event in self._active[day]], start=1.0)

    def delay_factor(self, store_type: str, day: date) -> float | None:
        """Only the largest active delay applies; None if none does."""
        return max([event.delay for event in self._active[day] if event.delays(store_type)], default=None)

    def _find_active(self, day: date) -> tuple[Event, ...]:
        return tuple([event for event in self._world.events if event_window(event, day.year).holds(day)])

    def _find_starting(self, day: date) -> tuple[Event, ...]:
        return tuple([event for event in self._active[day] if event not in self._active[day - ONE_DAY]])

    def _find_opening(self, key: tuple[date, int]) -> tuple[Promotion, ...]:
        day, ahead = key
        before = self._announced[day - ONE_DAY, ahead]
        return tuple([promotion for promotion in self._announced[key] if promotion not in before])

    def _find_announced(self, key: tuple[date, int]) -> tuple[Promotion, ...]:
        day, ahead = key
        return tuple(
            [each for each in self._world.promotions if is_running(each, day) or starts_within(each, day, ahead)]
        )
