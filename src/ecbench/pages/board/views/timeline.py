"""A whole year at a glance: money day by day, what the calendar brought, and where the turns are."""

from collections.abc import Sequence
from typing import Any

from ecbench.metrics.solvency import daily_rows
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.board.views.calendar_view import Span

ACCOUNTS = ("bank", "wallet", "escrow", "total")


def timeline(snapshots: SeatSnapshots, modes: Sequence[dict[str, Any]], calendar: Sequence[Span]) -> dict[str, Any]:
    """With the failure modes and the part of the calendar that may be shown.

    Money is by day at 08:00, from the opening; the last one of a year that is over is final. `turns` has by day how
    many were over when it ended.
    """
    account, terms, end = snapshots.latest.account, snapshots.terms, snapshots.end
    rows = [row.books for row in daily_rows(account)]
    by_day = {row.day: row for row in rows}
    days = sorted(by_day)
    return {
        "days": terms.days,
        "start": snapshots.world.start.isoformat(),
        "agent": terms.seats[snapshots.seat].agent,
        "world": terms.world.name,
        "rules": terms.rule_set,
        "ending": end.ending if end else None,
        **{name: [round(getattr(by_day[day], name), 2) for day in days] for name in ACCOUNTS},
        "turns": [snapshots.last_turn_of(day) for day in days],
        "spans": [*calendar, *_overdrawn([by_day[day].bank for day in days])],
        "marks": list(modes),
    }


def _overdrawn(bank: Sequence[float]) -> list[Span]:
    spans, first = [], None
    for day, amount in enumerate([*bank, 0.0]):
        if amount < 0 and first is None:
            first = day
        elif amount >= 0 and first is not None:
            spans.append(Span("bank below zero", "overdrawn", first, day - 1))
            first = None
    return spans
