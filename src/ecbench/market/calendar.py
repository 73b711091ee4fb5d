"""The year's events and promotions by date. Month-days recur every year and are cut at its end."""

from calendar import isleap
from datetime import date, timedelta
from functools import lru_cache
from math import prod
from typing import NamedTuple

from ecbench.world.model import Event, MonthDay, Promotion, World

ONE_DAY = timedelta(days=1)


class Window(NamedTuple):
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
def promotion_windows(promotion: Promotion, year: int) -> tuple[Window, ...]:
    windows = []
    for start, end in promotion.windows:
        first, last = _on(year, start), _on(year, end)
        windows.append(Window(first, last if last >= first else date(year, 12, 31)))
    return tuple(windows)


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
    """What the calendar holds on a date, computed once per date and store type."""

    def __init__(self, world: World) -> None:
        self._events = world.events
        self._promotions = world.promotions
        self._announced: dict[tuple[date, int], tuple[Promotion, ...]] = {}
        self._windows: dict[int, list[tuple[Event, Window]]] = {}
        self._active: dict[date, tuple[Event, ...]] = {}
        self._demand: dict[tuple[str, date], float] = {}

    def events_on(self, day: date) -> tuple[Event, ...]:
        active = self._active.get(day)
        if active is None:
            if day.year not in self._windows:
                self._windows[day.year] = [(event, _event_window(event, day.year)) for event in self._events]
            active = tuple(event for event, window in self._windows[day.year] if window.holds(day))
            self._active[day] = active
        return active

    def starting_on(self, day: date) -> tuple[Event, ...]:
        active = self.events_on(day)
        if not active:
            return ()
        before = self.events_on(day - ONE_DAY)
        return tuple(event for event in active if event not in before)

    def announced_on(self, day: date, ahead: int) -> tuple[Promotion, ...]:
        """Promotions that run on a date or start within the days ahead."""
        known = self._announced.get((day, ahead))
        if known is None:
            known = tuple(p for p in self._promotions if is_running(p, day) or starts_within(p, day, ahead))
            self._announced[day, ahead] = known
        return known

    def demand_factor(self, store_type: str, day: date) -> float:
        """Active events compound."""
        factor = self._demand.get((store_type, day))
        if factor is None:
            factor = prod(event.demand.get(store_type, 1.0) for event in self.events_on(day))
            self._demand[store_type, day] = factor
        return factor

    def delay_factor(self, store_type: str, day: date) -> float | None:
        """Only the largest active delay applies; None where none does."""
        if not self.events_on(day):
            return None
        return max((e.delay for e in self.events_on(day) if e.delays(store_type)), default=None)


def _event_window(event: Event, year: int) -> Window:
    first = _on(year, event.start)
    return Window(first, min(first + (event.days - 1) * ONE_DAY, date(year, 12, 31)))
