"""Verdicts on the weeks of a year: what each one lost, and a mark where chance cannot explain it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from statistics import fmean
from typing import Final

from ecbench.review.curve import Point, half_width

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""From which share of the value at the start of a week its loss is a blunder, a mistake, an inaccuracy."""
SLIGHTEST: Final = MARKS[-1][1]
VERDICTS: Final = {"??": "blunder", "?": "mistake", "?!": "inaccuracy"}
LONGEST: Final = 28
"""Days that may be marked together: as many as lie between two positions of a quick review."""


@dataclass(frozen=True, slots=True)
class Week:
    """The days between two positions, or several weeks in a row that lost enough together; a gain is below zero."""

    first_day: int
    last_day: int  # included
    start: float  # the value of the position at its start
    loss: float
    band: float  # half the width of the 95% band of the loss
    mark: str = ""

    @property
    def days(self) -> int:
        return self.last_day - self.first_day + 1

    @property
    def share(self) -> float:
        """The loss as a share of the value at the start; all of it where there was nothing to lose."""
        return self.loss / self.start if self.start > 0 else 0.0

    def overlaps(self, other: "Week") -> bool:
        return self.first_day <= other.last_day and other.first_day <= self.last_day

    @property
    def kept(self) -> float:
        """The share of its value that the position kept, between none and all of it."""
        return min(1.0, max(0.0, 1.0 - self.share))


def weeks_of(points: Sequence[Point]) -> list[Week]:
    """From one position to the next, each judged by itself."""
    return [_between(before, after) for before, after in pairwise(points)]


def judged(points: Sequence[Point]) -> list[Week]:
    """The weeks of a year; those that no loss of their own marks stand as one where they lost enough together.

    A mistake that lasts for weeks loses a little in each of them. Together they are an inaccuracy at most: a graver
    mark is for what a single week did. Of runs that share a week the one that lost the largest share is taken, and of
    equal ones the shortest.
    """
    weeks = weeks_of(points)
    together: list[Week] = []
    for run in sorted(_runs(points, weeks), key=lambda run: (-run.share, run.days)):
        if not any(run.overlaps(other) for other in together):
            together.append(run)
    alone = [week for week in weeks if not any(week.overlaps(run) for run in together)]
    return sorted([*alone, *together], key=lambda week: week.first_day)


def _runs(points: Sequence[Point], weeks: Sequence[Week]) -> Iterator[Week]:
    """Two weeks in a row or more, none of them marked, that lost enough together."""
    for first, before in enumerate(points):
        for week, after in zip(weeks[first:], points[first + 1 :], strict=True):
            if week.mark or after.day - before.day > LONGEST:
                break
            together = _between(before, after)
            if together.mark and after is not points[first + 1]:
                yield replace(together, mark=SLIGHTEST)


def _between(before: Point, after: Point) -> Week:
    lost = [value - later for value, later in zip(before.values, after.values, strict=True)]
    loss, band = fmean(lost), half_width(lost, hypot(before.shared_error, after.shared_error))
    return Week(before.day, max(before.day, after.day - 1), before.mean, loss, band, mark(loss, band, before.mean))


def mark(loss: float, band: float, start: float) -> str:
    """Nothing where the band holds a week without a loss, or where nothing was left to lose."""
    if start <= 0 or loss <= band:
        return ""
    return next((sign for share, sign in MARKS if loss > share * start), "")


def accuracy(weeks: Sequence[Week]) -> float | None:
    """The share of its value that a week keeps, on average over the weeks; None where no week was played."""
    return fmean(week.kept for week in weeks) if weeks else None
