"""Tests and intervals for a handful of worlds, exact wherever all arrangements of signs can be counted.

If two agents are equally good, each world's difference might as well have the opposite sign. A test counts how many
arrangements of signs give a sum at least as far from zero as the observed one. Random arrangements come from a
generator with a fixed seed, so that the same runs give the same numbers everywhere.

A test shows a difference when it finds it at the 5% level, two-sided, in its true direction. The test of few worlds is
less powerful than Student's, and the spread is only estimated: `benchmarks/coverage.py --calibrate` finds by simulation
how many estimated standard errors a true difference takes.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ecbench.quantiles import LEVEL

MOST = 10_000  # arrangements: up to so many are all counted, of more so many are drawn
CLOSE = 1e-9  # of a statistic: sums in another order are the same

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


@lru_cache(maxsize=64)
def arrangements(units: int) -> Floats:
    """The signs of so many differences, a row for each arrangement; the observed one, without a change, comes first."""
    if 2**units <= MOST:
        turned = (np.arange(2**units)[:, None] >> np.arange(units)) % 2 == 1
    else:
        draw = Random(f"ecbench compare: signs of {units}").random  # the same numbers in every version of Python
        turned = np.array([[draw() < 0.5 for _ in range(units)] for _ in range(MOST)])
        turned[0] = False
    return np.where(turned, -1.0, 1.0)


def tail_shares(differences: Floats, signs: Floats) -> Floats:
    """By arrangement: the share of all arrangements whose sums are at least as far from zero. The first one's is p."""
    distances = np.abs(signs @ differences)
    nearer = np.searchsorted(np.sort(distances), distances - CLOSE * np.abs(differences).sum())
    return np.asarray((len(signs) - nearer) / len(signs))


def corrected(tests: Floats, signs: Floats) -> list[float]:
    """p of each column, corrected for all of them: step-down max-T (Westfall and Young).

    A row is a world, and zero stands where it has no value. A column with so few values that it can never be rejected
    costs the others nothing, and has its own p (Tarone). The statistic is the sum over the root of the sum of squares.
    """
    found = [float(tail_shares(column, signs)[0]) for column in tests.T]
    usable = [number for number, values in enumerate((tests != 0).sum(axis=0)) if least_p(values) <= LEVEL]
    if not usable:
        return found
    columns = tests[:, usable] / np.sqrt((tests[:, usable] ** 2).sum(axis=0))
    statistics = np.abs(signs @ columns)
    order = np.argsort(-statistics[0], kind="stable")
    largest = np.maximum.accumulate(statistics[:, order[::-1]], axis=1)[:, ::-1]  # of this column and those behind it
    shares = np.maximum.accumulate((largest >= statistics[0, order] - CLOSE).mean(axis=0))
    for number, share in zip(order, shares, strict=True):
        found[usable[number]] = float(share)
    return found


def sign_flip(differences: Sequence[float]) -> float:
    """How often differences at least as far from zero occur if each might as well have the opposite sign."""
    return float(tail_shares(np.array(differences, dtype=float), arrangements(len(differences)))[0])


def sign_interval(differences: Sequence[float]) -> Interval:
    """All true means that the sign-flip test does not reject at the level.

    Turning the signs of a subset gives a sum at least as large as the observed one if, and only if, the true mean is at
    least the subset's own mean. So the bounds are order statistics of the means of all subsets (Hartigan), the
    outermost that leave at most half the level on each side, the observed arrangement included.
    """
    means = _subset_means(len(differences)) @ np.array(differences, dtype=float)
    outside = int(LEVEL / 2 * (len(means) + 1)) - 1
    ordered = np.partition(means, [outside, len(means) - 1 - outside])
    return float(ordered[outside]), float(ordered[len(means) - 1 - outside])


@lru_cache(maxsize=64)
def _subset_means(units: int) -> Floats:
    """Weights that give the mean of each subset that is not empty."""
    turned = arrangements(units) < 0
    some = turned[turned.any(axis=1)]
    return np.asarray(some / some.sum(axis=1, keepdims=True))


def least_p(worlds: int) -> float:
    """The smallest p that a sign-flip test of so many worlds can give."""
    return min(1.0, 2.0 ** (1 - worlds))


CHANCE = 0.8  # the power wanted
MOST_WORLDS = 200  # that anybody would play beside those that are played
NORMAL_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(CHANCE)
FEWEST_WORLDS = 6  # whose smallest p is 5% or less
ERRORS: Mapping[int, float] = {6: 5.24, 7: 4.07, 8: 3.80, 9: 3.63, 10: 3.49, 11: 3.41, 12: 3.33}
BEYOND = 6.4  # what the standard errors of more worlds exceed the normal law's by, times worlds


def smallest_shown(variance: float, worlds: int) -> float:
    """The smallest true difference that a sample like this one shows with the power wanted."""
    return ERRORS.get(worlds, NORMAL_ERRORS + BEYOND / worlds) * sqrt(variance / worlds)


def more_worlds(effect: float, variance: float, worlds: int) -> int | None:
    """How many more worlds show this effect with the power wanted; None if no feasible number does."""
    sizes = range(max(FEWEST_WORLDS, worlds), worlds + MOST_WORLDS + 1)
    needed = next((size for size in sizes if smallest_shown(variance, size) <= abs(effect)), None)
    return None if needed is None or effect == 0 else needed - worlds
