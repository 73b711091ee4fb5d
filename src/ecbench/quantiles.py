"""Quantiles of Student's t, and the 95% interval of a mean."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, exp, lgamma, pi, sqrt, tan
from statistics import fmean, stdev

LEVEL = 0.05  # two-sided
NORMAL = 1.96  # standard errors to each side of a mean whose spread is known
STEPS = 50  # of a bisection
CELLS = 100  # of an integral
FURTHEST = 40  # standard errors, beyond which nothing is left unless there are few degrees of freedom


@lru_cache(maxsize=4096)
def student(freedom: float, level: float = LEVEL) -> float:
    """How many standard errors to each side of a mean chance exceeds with probability `level`; `freedom` >= 1."""
    low, high = 0.0, min(pi / 2, FURTHEST / sqrt(freedom))
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 1 - level else (low, middle)
    return sqrt(freedom) * tan(high)


def _within(angle: float, freedom: float) -> float:
    """P(|t| < sqrt(freedom) tan(angle)), for which the density of t is a power of the cosine, by Simpson's rule."""
    density = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(pi)
    step = angle / CELLS
    heights = [cos(index * step) ** (freedom - 1) for index in range(CELLS + 1)]
    area: float = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
    return 2 * density * area * step / 3


def mean_error(spread: float, count: int) -> float:
    """Half the width of the 95% interval of a mean of `count` values with this sample standard deviation."""
    return student(count - 1) * spread / sqrt(count)


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95% interval of the mean of a sample; None below two values."""
    if len(values) < 2:
        return None
    mean, half = fmean(values), mean_error(stdev(values), len(values))
    return mean - half, mean + half
