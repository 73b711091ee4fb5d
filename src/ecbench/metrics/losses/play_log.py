"""When in the play what happened: the turns in which mornings, purchases, sessions and shipments came about."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

QUERIES = ("supplier_search", "list_products")  # the searches that the paper counts


class Mark(NamedTuple):
    """How far the books had come after a turn: the day, and how many mornings, orders, sessions and shipments."""

    day: int
    mornings: int
    orders: int
    sessions: int
    shipments: int = 0


class Query(NamedTuple):
    """A search that an agent made: when, and for what."""

    turn: int
    day: int
    tool: str
    arguments: str  # as JSON, keys in order


@dataclass(slots=True)
class PlayLog:
    """Turns count from 1. Empty where only the books are known."""

    marks: list[Mark] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)

    def turn_of(self, number: int, reached: Callable[[Mark], int]) -> int | None:
        """The turn that brought the count to `number`; None where no turn did."""
        place = bisect_left(self.marks, number, key=reached)
        return place + 1 if place < len(self.marks) else None

    def turn_of_day(self, day: int) -> int | None:
        """The turn during which this morning came."""
        return self.turn_of(day, lambda mark: mark.mornings) if day else None

    def turn_of_order(self, number: int) -> int | None:
        return self.turn_of(number, lambda mark: mark.orders)

    def turn_of_session(self, number: int) -> int | None:
        return self.turn_of(number, lambda mark: mark.sessions)

    def turn_of_shipment(self, number: int) -> int | None:
        """Of the shipment that was the `number`-th to be sent."""
        return self.turn_of(number, lambda mark: mark.shipments)
