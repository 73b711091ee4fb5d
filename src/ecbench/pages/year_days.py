"""The days of a year as every chart shows them: the money of a day, and spans of days that have a name."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

from ecbench.market.calendar import Calendar
from ecbench.world.model import World

Day = TypeVar("Day")


class Funds(NamedTuple):
    """Where the money was on a day: at the opening, in the morning, or when the year was over."""

    day: int
    bank: float
    wallet: float
    escrow: float

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow


@dataclass(frozen=True, slots=True)
class Span:
    """Days of the year, both included."""

    name: str
    kind: str  # event, promotion, overdrawn
    first: int
    last: int


def calendar_spans(world: World, days: int) -> list[Span]:
    """Every event and promotion of this number of days from the opening on."""
    calendar, dates = Calendar(world), [world.start + timedelta(days=day) for day in range(days)]
    events = _spans("event", dates, lambda date: (event.name for event in calendar.events_on(date)))
    sales = _spans("promotion", dates, lambda date: (sale.name for sale in calendar.announced_on(date, 0)))
    return events + sales


def overdrawn_spans(bank: Sequence[float]) -> list[Span]:
    """Mornings in a row on which the bank was below zero."""
    return _spans("overdrawn", bank, lambda amount: ["bank below zero"] if amount < 0 else [])


def chart_of(funds: Sequence[Any], days: int, world: World | None, calendar: Iterable[Span]) -> dict[str, Any]:
    """Money by day and the spans of a year, in the form that `components/static/year_chart.js` takes."""
    return {
        **{name: [round(getattr(row, name), 2) for row in funds] for name in ("total", "bank", "escrow", "wallet")},
        "days": days,
        "start": world.start.isoformat() if world else None,
        "spans": [*calendar, *overdrawn_spans([row.bank for row in funds])],
    }


def _spans(kind: str, days: Sequence[Day], names_on: Callable[[Day], Iterable[str]]) -> list[Span]:
    """Days in a row for which a name applies."""
    begun: dict[str, int] = {}
    spans = []
    for number, names in enumerate([*map(names_on, days), ()]):
        now = set(names)
        spans += [Span(name, kind, begun.pop(name), number - 1) for name in list(begun) if name not in now]
        begun |= dict.fromkeys(now - begun.keys(), number)
    return sorted(spans, key=lambda span: span.first)
