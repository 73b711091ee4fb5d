"""A whole year at a glance: money day by day, what the calendar brought, and where the turns are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.metrics.solvency import daily_rows
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.board.views.calendar_view import Span


@dataclass(frozen=True, slots=True)
class Timeline:
    days: int
    start: str
    agent: str
    world: str
    rules: str
    ending: str | None
    reason: str
    bank: list[float]  # by day at 08:00, from the opening; the last one of a year that is over is final
    wallet: list[float]
    escrow: list[float]
    total: list[float]
    turns: list[int]  # by day: how many were over when it ended
    spans: list[Span]
    marks: list[dict[str, Any]]  # failure modes, with their day and turn


def timeline(snapshots: SeatSnapshots, modes: Sequence[dict[str, Any]], calendar: Sequence[Span]) -> Timeline:
    """With the failure modes and the part of the calendar that may be shown."""
    account, terms, end = snapshots.latest.account, snapshots.terms, snapshots.end
    rows = [row.books for row in daily_rows(account)]
    by_day = {row.day: row for row in rows}
    days = sorted(by_day)
    return Timeline(
        days=terms.days,
        start=snapshots.world.start.isoformat(),
        agent=terms.seats[snapshots.seat].agent,
        world=terms.world.name,
        rules=terms.rule_set,
        ending=end.ending if end else None,
        reason=end.reason if end else "",
        bank=[round(by_day[day].bank, 2) for day in days],
        wallet=[round(by_day[day].wallet, 2) for day in days],
        escrow=[round(by_day[day].escrow, 2) for day in days],
        total=[round(by_day[day].total, 2) for day in days],
        turns=[snapshots.last_turn_of(day) for day in days],
        spans=[*calendar, *_overdrawn([by_day[day].bank for day in days])],
        marks=list(modes),
    )


def _overdrawn(bank: Sequence[float]) -> list[Span]:
    spans, first = [], None
    for day, amount in enumerate([*bank, 0.0]):
        if amount < 0 and first is None:
            first = day
        elif amount >= 0 and first is not None:
            spans.append(Span("bank below zero", "overdrawn", first, day - 1))
            first = None
    return spans
