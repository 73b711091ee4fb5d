"""The account of losses: its causes, when each came about, and sums of its rows (docs/understand.md)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import fsum
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from msgspec import convert

from ecbench.metrics.labels import packaged_rows

ABOVE_FLOOR: Final = "above_floor"
FEES: Final = "fees"
SHORT_DELIVERY: Final = "short_delivery"
DEFECTIVE: Final = "defective"
UNSOLD: Final = "unsold"
EMPTY_SHELF: Final = "empty_shelf"
PRICE: Final = "price"
CANCELLED: Final = "cancelled"
FREIGHT: Final = "freight"
STORAGE: Final = "storage"
NO_STORE: Final = "no_store"


@dataclass(frozen=True, slots=True)
class Cause:
    """One way to lose money: paid ones share no yuan, so they have a sum; missed ones may overlap."""

    key: str
    title: str
    meaning: str
    kind: Literal["paid", "missed"]

    @property
    def paid(self) -> bool:
        return self.kind == "paid"


CAUSES: Final = tuple(convert(row, Cause) for row in packaged_rows("causes"))
"""In the order of a merchant's work: buying, selling, shipping, running the business."""

CAUSE_BY_KEY: Final = {cause.key: cause for cause in CAUSES}

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

    def turn_of(self, counted: Literal["mornings", "orders", "sessions", "shipments"], number: int) -> int | None:
        """The turn in which there were `number` of them at first; None where no turn brought it about."""
        index = bisect_left(self.marks, number, key=attrgetter(counted))
        return index + 1 if number and index < len(self.marks) else None


MORNING = (STORAGE, NO_STORE, CANCELLED, DEFECTIVE)  # lost on the morning of their day; the rest during the day
DIGITS = 4  # of an amount, behind the point: a hundredth of a cent


class Loss(NamedTuple):
    """What one cause took on one day, for one subject."""

    day: int
    cause: str
    amount: float  # yuan, at least 0
    store: str | None = None
    sku: str | None = None
    supplier: str | None = None
    units: int = 0
    order: int | None = None  # the number of the purchase order
    turn: int | None = None  # that brought it about; None where only the books are known


class Evening(NamedTuple):
    """The business at the end of a day, before its sales."""

    day: int
    bank: float
    wallet: float
    store_types: tuple[str, ...]  # of the open stores
    listings: int  # with units on a shelf


def summed(losses: Iterable[Loss], log: PlayLog) -> list[Loss]:
    """Losses by day and in the order of the causes, each with its turn; those of one subject and turn are one."""
    groups: dict[Loss, list[Loss]] = {}
    for loss in losses:
        turn = loss.turn if loss.turn is not None else _turn_of(loss, log)
        groups.setdefault(loss._replace(amount=0.0, units=0, turn=turn), []).append(loss)
    found = []
    for subject, rows in groups.items():
        amount = round(fsum(row.amount for row in rows), DIGITS)
        if amount > 0.0:
            found.append(subject._replace(amount=amount, units=sum(row.units for row in rows)))
    rank = {cause.key: number for number, cause in enumerate(CAUSES)}
    return sorted(found, key=lambda loss: (loss.day, rank[loss.cause]))


def _turn_of(loss: Loss, log: PlayLog) -> int | None:
    """The turn that bought, else the one that saw the morning, else the one that ended the day."""
    if not log.marks:
        return None
    if loss.order is not None:
        found = log.turn_of("orders", loss.order)
    else:
        found = log.turn_of("mornings", loss.day if loss.cause in MORNING else loss.day + 1)
    return found or len(log.marks)  # the end of the year follows its last turn


def paid_total(losses: Iterable[Loss]) -> float:
    """Money that was spent, each yuan once."""
    return fsum(loss.amount for loss in losses if CAUSE_BY_KEY[loss.cause].paid)


def by_cause(losses: Iterable[Loss]) -> dict[str, float]:
    """Yuan by cause, all of them, in their order."""
    amounts: dict[str, list[float]] = {cause.key: [] for cause in CAUSES}
    for loss in losses:
        amounts[loss.cause].append(loss.amount)
    return {cause: fsum(each) for cause, each in amounts.items()}


def by_day(losses: Iterable[Loss], days: int) -> Iterator[tuple[str, list[float]]]:
    """For each cause that took anything: yuan on each of the first `days` days."""
    found: dict[str, list[float]] = {}
    for loss in losses:
        found.setdefault(loss.cause, [0.0] * days)[min(loss.day, days - 1)] += loss.amount
    return ((cause.key, found[cause.key]) for cause in CAUSES if cause.key in found)
