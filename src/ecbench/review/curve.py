"""The evaluation curve: what the engine's variants make of the positions of a year, with a 95% band.

Every variant is asked about every position, so two positions are compared variant by variant. What a variant does well
or badly in this world all year cancels out of a difference, and the spread of the differences is what remains of chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from ecbench.quantiles import student

LEAST_VARIANTS = 2  # one value has no band


@dataclass(frozen=True, slots=True)
class Point:
    """A position and its values, one for each variant and in their order; the last of a year is its result."""

    day: int
    values: tuple[float, ...]
    over: bool = False  # the year ended here: the value is what it ended with, and no estimate

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def band(self) -> float:
        """Half the width of the 95% band around the mean."""
        return half_width(self.values)


def result_point(day: int, assets: float, variants: int) -> Point:
    return Point(day, (assets,) * variants, over=True)


def half_width(values: Sequence[float]) -> float:
    """Of the 95% interval of a mean: Student's, since the spread is estimated from these few values."""
    if len(values) < LEAST_VARIANTS:
        raise ValueError("a single value has no band")
    return student(len(values) - 1) * stdev(values) / sqrt(len(values))
