"""A whole year at a glance: money day by day, the calendar as it may be shown, and where the turns are."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.solvency import daily_rows
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.year_days import Span, chart_of
from ecbench.runs.play.agents import short_name


def news_of_calendar(account: Account) -> list[Span]:
    """What mornings have posted so far, on the day of its news: neither how long it lasts nor when a promotion begins.

    What held on the opening day is never posted.
    """
    calendar, today, ahead = account.economy.calendar, account.market.day, account.rules.announce_days
    start = account.market.date - timedelta(days=today)
    known = {promotion.name for promotion in calendar.announced_on(start, ahead)}
    spans = []
    for day in range(1, today + 1):
        then = start + timedelta(days=day)
        spans += [Span(event.name, "event", day, day) for event in calendar.starting_on(then)]
        new = [sale.name for sale in calendar.opening_on(then, ahead) if sale.name not in known]
        spans += [Span(name, "promotion", day, day) for name in new]
        known.update(new)
    return spans


ACCOUNTS = ("bank", "wallet", "escrow", "total")


def timeline(snapshots: SeatSnapshots, calendar: Sequence[Span]) -> dict[str, Any]:
    """With the part of the calendar that may be shown.

    Money is by day at 08:00, from the opening; the last one of a year that is over is final. `turns` has by day how
    many were over when it ended.
    """
    account, terms, end = snapshots.latest.account, snapshots.terms, snapshots.end
    by_day = {row.books.day: row.books for row in daily_rows(account)}
    days = sorted(by_day)
    return {
        **chart_of([by_day[day] for day in days], terms.days, snapshots.world, calendar),
        "agent": short_name(terms.seats[snapshots.seat].agent),
        "world": terms.world.name,
        "rules": terms.rule_set,
        "ending": end.ending if end else None,
        "turns": [snapshots.last_turn_of(day) for day in days],
    }
