"""The marks of a year: weeks whose value fell, and weeks whose bill stands out, put together by their days."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ecbench.number_words import yuan
from ecbench.review.unusual_charges import Unusual
from ecbench.review.verdicts import SIGNS, Week

CAUSES_NAMED: Final = 3  # beside a mark

Beyond = Callable[[int, int], Mapping[str, float]]
"""By cause: yuan that the bill has for these days beyond the usual, first what stands out most."""


@dataclass(frozen=True, slots=True)
class WeekMark:
    """Days that lost more than the player usually loses."""

    first_day: int
    last_day: int  # included
    sign: str
    cost: float  # yuan beyond the usual: by the engine where the value fell, else by the bill
    usual: float  # yuan that such days cost this player
    band: float | None = None  # half the width of the 95% band of the cost; None where the bill alone has it
    until: int = 0  # the last day on which the bill still stood out
    causes: Mapping[str, float] = field(default_factory=dict)  # yuan beyond the usual, the main one first

    @property
    def days(self) -> int:
        return self.last_day - self.first_day + 1

    def overlaps(self, first_day: int, last_day: int) -> bool:
        return self.first_day <= last_day and first_day <= self.last_day

    @property
    def certainty(self) -> str:
        """How sure the cost is, in words."""
        if self.band is not None:
            low, high = yuan(max(0.0, self.cost - self.band)), yuan(self.cost + self.band)
            return f"the engine's estimate, 95% between {low} and {high}"
        return f"counted on the record, as one cause alone; such days usually cost {yuan(self.usual)}"


def marks_of(weeks: Sequence[Week], unusual: Sequence[Unusual], beyond: Beyond) -> list[WeekMark]:
    """In the order of the year; what shares a day is one mark, with the gravest sign."""
    found = [
        WeekMark(week.first_day, week.last_day, week.mark, week.excess, week.usual, week.band, week.last_day)
        for week in weeks
        if week.mark
    ]
    for run in sorted(unusual, key=lambda run: -run.share):
        found = _joined(found, WeekMark(run.first_day, run.last_day, run.mark, run.excess, run.usual, None, run.until))
    return sorted((_explained(mark, unusual, beyond) for mark in found), key=lambda mark: mark.first_day)


def _joined(marks: list[WeekMark], new: WeekMark) -> list[WeekMark]:
    for place, mark in enumerate(marks):
        if mark.overlaps(new.first_day, new.last_day):
            both = replace(
                mark,
                first_day=min(mark.first_day, new.first_day),
                last_day=max(mark.last_day, new.last_day),
                sign=min(mark.sign, new.sign, key=SIGNS.index),
                until=max(mark.until, new.until),
            )
            return [*marks[:place], both, *marks[place + 1 :]]
    return [*marks, new]


def _explained(mark: WeekMark, unusual: Sequence[Unusual], beyond: Beyond) -> WeekMark:
    within = [run for run in unusual if mark.overlaps(run.first_day, run.last_day)]
    causes: dict[str, float] = {}
    for run in sorted(within, key=lambda run: -run.share):
        causes.setdefault(run.cause, run.excess)
    for cause, amount in beyond(mark.first_day, mark.last_day).items():
        if len(causes) < CAUSES_NAMED:
            causes.setdefault(cause, amount)
    return replace(mark, causes=dict(list(causes.items())[:CAUSES_NAMED]))
