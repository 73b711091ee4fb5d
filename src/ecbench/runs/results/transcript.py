"""The calls of a year with their arguments and replies, and what happened on one of its days."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ecbench.errors import RunError
from ecbench.runs.results.year_tables import (
    CallRow,
    DayRow,
    OrderRow,
    ReturnRow,
    SaleRow,
    SessionRow,
    StoreRow,
    YearTables,
)
from ecbench.runs.results.year_view import YearView
from ecbench.tools.outcome import Outcome
from ecbench.world.model import Supplier, World


class RecordedCall(NamedTuple):
    """A call as the table of calls has it, and what it did."""

    row: CallRow
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        return {**self.row._asdict(), "arguments": self.outcome.call.get("arguments"), "reply": self.outcome.text}


def transcript(
    view: YearView, *, day: int | None = None, tool: str | None = None, supplier: Supplier | None = None
) -> Iterator[RecordedCall]:
    """In the order of the calls; those of a day, to a tool, or to a supplier."""
    address = supplier.email.lower() if supplier else ""
    made = (outcome for turn in view.turns() for outcome in turn.outcomes)
    for row, outcome in zip(view.tables.calls, made, strict=True):
        if day not in (None, row.day) or tool not in (None, row.tool):
            continue
        if address and not (row.tool == "chatbox" and address in str(outcome.call.get("arguments")).lower()):
            continue
        yield RecordedCall(row, outcome)


def supplier_called(world: World, name: str) -> Supplier:
    """By name, id or e-mail address, or by a part of the name that no other has."""
    wanted = name.lower()
    exact = [each for each in world.suppliers if wanted in (each.name.lower(), each.email.lower(), each.id.lower())]
    found = exact or [each for each in world.suppliers if wanted in each.name.lower()]
    if len(found) == 1:
        return found[0]
    if not found:
        known = "`ecbench show RUN --by supplier` lists those that were paid"
        raise RunError(f"no supplier of world {world.name} is called {name!r:.60}; {known}")
    some = ", ".join(each.name for each in found[:5])
    raise RunError(f"{len(found)} suppliers are called something like {name!r:.60}: {some}; give more of the name")


class DayView(NamedTuple):
    """What happened on a day. Its sales are found out the next morning, its returns arrived with its own."""

    books: DayRow
    stores: list[StoreRow]
    sales: list[SaleRow]
    returns: list[ReturnRow]
    orders: list[OrderRow]
    deliveries: list[OrderRow]  # taken in that morning
    sessions: list[SessionRow]  # concluded
    calls: dict[str, int]  # by tool

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, value in self._asdict().items():
            if isinstance(value, list):
                fields[name] = [_plain(row) for row in value]
            else:
                fields[name] = value if isinstance(value, dict) else _plain(value)
        return fields


def _plain(row: Any) -> dict[str, Any]:
    return {name: str(value) if hasattr(value, "isoformat") else value for name, value in row._asdict().items()}


def day_view(tables: YearTables, day: int) -> DayView:
    rows = [row for row in tables.days if row.day == day and row.row != "final"]
    if not rows:
        raise RunError(f"there is no day {day}; the days of this year are 0 to {tables.days[-1].day}")
    return DayView(
        books=rows[0],
        stores=[row for row in tables.stores if row.day == day],
        sales=[row for row in tables.sales if row.day == day],
        returns=[row for row in tables.returns if row.day == day],
        orders=[row for row in tables.orders if row.day == day],
        deliveries=[row for row in tables.orders if row.day_received == day],
        sessions=[row for row in tables.sessions if row.day_concluded == day],
        calls=dict(Counter(row.tool for row in tables.calls if row.day == day).most_common()),
    )
