"""The year's events and promotions by date. Month-days recur every year and are cut at its end."""

from calendar import isleap
from datetime import date, timedelta
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple, TypeVar

from ecbench.world.fields import MonthDay
from ecbench.world.model import Event, Promotion, World

ONE_DAY: Final = timedelta(days=1)
WEEK = 7  # days
T = TypeVar("T")


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


class Calendar:
    """Events and promotions by date, cached."""

    def __init__(self, world: World) -> None:
        self._events = world.events
        self._promotions = world.promotions
        # By year, or by (year, days ahead), and then by date ordinal.
        self._active: dict[int, dict[int, tuple[Event, ...]]] = {}
        self._announced: dict[tuple[int, int], dict[int, tuple[Promotion, ...]]] = {}
        self._starting: dict[date, tuple[Event, ...]] = {}
        self._opening: dict[tuple[date, int], tuple[Promotion, ...]] = {}
        self._delays: dict[tuple[str, date], float | None] = {}

    def events_on(self, day: date) -> tuple[Event, ...]:
        active = self._active.get(day.year)
        if active is None:
            spans = [(event, *event_window(event, day.year)) for event in self._events]
            active = self._active[day.year] = _by_day([(e, a.toordinal(), b.toordinal()) for e, a, b in spans])
        return active.get(day.toordinal(), ())

    def starting_on(self, day: date) -> tuple[Event, ...]:
        starting = self._starting.get(day)
        if starting is None:
            before = self.events_on(day - ONE_DAY)
            starting = tuple([event for event in self.events_on(day) if event not in before])
            self._starting[day] = starting
        return starting

    def opening_on(self, day: date, ahead: int) -> tuple[Promotion, ...]:
        """Promotions that are announced on a date and were not the day before."""
        opening = self._opening.get((day, ahead))
        if opening is None:
            before = self.announced_on(day - ONE_DAY, ahead)
            opening = tuple([promotion for promotion in self.announced_on(day, ahead) if promotion not in before])
            self._opening[day, ahead] = opening
        return opening

    def announced_on(self, day: date, ahead: int) -> tuple[Promotion, ...]:
        """Promotions that run on a date or start within the days ahead, next January's included."""
        announced = self._announced.get((day.year, ahead))
        if announced is None:
            new_year = date(day.year, 1, 1).toordinal()
            announced = self._announced[day.year, ahead] = _by_day(
                [
                    (promotion, max(new_year, window.first.toordinal() - ahead), window.last.toordinal())
                    for promotion in self._promotions
                    for year in (day.year, day.year + 1)
                    for window in promotion_windows(promotion, year)
                ]
            )
        return announced.get(day.toordinal(), ())

    def demand_factor(self, store_type: str, day: date) -> float:
        """Active events compound."""
        return prod([event.demand.get(store_type, 1.0) for event in self.events_on(day)], start=1.0)

    def delay_factor(self, store_type: str, day: date) -> float | None:
        """Only the largest active delay applies; None if none does."""
        key = (store_type, day)
        if key not in self._delays:
            delays = [event.delay for event in self.events_on(day) if event.delays(store_type)]
            self._delays[key] = max(delays, default=None)
        return self._delays[key]


def _by_day(spans: list[tuple[T, int, int]]) -> dict[int, tuple[T, ...]]:
    """What each day contains, in the order given. A span has a first and a last date ordinal; overlapping spans of one
    thing, which follow each other, count once."""
    days: dict[int, tuple[T, ...]] = {}
    for thing, first, last in spans:
        for day in range(first, last + 1):
            held = days.get(day, ())
            if not held or held[-1] is not thing:
                days[day] = (*held, thing)
    return days
