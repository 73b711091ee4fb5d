"""Verdicts on the weeks of a year: what each one lost, and a mark where chance cannot explain it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from statistics import fmean
from typing import Final

from ecbench.review.curve import Point, half_width

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""From which share of the value at the start of a week its loss is a blunder, a mistake, an inaccuracy."""


@dataclass(frozen=True, slots=True)
class Week:
    """The days between two positions; a gain is a loss below zero."""

    first_day: int
    last_day: int  # included
    start: float  # the value of the position at its start
    loss: float
    band: float  # half the width of the 95% band of the loss
    mark: str = ""

    @property
    def share(self) -> float:
        """The loss as a share of the value at the start; all of it where there was nothing to lose."""
        return self.loss / self.start if self.start > 0 else 0.0

    @property
    def kept(self) -> float:
        """The share of its value that the position kept, between none and all of it."""
        return min(1.0, max(0.0, 1.0 - self.share))


def weeks_of(points: Sequence[Point]) -> list[Week]:
    return [_week(before, after) for before, after in pairwise(points)]


def _week(before: Point, after: Point) -> Week:
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
