"""Events and promotions of a year: all of them, or those of which its agent has had news."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from ecbench.market.marketplace import Account
from ecbench.pages.board.snapshots import SeatSnapshots


@dataclass(frozen=True, slots=True)
class Span:
    """Days of the year, both included."""

    name: str
    kind: str  # event, promotion, overdrawn
    first: int
    last: int


def whole_calendar(snapshots: SeatSnapshots) -> list[Span]:
    """Every event and promotion of the year, from its first day to its last."""
    calendar, start, days = snapshots.latest.account.economy.calendar, snapshots.world.start, snapshots.terms.days
    events = _runs(days, start, lambda day: [event.name for event in calendar.events_on(day)], "event")
    sales = _runs(days, start, lambda day: [promotion.name for promotion in calendar.announced_on(day, 0)], "promotion")
    return events + sales


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


def _runs(days: int, start: date, names_on: Callable[[date], list[str]], kind: str) -> list[Span]:
    """Days in a row for which a name applies."""
    begun: dict[str, int] = {}
    spans = []
    for day in range(days + 1):
        now = set(names_on(start + timedelta(days=day))) if day < days else set()
        over = [name for name in begun if name not in now]
        spans += [Span(name, kind, begun.pop(name), day - 1) for name in over]
        for name in now:
            begun.setdefault(name, day)
    return sorted(spans, key=lambda span: span.first)
