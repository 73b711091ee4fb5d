"""The evaluation curve: what the engine's variants make of the positions of a year, with a 95% band.

Every variant is asked about every position, so two positions are compared variant by variant. What a variant does well
or badly in this world all year cancels out of a difference. Two errors remain, and a band holds both: that of a mean of
a few variants, which their spread shows, and that which all variants make alike, which it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from statistics import fmean, stdev

from ecbench.quantiles import NORMAL, mean_error
from ecbench.review.engine import UNSTEADINESS
from ecbench.runs.record.json_values import Yuan

LEAST_VARIANTS = 2  # one value has no band


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
    """Of the 95% band of a mean. The spread is estimated from these few values, so their part of it is Student's."""
    if len(values) < LEAST_VARIANTS:
        raise ValueError("a single value has no band")
    return hypot(mean_error(stdev(values), len(values)), NORMAL * shared_error)
