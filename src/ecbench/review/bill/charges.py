"""A bill as plain data: its charges, their sums, and the form that a file keeps."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import fsum
from operator import attrgetter
from typing import Any

from msgspec import Struct

from ecbench.review.bill.causes import CAUSE_BY_KEY, CAUSES
from ecbench.runs.record.json_values import Yuan, typed

_day = attrgetter("day")
_group = attrgetter("day", "cause", "store", "supplier")
DIGITS = 4  # of an amount, behind the point: a hundredth of a cent


@dataclass(frozen=True, slots=True)
class Charge:
    """What one cause cost on one day, for one subject."""

    day: int
    cause: str
    amount: float  # yuan lost, at least 0
    store: str | None = None
    sku: str | None = None
    supplier: str | None = None
    units: int = 0  # what they are says `Cause.counts`


Group = tuple[int, str, str | None, str | None, list[int | None], list[Yuan], list[int]]


class BillRecord(Struct, frozen=True):
    """A bill as a file holds it: a busy year has a hundred thousand charges, so what many have in common stands once.

    A group is of one day, cause, store and supplier; its lists have the goods, as places in `skus`, the amounts and the
    units of one charge after another.
    """

    last_day: int
    skus: list[str]
    groups: list[Group]


@dataclass(frozen=True)
class Bill:
    """The charges of a year, by day and in the order of the causes, up to the last day that its record reaches."""

    charges: tuple[Charge, ...]
    last_day: int

    def total(self, cause: str) -> float:
        return fsum(charge.amount for charge in self.charges if charge.cause == cause)

    def units(self, cause: str) -> int:
        return sum(charge.units for charge in self.charges if charge.cause == cause)

    @property
    def ledger_total(self) -> float:
        """Money that really went, each yuan once."""
        return fsum(charge.amount for charge in self.charges if CAUSE_BY_KEY[charge.cause].adds_up)

    def by_cause(self) -> dict[str, float]:
        """Yuan by cause, all of them, in their order."""
        amounts: dict[str, list[float]] = {cause.key: [] for cause in CAUSES}
        for charge in self.charges:
            amounts[charge.cause].append(charge.amount)
        return {cause: fsum(each) for cause, each in amounts.items()}

    @cached_property
    def by_day(self) -> Mapping[int, Mapping[str, float]]:
        """Yuan by day, then by cause; only days and causes with a charge."""
        amounts: dict[int, dict[str, list[float]]] = {}
        for charge in self.charges:
            amounts.setdefault(charge.day, {}).setdefault(charge.cause, []).append(charge.amount)
        return {day: {cause: fsum(each) for cause, each in causes.items()} for day, causes in amounts.items()}

    def between(self, first_day: int, last_day: int) -> "Bill":
        """The charges of these days, both of them included."""
        first, end = bisect_left(self.charges, first_day, key=_day), bisect_right(self.charges, last_day, key=_day)
        return Bill(self.charges[first:end], min(self.last_day, last_day))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, as `BillRecord` has it."""
        skus: dict[str, int] = {}
        groups = []
        for (day, cause, store, supplier), found in groupby(self.charges, key=_group):
            charges = list(found)
            goods = [None if each.sku is None else skus.setdefault(each.sku, len(skus)) for each in charges]
            amounts, units = [each.amount for each in charges], [each.units for each in charges]
            groups.append([day, cause, store, supplier, goods, amounts, units])
        return {"last_day": self.last_day, "skus": list(skus), "groups": groups}

    @classmethod
    def from_json(cls, record: object) -> "Bill":
        """What `to_json` gave. Raises ValueError for anything else."""
        try:
            read = typed(record, BillRecord)
            charges = [charge for group in read.groups for charge in _charges(group, read.skus)]
        except ValueError as error:
            raise ValueError(f"not a bill: {error}") from error
        return cls(tuple(sorted(charges, key=_day)), read.last_day)


def _charges(group: Group, skus: Sequence[str]) -> Iterator[Charge]:
    day, cause, store, supplier, goods, amounts, units = group
    if cause not in CAUSE_BY_KEY:
        raise ValueError(f"this version knows no cause {cause[:40]!r}")
    if any(place is not None and not 0 <= place < len(skus) for place in goods):
        raise ValueError(f"a charge of day {day} is for goods that are not listed")
    for place, amount, count in zip(goods, amounts, units, strict=True):
        yield Charge(day, cause, amount, store, None if place is None else skus[place], supplier, count)


def bill_from(charges: Iterable[Charge], last_day: int) -> Bill:
    """Charges in any order, several of one subject put together, and those of nothing left out."""
    sums: dict[tuple[int, str, str | None, str | None, str | None], list[Charge]] = {}
    for charge in charges:
        sums.setdefault((charge.day, charge.cause, charge.store, charge.sku, charge.supplier), []).append(charge)
    place = {cause.key: number for number, cause in enumerate(CAUSES)}
    summed = [_together(found) for found in sums.values()]
    kept = [charge for charge in summed if charge.amount or charge.units]
    return Bill(tuple(sorted(kept, key=lambda charge: (charge.day, place[charge.cause]))), last_day)


def _together(charges: Sequence[Charge]) -> Charge:
    first = charges[0]
    amount = round(fsum(charge.amount for charge in charges), DIGITS)
    units = sum(charge.units for charge in charges)
    return Charge(first.day, first.cause, amount, first.store, first.sku, first.supplier, units)
