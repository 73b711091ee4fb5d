"""From the books to the figures of an episode, and from the episodes of a run to one figure (docs/metrics.md)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev, stdev
from typing import Any, Literal

from ecbench.formatting import MISSING
from ecbench.sums import ordered_sum


def figure(value: float, places: int = 4) -> float:
    """Rounded for the report. Adding zero turns -0.0 into 0.0."""
    return round(value, places) + 0.0


def yuan(value: float) -> float:
    return figure(value, 2)


def mean_or_null(values: Sequence[float]) -> float | None:
    return figure(ordered_sum(values) / len(values)) if values else None


def mean_or_zero(values: Sequence[float], places: int = 4) -> float:
    return figure(ordered_sum(values) / len(values), places) if values else 0.0


def share(part: float, whole: float) -> float:
    """A rate whose denominator is floored at 1, so that nothing out of nothing is 0."""
    return figure(part / max(1, whole))


Report = Mapping[str, Any]
"""A year's report with what its run adds under `run`."""

Read = Callable[[Report], float | None]
Estimator = Literal["mean", "mean of population", "total", "ratio", "stouffer"]
Direction = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Figure:
    """Over the years of a run; `spread` is a standard deviation, and None if fewer than two years entered."""

    value: float | None
    spread: float | None
    episodes: int  # that entered


@dataclass(frozen=True, slots=True)
class Measure:
    """One column of the paper's tables, or one reading of its text and figures."""

    name: str
    unit: str
    better: Direction  # "": a reading, not a score
    paper: str  # its labels; "" where the paper has no such figure
    meaning: str  # of one year
    read: Read  # of a ratio its numerator
    over: Read | None = None  # of a ratio its denominator
    estimator: Estimator = "mean"
    sample: Read | None = None  # a count: if it is 0, the published field holds a 0 that measures nothing
    title: str = ""  # in every table, figure and page
    shown: Callable[[float], str] = str  # how a person is shown a value
    no_sample: str = "no sample"  # what a year lacks that has no value
    reading: str = ""  # what an axis says, in a few words

    @property
    def higher_is_better(self) -> bool:
        return self.better != "lower"

    def score(self, value: float) -> float:
        """The value, negated if lower is better: the higher score wins."""
        return value if self.higher_is_better else -value

    def text(self, value: float | None) -> str:
        return MISSING if value is None else self.shown(value)

    def of_year(self, report: Report) -> float | None:
        """The value of one year; None without a sample."""
        if self.sample is not None and not self.sample(report):
            return None
        value = self.read(report)
        if self.over is None or value is None:
            return value
        divisor = self.over(report)
        return value / divisor if divisor else None

    def of_run(self, reports: Sequence[Report]) -> Figure:
        if self.over is not None:
            return _ratio(self.read, self.over, reports)
        sampled = self.sample is None or any(map(self.sample, reports))
        values = [value for value in map(self.read, reports) if value is not None] if sampled else []
        if not values:
            return Figure(None, None, 0)
        estimate, deviation = _ESTIMATORS[self.estimator]
        return Figure(estimate(values), deviation(values) if deviation and len(values) > 1 else None, len(values))


def distinct(reports: Sequence[Report]) -> list[Report]:
    """The first of the years that end with the same final assets, to the yuan: they are one observation."""
    first: dict[int, Report] = {}
    for report in reports:
        first.setdefault(round(report["profitability"]["final_balance"]), report)
    return list(first.values())


def _ratio(read: Read, over: Read, reports: Sequence[Report]) -> Figure:
    pairs = [(part, whole) for part, whole in ((read(r), over(r)) for r in reports) if None not in (part, whole)]
    whole = ordered_sum([whole or 0.0 for _, whole in pairs])
    parts = ordered_sum([part or 0.0 for part, _ in pairs])
    return Figure(parts / whole, None, len(pairs)) if whole else Figure(None, None, 0)


Statistic = Callable[[Sequence[float]], float]
_ESTIMATORS: Mapping[Estimator, tuple[Statistic, Statistic | None]] = {  # with the standard deviation that goes with it
    "mean": (fmean, stdev),
    "mean of population": (fmean, pstdev),  # as the paper has it for repeat orders
    "total": (sum, None),
    "stouffer": (lambda scores: ordered_sum(scores) / sqrt(len(scores)), None),
}
