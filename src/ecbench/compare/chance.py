"""Tests and intervals for a handful of worlds or years, exact wherever all arrangements can be counted.

If two agents are equally good, each world's difference might as well have the opposite sign, and labels on years might
as well be shuffled. An arrangement says which signs are turned, or which units are labelled as the first agent's.
Random arrangements come from a generator with a fixed seed, so that the same runs give the same numbers everywhere.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.quantiles import LEVEL

MOST = 20_000  # arrangements: up to so many are all counted, of more so many are drawn
CHUNK = 1_000  # arrangements whose statistics are in memory at a time
CLOSE = 1e-9  # of a statistic: sums in another order are the same

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


class Arrangements(NamedTuple):
    found: Floats  # as the units were observed: 1 for a chosen one, 0 for another
    chosen: Floats  # the same, a row for each arrangement
    exact: bool  # whether these are all there are


@lru_cache(maxsize=64)
def signs(units: int) -> Arrangements:
    """Which signs of so many differences are turned."""
    exact = 2**units <= MOST
    chosen = (
        (np.arange(2**units)[:, None] >> np.arange(units)) % 2 if exact else _drawn(f"signs of {units}", units) < 0.5
    )
    return Arrangements(np.zeros(units), chosen.astype(float), exact)


@lru_cache(maxsize=64)
def labels(ones: int, others: int) -> Arrangements:
    """Which units have the first agent's label; as observed, those that come first."""
    units, exact = ones + others, comb(ones + others, ones) <= MOST
    if exact:
        places = np.array(list(combinations(range(units), ones)), dtype=np.intp).reshape(-1, ones)
    else:
        places = np.argsort(_drawn(f"labels of {units}", units), axis=1)[:, :ones]
    chosen = np.zeros((len(places), units))
    np.put_along_axis(chosen, places, 1.0, axis=1)
    return Arrangements((np.arange(units) < ones).astype(float), chosen, exact)


def max_t(tests: Floats, arrangements: Arrangements) -> list[float]:
    """p of each column, corrected for all of them: step-down max-T (Westfall and Young).

    A row is a unit, and zero stands where it has no value. The columns of shuffled labels have a mean of zero. The
    statistic is the difference of the sums of the units that are not chosen and those that are, over the root of the
    sum of squares.
    """
    lengths = np.sqrt((tests**2).sum(axis=0))
    columns = tests / np.where(lengths == 0, 1.0, lengths)
    found = np.abs(columns.sum(axis=0) - 2 * (arrangements.found @ columns))
    order = np.argsort(-found, kind="stable")
    columns, found = columns[:, order], found[order]
    extreme = np.zeros(len(found))
    for start in range(0, len(arrangements.chosen), CHUNK):
        turned = np.abs(columns.sum(axis=0) - 2 * (arrangements.chosen[start : start + CHUNK] @ columns))
        largest = np.maximum.accumulate(turned[:, ::-1], axis=1)[:, ::-1]  # of this column and those behind it
        extreme += (largest >= found - CLOSE).sum(axis=0)
    drawn = 0 if arrangements.exact else 1  # what was observed is an arrangement, too
    ordered = np.maximum.accumulate((extreme + drawn) / (len(arrangements.chosen) + drawn))
    corrected = np.empty(len(found))
    corrected[order] = ordered
    return [float(p) for p in corrected]


def sign_flip(differences: Sequence[float]) -> float:
    """How often differences at least as far from zero occur if each might as well have the opposite sign."""
    return max_t(np.array(differences, dtype=float)[:, None], signs(len(differences)))[0]


def shuffled_labels(ones: Sequence[float], others: Sequence[float]) -> float:
    """How often two groups differ in their means at least as much if their labels mean nothing."""
    return max_t(centred(ones, others)[:, None], labels(len(ones), len(others)))[0]


def centred(ones: Sequence[float], others: Sequence[float]) -> Floats:
    """All units, those of the first agent first, less their mean."""
    values = np.array([*ones, *others], dtype=float)
    return np.asarray(values - values.mean())


def sign_interval(differences: Sequence[float]) -> Interval:
    """All true means that the sign-flip test does not reject at the level.

    Turning the signs of a subset gives a sum at least as large as the observed one if, and only if, the true mean is at
    least the subset's own mean. So the bounds are order statistics of the means of all subsets (Hartigan).
    """
    return _outer(_subset_means(len(differences)) @ np.array(differences, dtype=float))


def label_interval(ones: Sequence[float], others: Sequence[float]) -> Interval:
    """All true differences of means that shuffled labels do not reject: here units of both groups are exchanged."""
    return _outer(_exchanged_means(len(ones), len(others)) @ np.array([*ones, *others], dtype=float))


@lru_cache(maxsize=64)
def _subset_means(units: int) -> Floats:
    """Weights that give the mean of each subset that is not empty."""
    chosen = signs(units).chosen
    some = chosen[chosen.any(axis=1)]
    return np.asarray(some / some.sum(axis=1, keepdims=True))


@lru_cache(maxsize=64)
def _exchanged_means(ones: int, others: int) -> Floats:
    """Weights that give the mean of the first agent's exchanged units less that of the second's."""
    arranged = labels(ones, others)
    moved = arranged.found - arranged.chosen
    some = moved[moved.any(axis=1)]
    return np.asarray(some / some[:, :ones].sum(axis=1, keepdims=True))


def _outer(means: Floats) -> Interval:
    """Between the outermost means that leave at most half the level on each side, the observed arrangement included."""
    outside = int(LEVEL / 2 * (len(means) + 1)) - 1
    ordered = np.partition(means, [outside, len(means) - 1 - outside])
    return float(ordered[outside]), float(ordered[len(means) - 1 - outside])


def least_p_of_signs(differences: int) -> float:
    """The smallest p that a sign-flip test of so many differences can give."""
    return min(1.0, 2.0 ** (1 - differences))


def least_p_of_labels(ones: int, others: int) -> float:
    return min(1.0, 2 / comb(ones + others, ones))


@lru_cache(maxsize=16)
def _drawn(stream: str, units: int) -> Floats:
    """Uniform between 0 and 1. Python promises the same numbers for the same seed in every version of it."""
    draw = Random(f"ecbench compare: {stream}").random
    numbers: Any = np.fromiter((draw() for _ in range(MOST * units)), dtype=float, count=MOST * units)
    return np.asarray(numbers.reshape(MOST, units))
