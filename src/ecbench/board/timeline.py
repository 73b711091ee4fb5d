"""A whole year at a glance: money day by day, what the calendar brought, and where the turns are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from ecbench.board.snapshots import SeatSnapshots
from ecbench.market.calendar import Calendar
from ecbench.metrics.daily import daily_rows


@dataclass(frozen=True, slots=True)
class Span:
    """Days of the year, both included."""

    name: str
    kind: str  # event, promotion, overdrawn
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Timeline:
    days: int
    start: str
    agent: str
    world: str
    ending: str | None
    reason: str
    bank: list[float]  # by day, from the opening
    wallet: list[float]
    escrow: list[float]
    turns: list[int]  # by day: how many were over when it ended
    spans: list[Span]
    marks: list[dict[str, Any]]  # failure modes, with their day and turn


def timeline(snapshots: SeatSnapshots, modes: Sequence[dict[str, Any]]) -> Timeline:
    account, terms, end = snapshots.latest.account, snapshots.terms, snapshots.end
    rows = [row.books for row in daily_rows(account)]
    by_day = {row.day: row for row in rows}
    days = sorted(by_day)
    return Timeline(
        days=terms.days,
        start=snapshots.world.start.isoformat(),
        agent=terms.agent,
        world=terms.world,
        ending=end.ending if end else None,
        reason=end.reason if end else "",
        bank=[round(by_day[day].bank, 2) for day in days],
        wallet=[round(by_day[day].wallet, 2) for day in days],
        escrow=[round(by_day[day].escrow, 2) for day in days],
        turns=[snapshots.last_turn_of(day) for day in days],
        spans=[*_calendar_spans(snapshots), *_overdrawn([by_day[day].bank for day in days])],
        marks=list(modes),
    )


def _calendar_spans(snapshots: SeatSnapshots) -> list[Span]:
    calendar, start = snapshots.latest.account.economy.calendar, snapshots.world.start
    events = _runs(snapshots.terms.days, start, lambda day: [event.name for event in calendar.events_on(day)], "event")
    return events + _runs(snapshots.terms.days, start, lambda day: _promotions(calendar, day), "promotion")


def _promotions(calendar: Calendar, day: date) -> list[str]:
    return [promotion.name for promotion in calendar.announced_on(day, 0)]


def _runs(days: int, start: date, names_on: Any, kind: str) -> list[Span]:
    """Days in a row on which a name holds."""
    begun: dict[str, int] = {}
    spans = []
    for day in range(days + 1):
        now = set(names_on(start + timedelta(days=day))) if day < days else set()
        over = [name for name in begun if name not in now]
        spans += [Span(name, kind, begun.pop(name), day - 1) for name in over]
        for name in now:
            begun.setdefault(name, day)
    return sorted(spans, key=lambda span: span.first)


def _overdrawn(bank: Sequence[float]) -> list[Span]:
    spans, first = [], None
    for day, amount in enumerate([*bank, 0.0]):
        if amount < 0 and first is None:
            first = day
        elif amount >= 0 and first is not None:
            spans.append(Span("bank below zero", "overdrawn", first, day - 1))
            first = None
    return spans
