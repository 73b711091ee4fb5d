"""The evaluation curve: what the engine's variants make of the positions of a year, with a 95% band."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, repeat
from math import hypot, sqrt
from statistics import fmean, median, stdev
from typing import Final, NamedTuple

from ecbench.analysis.review.engine import UNSTEADINESS
from ecbench.market.calendar import WEEK
from ecbench.quantiles import NORMAL, mean_error
from ecbench.runs.record.json_values import Yuan

DEVIATION: Final = 1.4826  # standard deviations of a normal distribution in its median absolute deviation
MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""From which share of the value at the start of a week its loss beyond the usual is a blunder, a mistake, an
inaccuracy."""
SIGNS: Final = tuple(sign for _, sign in MARKS)  # the gravest first
VERDICTS: Final = {"??": "blunder", "?": "mistake", "?!": "inaccuracy"}
FEWEST: Final = 8  # weeks that a usual rate is read from; a shorter year has none, and is judged by its whole losses
LOSS_DEVIATIONS: Final = 3.0  # standard deviations of the player's own weeks that a loss has to exceed


@dataclass(frozen=True, slots=True)
class Point:
    """A position and its values, one for each variant and in their order; the last of a year is its result."""

    day: int
    assets: Yuan  # what the year has by then
    values: tuple[Yuan, ...]
    over: bool = False  # the year ended here: the value is what it ended with, and no estimate

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def band(self) -> float:
        """Half the width of the 95% band around the mean."""
        return half_width(self.values, self.shared_error)

    @property
    def shared_error(self) -> float:
        """The standard error that the variants have in common, in yuan: none in what is earned already."""
        return UNSTEADINESS * abs(self.mean - self.assets)


def result_point(day: int, assets: float, variants: int) -> Point:
    return Point(day, assets, (assets,) * variants, over=True)


def half_width(values: Sequence[float], shared_error: float) -> float:
    """Half of the 95% band of a mean of at least two values. Their part of it is Student's, since they are few."""
    return hypot(mean_error(stdev(values), len(values)), NORMAL * shared_error)


class Usual(NamedTuple):
    """The median rate of a player and of its spread, which mistakes in up to half of the weeks do not move."""

    rate: float
    spread: float


def usual_of(rates: Sequence[float], roots: Iterable[float] = repeat(1.0)) -> Usual:
    """The usual rate of at least one; each may be that of several weeks, with the root of their number."""
    rate = median(rates)
    return Usual(rate, DEVIATION * median(abs(each - rate) * root for each, root in zip(rates, roots)))


@dataclass(frozen=True, slots=True)
class Week:
    """The days between two positions; a gain is a loss below zero."""

    first_day: int
    last_day: int  # included
    start: float  # the value of the position at its start
    loss: float
    band: float  # half the width of the 95% band of the loss
    usual: float = 0.0  # what the player loses in such days
    spread: float = 0.0  # one standard deviation of its own weeks, in yuan
    mark: str = ""

    @property
    def excess(self) -> float:
        """The loss beyond the usual."""
        return self.loss - self.usual

    @property
    def share(self) -> float:
        """The excess as a share of the value at the start; nothing if there was nothing to lose."""
        return self.excess / self.start if self.start > 0 else 0.0


class Judge:
    """Compares positions of one year of a given number of days, by the player's own usual rate."""

    def __init__(self, points: Sequence[Point], days: int) -> None:
        self._points = points
        spans = list(pairwise(points))
        self._earnings = [_still_earned(before, after, days) for before, after in spans]
        # Over several weeks chance evens out, so the deviation of a rate shrinks with the root of their number.
        self._roots = [sqrt(max(1.0, (after.day - before.day) / WEEK)) for before, after in spans]
        rates = [
            ((before.mean - after.mean) / earned, root)
            for (before, after), earned, root in zip(spans, self._earnings, self._roots)
            if earned > 0
        ]
        self.usual: Usual = usual_of(*zip(*rates)) if len(rates) >= FEWEST else Usual(0.0, 0.0)

    def between(self, first: int, last: int) -> Week:
        """From one position to a later one, by their indices."""
        before, after = self._points[first], self._points[last]
        lost = [value - later for value, later in zip(before.values, after.values, strict=True)]
        earned = self._earnings[first:last]
        week = Week(
            before.day,
            max(before.day, after.day - 1),
            before.mean,
            fmean(lost),
            half_width(lost, hypot(before.shared_error, after.shared_error)),
            max(0.0, self.usual.rate) * sum(earned),
            self.usual.spread * hypot(*(each / root for each, root in zip(earned, self._roots[first:last]))),
        )
        return replace(week, mark=mark_of(week))

    def weeks(self) -> list[Week]:
        """From each position to the next one."""
        return [self.between(first, first + 1) for first in range(len(self._points) - 1)]


def mark_of(week: Week) -> str:
    """Nothing where the band or the player's own variation explains the excess, or where nothing was left to lose."""
    if week.start <= 0 or week.excess <= max(week.band, LOSS_DEVIATIONS * week.spread):
        return ""
    return next((sign for share, sign in MARKS if week.share > share), "")


def _still_earned(before: Point, after: Point, days: int) -> float:
    """What the engine would earn between two positions, at its mean pace from the first one to the end of the year."""
    return max(0.0, before.mean - before.assets) / max(1, days - before.day) * (after.day - before.day)
