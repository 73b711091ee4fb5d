"""What the calendar holds on a date, against the definition of a promotion's windows."""

from datetime import date, timedelta

import pytest

from ecbench.market.calendar import Calendar, is_running, starts_within
from ecbench.world.model import World

DAYS = [date(2025, 12, 1) + timedelta(days=offset) for offset in range(800)]


@pytest.mark.parametrize("ahead", [0, 7, 30, 400])
def test_a_promotion_is_announced_while_it_runs_and_some_days_ahead(world: World, ahead: int) -> None:
    calendar = Calendar(world)
    for day in DAYS:
        expected = tuple(p for p in world.promotions if is_running(p, day) or starts_within(p, day, ahead))
        assert calendar.announced_on(day, ahead) == expected, day


def test_what_opens_on_a_date_was_not_announced_the_day_before(world: World) -> None:
    calendar = Calendar(world)
    for day in DAYS:
        before = calendar.announced_on(day - timedelta(days=1), 7)
        assert calendar.opening_on(day, 7) == tuple(p for p in calendar.announced_on(day, 7) if p not in before), day


def test_an_event_starts_once_a_year(world: World) -> None:
    calendar = Calendar(world)
    starts = [(day, event.name) for day in DAYS for event in calendar.starting_on(day)]
    for event in world.events:
        month, day = event.start
        assert [start for start, name in starts if name == event.name] == [
            date(year, month, day) for year in range(2025, 2029) if date(year, month, day) in DAYS
        ]
