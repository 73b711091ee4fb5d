"""From the years of a run to one figure: the paper uses four estimators, and another spread for some of them.

A year without a sample enters no mean. A ratio divides two sums over the same years, which weighs every call, deal or
yuan alike; a short year would dominate a mean of ratios. Several z-scores combine by Stouffer's rule (eq:d6_z).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev, stdev
from typing import Any, Literal

Report = Mapping[str, Any]
"""A year's report with what its run adds under `run`."""

Read = Callable[[Report], float | None]
Estimator = Literal["mean", "total", "ratio", "stouffer"]
Spread = Literal["sample", "population", "none"]
Direction = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Figure:
    """Over the years of a run; `spread` is a standard deviation, and None where fewer than two years have a sample."""

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
    spread: Spread = "sample"

    def of_year(self, report: Report) -> float | None:
        """What one year has to show; None without a sample."""
        value = self.read(report)
        if self.over is None or value is None:
            return value
        divisor = self.over(report)
        return value / divisor if divisor else None

    def of_run(self, reports: Sequence[Report]) -> Figure:
        if self.over is not None:
            return _ratio(self.read, self.over, reports)
        values = [value for value in map(self.read, reports) if value is not None]
        if not values:
            return Figure(None, None, 0)
        return Figure(_ESTIMATES[self.estimator](values), _SPREADS[self.spread](values), len(values))


@dataclass(frozen=True, slots=True)
class Field:
    """Reads a field of the report by the way to it; None where it is null, or where an older report lacks it."""

    path: str
    scale: float = 1.0

    def __call__(self, report: Report) -> float | None:
        found: Any = report
        for step in self.path.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        return None if found is None else found * self.scale


def less(one: Read, other: Read) -> Read:
    """The first less the second."""

    def read(report: Report) -> float | None:
        gain, loss = one(report), other(report)
        return None if gain is None or loss is None else gain - loss

    return read


def mean(name: str, unit: str, better: Direction, path: str, paper: str, meaning: str, scale: float = 1.0) -> Measure:
    """Of the years' own values, with the sample's standard deviation."""
    return Measure(name, unit, better, paper, meaning, Field(path, scale))


def mean_of_population(
    name: str, unit: str, better: Direction, path: str, paper: str, meaning: str, scale: float = 1.0
) -> Measure:
    """The same with the population's standard deviation, as the paper has it for repeat orders."""
    return Measure(name, unit, better, paper, meaning, Field(path, scale), spread="population")


def total(name: str, unit: str, better: Direction, path: str, paper: str, meaning: str) -> Measure:
    return Measure(name, unit, better, paper, meaning, Field(path), estimator="total", spread="none")


def stouffer(name: str, unit: str, better: Direction, path: str, paper: str, meaning: str) -> Measure:
    return Measure(name, unit, better, paper, meaning, Field(path), estimator="stouffer", spread="none")


def ratio(name: str, unit: str, better: Direction, read: Read, over: Read, paper: str, meaning: str) -> Measure:
    return Measure(name, unit, better, paper, meaning, read, over, "ratio", "none")


def _ratio(read: Read, over: Read, reports: Sequence[Report]) -> Figure:
    pairs = [(part, whole) for part, whole in ((read(r), over(r)) for r in reports) if None not in (part, whole)]
    whole = sum(whole or 0.0 for _, whole in pairs)
    return Figure(sum(part or 0.0 for part, _ in pairs) / whole, None, len(pairs)) if whole else Figure(None, None, 0)


def _stouffer(scores: Sequence[float]) -> float:
    return sum(scores) / sqrt(len(scores))


def _deviation(estimate: Callable[[Sequence[float]], float]) -> Callable[[Sequence[float]], float | None]:
    return lambda values: estimate(values) if len(values) > 1 else None


_ESTIMATES: Mapping[Estimator, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "total": sum,
    "stouffer": _stouffer,
}
_SPREADS: Mapping[Spread, Callable[[Sequence[float]], float | None]] = {
    "sample": _deviation(stdev),
    "population": _deviation(pstdev),
    "none": lambda _values: None,
}
