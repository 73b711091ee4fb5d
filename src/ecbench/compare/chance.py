"""Tests and intervals for a handful of worlds or years, exact wherever all arrangements can be counted.

Nothing here assumes a distribution. Random draws come from a generator that is seeded by their purpose, so
that the same runs give the same numbers on every machine.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, sqrt
from random import Random
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ecbench.quantiles import LEVEL, student

RESAMPLES = 10_000
COUNTED = 200_000  # arrangements that are counted one by one
DRAWN = 20_000  # of those that are more
CLOSE = 1e-9  # of the largest sum: two sums in another order are the same

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Interval = tuple[float, float]


def sign_flip(differences: Sequence[float]) -> float:
    """How often differences at least as far from zero would come up if each might as well have the other sign."""
    values = np.array(differences, dtype=float)
    if 2 ** len(values) <= COUNTED:
        signs = _all_signs(len(values))
    else:
        signs = _drawn(f"signs of {len(values)}", (DRAWN, len(values))) < 0.5
    sums = values.sum() - 2 * (signs @ values)
    return _share_as_extreme(sums, values.sum(), np.abs(values).sum(), exact=2 ** len(values) <= COUNTED)


def shuffled_labels(ones: Sequence[float], others: Sequence[float]) -> float:
    """How often two groups would differ in their means at least as much if their labels meant nothing."""
    values = np.array([*ones, *others], dtype=float)
    exact = comb(len(values), len(ones)) <= COUNTED
    if exact:
        chosen = np.array(list(combinations(range(len(values)), len(ones))), dtype=np.intp)
    else:
        order = np.argsort(_drawn(f"labels of {len(values)}", (DRAWN, len(values))), axis=1)
        chosen = order[:, : len(ones)]
    sums = values[chosen].sum(axis=1)
    gaps = sums / len(ones) - (values.sum() - sums) / len(others)
    gap = float(np.mean(ones) - np.mean(others))
    return _share_as_extreme(gaps, gap, np.abs(values).sum(), exact=exact)


def least_p_of_signs(differences: int) -> float:
    """The smallest p that a sign-flip test of so many differences can give."""
    return min(1.0, 2.0 ** (1 - differences))


def least_p_of_labels(ones: int, others: int) -> float:
    return min(1.0, 2 / comb(ones + others, ones))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Corrected so that the chance of even one false alarm among all tests stays below the level; None is no test."""
    made = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(made):
        highest = max(highest, min(1.0, p * (len(made) - rank)))
        corrected[place] = highest
    return corrected


def fisher_exact(bankrupt_ones: int, ones: int, bankrupt_others: int, others: int) -> float:
    """How often as many bankruptcies in all would fall at least as unevenly on two agents that do not differ."""
    bankrupt = bankrupt_ones + bankrupt_others
    most = min(bankrupt, ones)
    ways = {k: comb(ones, k) * comb(others, bankrupt - k) for k in range(max(0, bankrupt - others), most + 1)}
    return sum(way for way in ways.values() if way <= ways[bankrupt_ones]) / sum(ways.values())


def wilson(share: float, trials: int, level: float = LEVEL) -> Interval:
    """An interval for a probability that was estimated as `share` of so many trials; never empty, even at 0 and 1."""
    z = NormalDist().inv_cdf(1 - level / 2)
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


@lru_cache(maxsize=64)
def resamples(units: int, stream: str = "") -> Indices:
    """Which of so many units are in each bootstrap sample; the same ones for every figure, so that figures agree."""
    return (_drawn(f"resamples of {units} {stream}", (RESAMPLES, units)) * units).astype(np.intp)


def bootstrap_interval(estimates: Floats, units: int, level: float = LEVEL) -> Interval | None:
    """From the estimates in all bootstrap samples: their outer percentiles, taken further out for few units.

    Plain percentiles are too narrow for ten units, by the factor between the spread of a sample and of its population
    and by the one between Student's t and the normal law; the percentiles are moved out by both. None where an estimate
    has no value.
    """
    if not np.isfinite(estimates).all():
        return None
    out = sqrt(units / (units - 1)) * student(units - 1, level)
    tail = NormalDist().cdf(-out)
    low, high = np.quantile(estimates, [tail, 1 - tail])
    return float(low), float(high)


def _all_signs(number: int) -> npt.NDArray[np.bool_]:
    """Every way to turn the signs of so many differences, a row each."""
    turned: npt.NDArray[np.bool_] = (np.arange(2**number)[:, None] >> np.arange(number)) % 2 == 1
    return turned


def _share_as_extreme(sums: Floats, found: float, scale: float, *, exact: bool) -> float:
    extreme = int((np.abs(sums) >= abs(found) - CLOSE * scale).sum())
    return extreme / len(sums) if exact else (extreme + 1) / (len(sums) + 1)


@lru_cache(maxsize=16)
def _drawn(stream: str, shape: tuple[int, int]) -> Floats:
    """Uniform between 0 and 1. Python promises the same numbers for the same seed in every version of it."""
    draw = Random(f"ecbench compare: {stream}").random
    numbers: Any = np.fromiter((draw() for _ in range(shape[0] * shape[1])), dtype=float, count=shape[0] * shape[1])
    return np.asarray(numbers.reshape(shape))
