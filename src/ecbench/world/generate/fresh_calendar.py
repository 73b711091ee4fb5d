"""A fresh year of events and promotions, within the ranges the published calendar spans (tab:asymmetry)."""

from functools import cache
from random import Random
from typing import NamedTuple

from ecbench.formatting import SHORT_MONTHS
from ecbench.world.fields import MonthDay
from ecbench.world.generate.sources import EVENTS, PROMOTIONS, rows, stream, words
from ecbench.world.model import Event, Promotion

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
YEAR_DAYS = sum(MONTH_DAYS)

_MULTIPLIERS = [factor for event in EVENTS for factor in event.demand.values()]
RISE_RANGE = (1.5, max(_MULTIPLIERS))  # the news of every kind speaks of a marked rise
FALL_RANGE = (min(_MULTIPLIERS), max(f for f in _MULTIPLIERS if f < 1))
_DELAYS = [event.delay for event in EVENTS if event.delay > 1]
DELAY_RANGE = (min(_DELAYS), max(_DELAYS))
EVENT_DAYS = (min(event.days for event in EVENTS), max(event.days for event in EVENTS))

DEMAND_RANGE = (min(p.max_demand for p in PROMOTIONS), max(p.max_demand for p in PROMOTIONS))
# Larger promotions make shoppers more sensitive to price, as in the published calendar.
BOOST_STEPS = ((2.25, 1.5), (2.75, 1.8), (float("inf"), 2.0))
# Lengths of the windows of each promotion, and the days between them.
WINDOW_LENGTHS = ((7,), (9,), (5,), (3, 5), (3,), (8,), (2, 2, 15), (7,))
WINDOW_GAPS = (3, 9)


class EventKind(NamedTuple):
    """A kind of event that fresh worlds draw from."""

    name: str
    months: tuple[int, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    delayed: frozenset[str] | None  # store types; None: all of them
    news: str


@cache
def event_kinds() -> tuple[EventKind, ...]:
    """Every kind, in the order of `data/event_kinds.csv`. There, `all` means that every store type is delayed."""
    return tuple(
        EventKind(
            name,
            tuple(map(int, words(months))),
            words(more),
            words(less),
            None if delayed == "all" else frozenset(words(delayed)),
            news,
        )
        for name, months, more, less, delayed, news in rows("event_kinds.csv")
    )


def fresh_events(seed: int) -> tuple[Event, ...]:
    """Ten kinds of events at dates that suit them; no two on the same day."""
    rng = stream(seed, "events")
    while True:
        kinds = rng.sample(event_kinds(), len(EVENTS))
        events = sorted((_draw_event(rng, kind) for kind in kinds), key=lambda event: event.start)
        ends = [day_of_year(event.start) + event.days for event in events]
        starts = [day_of_year(event.start) for event in events]
        apart = all(end <= start for end, start in zip(ends, starts[1:], strict=False))
        if apart and ends[-1] <= YEAR_DAYS:
            return tuple(events)


def fresh_promotions(seed: int) -> tuple[Promotion, ...]:
    """One promotion in each eighth of the year, with a name that suits it, so that windows never overlap."""
    rng, names = stream(seed, "promotions"), [words(cell) for [cell] in rows("promotion_names.csv")]
    lengths = list(WINDOW_LENGTHS)
    rng.shuffle(lengths)
    eighth = YEAR_DAYS // len(names)
    return tuple(
        _draw_promotion(rng, rng.choice(suited), part * eighth, eighth, lengths[part])
        for part, suited in enumerate(names)
    )


def day_of_year(date: MonthDay) -> int:
    """0 on 1 January of a year that is not a leap year."""
    month, day = date
    return sum(MONTH_DAYS[: month - 1]) + day - 1


def month_day(day: int) -> MonthDay:
    for month, length in enumerate(MONTH_DAYS, start=1):
        if day < length:
            return MonthDay(month, day + 1)
        day -= length
    raise ValueError(f"a year has {YEAR_DAYS} days; {day} more were asked for")


def _draw_event(rng: Random, kind: EventKind) -> Event:
    month = rng.choice(kind.months)
    rises = {store_type: round(rng.uniform(*RISE_RANGE), 1) for store_type in kind.more}
    falls = {store_type: round(rng.uniform(*FALL_RANGE), 1) for store_type in kind.less}
    slows = kind.delayed is None or bool(kind.delayed)
    start, days = MonthDay(month, rng.randint(1, MONTH_DAYS[month - 1])), rng.randint(*EVENT_DAYS)
    delay = round(rng.uniform(*DELAY_RANGE), 1) if slows else 1.0
    return Event(
        name=kind.name,
        start=start,
        days=days,
        demand=rises | falls,
        delay=delay,
        delayed=kind.delayed,
        news=kind.news.format(window=_window(start, days), delay=f"{delay:g}"),
    )


def _window(start: MonthDay, days: int) -> str:
    """The first and the last day, as in "Sep 15 to 17"; one that runs past the year's end is drawn again."""
    month, day = start
    last_month, last_day = month_day(min(day_of_year(start) + days, YEAR_DAYS) - 1)
    last = f"{last_day}" if last_month == month else f"{SHORT_MONTHS[last_month - 1]} {last_day}"
    return f"{SHORT_MONTHS[month - 1]} {day} to {last}"


def _draw_promotion(rng: Random, name: str, first: int, room: int, lengths: tuple[int, ...]) -> Promotion:
    gaps = [rng.randint(*WINDOW_GAPS) for _ in lengths[1:]]
    start = first + rng.randint(0, room - sum(lengths) - sum(gaps))
    windows = []
    for length, gap in zip(lengths, (*gaps, 0), strict=True):
        windows.append((month_day(start), month_day(start + length - 1)))
        start += length + gap
    demand = round(rng.uniform(*DEMAND_RANGE), 1)
    boost = next(boost for below, boost in BOOST_STEPS if demand < below)
    return Promotion(name, tuple(windows), demand, boost)
