"""What the calendar holds on a date, against the definition of a promotion's windows."""

from datetime import date, timedelta

from ecbench.market.calendar import Calendar, is_over, is_running, starts_within
from ecbench.world.fields import MonthDay
from ecbench.world.model import Promotion, World

DAYS = [date(2025, 12, 1) + timedelta(days=offset) for offset in range(800)]


def test_a_promotion_opens_a_week_ahead_across_new_year_too(world: World) -> None:
    calendar = Calendar(world)
    opened = [(day, promotion.name) for day in DAYS for promotion in calendar.opening_on(day, 7)]
    assert opened == [
        (date(2025, 12, 25), "First Days"),
        (date(2026, 2, 25), "Spring Days"),
        (date(2026, 12, 25), "First Days"),
        (date(2027, 2, 25), "Spring Days"),
        (date(2027, 12, 25), "First Days"),
    ]


def test_an_event_starts_once_a_year(world: World) -> None:
    calendar = Calendar(world)
    starts = [(day, event.name) for day in DAYS for event in calendar.starting_on(day)]
    for event in world.events:
        month, day = event.start
        assert [start for start, name in starts if name == event.name] == [
            date(year, month, day) for year in range(2025, 2029) if date(year, month, day) in DAYS
        ]


def test_a_window_that_would_end_before_it_begins_runs_to_the_end_of_the_year() -> None:
    holidays = Promotion("Holidays", ((MonthDay(12, 20), MonthDay(1, 5)),), 2.0, 1.5)
    running = [day for day in DAYS if is_running(holidays, day)]
    expected = [day for day in DAYS if day.month == 12 and day.day >= 20]
    assert running == expected
    assert not is_over(holidays, date(2026, 12, 31))


def test_a_leap_day_falls_on_the_day_before_in_other_years() -> None:
    leap = Promotion("Leap", ((MonthDay(2, 29), MonthDay(2, 29)),), 2.0, 1.5)
    found = [day for day in (date(2027, 2, 28), date(2028, 2, 28), date(2028, 2, 29)) if is_running(leap, day)]
    assert found == [date(2027, 2, 28), date(2028, 2, 29)]


def test_a_promotion_is_over_the_day_after_its_last_window_of_the_year(world: World) -> None:
    first_days = world.promotions[1]
    assert not is_over(first_days, date(2026, 1, 7))
    assert is_over(first_days, date(2026, 1, 8))
    assert starts_within(first_days, date(2026, 1, 1), 0)
    assert not starts_within(first_days, date(2026, 1, 2), 300)
    assert starts_within(first_days, date(2026, 12, 20), 30)
    assert not starts_within(first_days, date(2026, 11, 20), 30)


def test_events_are_cut_at_the_end_of_the_year(world: World) -> None:
    active = [day for day in (date(2026, 12, 31), date(2027, 1, 1)) if Calendar(world).events_on(day)]
    assert active == [date(2026, 12, 31)]
