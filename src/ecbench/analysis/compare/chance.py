"""Tests and intervals for a handful of worlds, exact if all arrangements of signs can be counted (docs/compare.md)."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from math import sqrt
from random import Random
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ecbench.quantiles import LEVEL

MOST = 10_000  # arrangements that are counted; if there are more, this many are drawn
CLOSE = 1e-9  # of a statistic: sums in another order are the same

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


@lru_cache(maxsize=64)
def arrangements(units: int) -> Floats:
    """The signs of the differences, a row for each arrangement; the observed one, without a change, comes first."""
    if 2**units <= MOST:
        turned = (np.arange(2**units)[:, None] >> np.arange(units)) % 2 == 1
    else:  # with a fixed seed, so that the same runs give the same numbers everywhere
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
    costs the others nothing, and has its own p (Tarone).
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
    turned = arrangements(units) < 0
    some = turned[turned.any(axis=1)]
    return np.asarray(some / some.sum(axis=1, keepdims=True))


def least_p(worlds: int) -> float:
    """The smallest p that a sign-flip test of this number of worlds can give."""
    return min(1.0, 2.0 ** (1 - worlds))


CHANCE = 0.8  # the power wanted
MOST_WORLDS = 200  # that anybody would play beside those that are played
NORMAL_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(CHANCE)
FEWEST_WORLDS = 6  # whose smallest p is 5% or less
ERRORS: Mapping[int, float] = {6: 5.24, 7: 4.07, 8: 3.80, 9: 3.63, 10: 3.49, 11: 3.41, 12: 3.33}
BEYOND = 6.4  # what the standard errors of more worlds exceed the normal law's by, times worlds
"""How many estimated standard errors a true difference takes, by `benchmarks/error_rates.py --calibrate`."""


def smallest_shown(variance: float, worlds: int) -> float:
    """The smallest true difference that a sample like this one shows with the power wanted."""
    return ERRORS.get(worlds, NORMAL_ERRORS + BEYOND / worlds) * sqrt(variance / worlds)


def more_worlds(effect: float, variance: float, worlds: int) -> int | None:
    """How many more worlds show this effect with the power wanted; None if no feasible number does."""
    sizes = range(max(FEWEST_WORLDS, worlds), worlds + MOST_WORLDS + 1)
    needed = next((size for size in sizes if smallest_shown(variance, size) <= abs(effect)), None)
    return None if needed is None or effect == 0 else needed - worlds


CANDIDATES = (6, 8, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896)  # worlds, after which one pays
LATEST = 0.8  # of all worlds: an analysis between this and the end saves little
SPENDING = 0.85  # exponent of the share of worlds: of ten, six that agree are enough
GRID = 17  # means that are tested before the ends of an interval are refined
STEPS = 14  # of a bisection


def analyses_of(worlds: int) -> tuple[int, ...]:
    """After how many of its worlds a study is analysed: where something can be shown, and at its end."""
    early = takewhile(lambda size: size <= LATEST * worlds, CANDIDATES)
    return (*(size for size in early if least_p(size) <= share_spent(size, worlds)), worlds)


def share_spent(size: int, worlds: int, level: float = LEVEL) -> float:
    """Of all arrangements, those that may be rejected up to the analysis of this number of worlds."""
    return float(level * (size / worlds) ** SPENDING)


def is_rejected(tests: Floats, sizes: Sequence[int], level: float = LEVEL, signs: Floats | None = None) -> bool:
    """Whether an analysis up to now tells the agents apart by any column; rows and zeros are those of `corrected`."""
    signs = arrangements(sizes[-1]) if signs is None else signs
    left, rejected = np.ones(len(signs), dtype=bool), 0
    for size in sizes:
        if size > len(tests):
            break
        shares = np.min([tail_shares(column[:size], signs[:, :size]) for column in tests.T], axis=0)
        allowed = int(share_spent(size, sizes[-1], level) * len(signs) + CLOSE) - rejected
        limit = np.partition(shares[left], allowed)[allowed]  # of the first one that may not be rejected
        here = left & (shares < limit * (1 - CLOSE))
        if here[0]:
            return True
        left &= ~here
        rejected += int(here.sum())
    return False


def p_at(tests: Floats, sizes: Sequence[int]) -> float:
    """The smallest level at which the analyses up to now tell the agents apart."""
    low, high = (0.0, LEVEL) if is_rejected(tests, sizes) else (LEVEL, 1.0 - CLOSE)
    return _bisected(high, low, lambda level: is_rejected(tests, sizes, level))


def interval_at(gaps: Floats, sizes: Sequence[int]) -> Interval | None:
    """All means that no analysis up to now rejects; None where so few differences reject none.

    The interval is valid wherever the study stops. A world without a difference is NaN.
    """

    def is_kept(mean: float) -> bool:
        return not is_rejected(np.nan_to_num(gaps - mean)[:, None], sizes)

    low, high = float(np.nanmin(gaps)), float(np.nanmax(gaps))
    beyond = 1.0 + high - low
    if is_kept(low - beyond) or is_kept(high + beyond):
        return None
    kept = [mean for mean in np.linspace(low, high, GRID).tolist() if is_kept(mean)]
    if not kept:
        middle = float(np.nanmean(gaps))
        return middle, middle
    step = (high - low) / (GRID - 1) or beyond
    return _bisected(kept[0], kept[0] - step, is_kept), _bisected(kept[-1], kept[-1] + step, is_kept)


def _bisected(inside: float, outside: float, holds: Callable[[float], bool]) -> float:
    """The value furthest towards `outside` for which a condition still holds, as it does at `inside`."""
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside
