"""The sign-flip test at interim analyses, whose numbers of worlds are fixed in advance.

At each analysis the signs of all differences so far are turned in all arrangements. Those that are furthest from zero
are rejected, as many as the share of the level that may be spent by then, less those that earlier analyses rejected.
So two equal agents are told apart in at most 5% of studies over all analyses together, whatever the law of the
differences, if they scatter evenly to both sides of their mean.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

import numpy as np
import numpy.typing as npt

from ecbench.compare.chance import CLOSE, Floats, Interval, least_p_of_signs, signs
from ecbench.quantiles import LEVEL

CANDIDATES = (6, 8, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896)  # worlds, after which one pays
LATEST = 0.8  # of all worlds: an analysis between this and the end saves little
SPENDING = 0.85  # exponent of the share of worlds: of ten, six that agree are enough
GRID = 33  # means that are tested before the ends of an interval are refined
STEPS = 30  # of a bisection
ROOM = 2_000_000  # sums in memory at a time

Numbers = npt.NDArray[np.intp]


def analyses_of(worlds: int) -> tuple[int, ...]:
    """After how many worlds a study of so many is analysed: where something can be shown, and at its end."""
    early = takewhile(lambda size: size <= LATEST * worlds, CANDIDATES)
    return (*(size for size in early if least_p_of_signs(size) <= share_spent(size, worlds)), worlds)


def share_spent(size: int, worlds: int, level: float = LEVEL) -> float:
    """Of all arrangements, those that may be rejected up to the analysis of so many worlds."""
    return float(level * (size / worlds) ** SPENDING)


def first_rejections(
    studies: Floats, sizes: Sequence[int], level: float = LEVEL, turned: Floats | None = None
) -> Numbers:
    """By row: the number of the first analysis that rejects a mean of zero, and that of all analyses if none does.

    A row has the differences of a study in the order of its worlds, as far as it has got. `turned` are the signs of
    arrangements, the observed one first.
    """
    turned = _turned(sizes[-1]) if turned is None else turned
    rows = max(1, ROOM // len(turned))
    parts = [_rejections(studies[at : at + rows], sizes, level, turned) for at in range(0, len(studies), rows)]
    return np.concatenate(parts)


def interval_at(gaps: Sequence[float], sizes: Sequence[int]) -> Interval | None:
    """All means that no analysis up to now rejects; None where so few differences reject none.

    Whenever a study stops, this interval contains the true mean with 95% probability.
    """
    values = np.array(gaps, dtype=float)

    def rejected(means: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray(first_rejections(values - means[:, None], sizes) < len(sizes))

    low, high = float(values.min()), float(values.max())
    beyond = 1.0 + high - low
    if not rejected(np.array([low - beyond, high + beyond])).all():
        return None
    means = np.linspace(low, high, GRID)
    kept = means[~rejected(means)]
    if not len(kept):
        middle = float(values.mean())
        return middle, middle
    step = (high - low) / (GRID - 1) or beyond
    inner, outer = np.array([kept[0], kept[-1]]), np.array([kept[0] - step, kept[-1] + step])
    for _ in range(STEPS):
        middle_of = (inner + outer) / 2
        out = rejected(middle_of)
        inner, outer = np.where(out, inner, middle_of), np.where(out, middle_of, outer)
    return float(inner[0]), float(inner[1])


def p_at(gaps: Sequence[float], sizes: Sequence[int]) -> float:
    """The smallest level at which the analyses up to now reject a mean of zero."""
    study = np.array([gaps], dtype=float)

    def is_rejected(level: float) -> bool:
        return bool(first_rejections(study, sizes, level)[0] < len(sizes))

    low, high = (0.0, LEVEL) if is_rejected(LEVEL) else (LEVEL, 1.0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_rejected(middle) else (middle, high)
    return high


def _rejections(studies: Floats, sizes: Sequence[int], level: float, turned: Floats) -> Numbers:
    count, never = len(turned), len(sizes)
    sums, left = np.zeros((len(studies), count)), np.ones((len(studies), count), dtype=bool)
    found, rejected, begin = np.full(len(studies), never), np.zeros(len(studies), dtype=np.intp), 0
    for number, size in enumerate(sizes):
        if size > studies.shape[1]:
            break
        sums += studies[:, begin:size] @ turned[:, begin:size].T
        begin = size
        distances = np.where(left, np.abs(sums), -1.0)
        most = min(count - 1, int(share_spent(size, sizes[-1], level) * count + CLOSE))
        largest = np.sort(np.partition(distances, count - 1 - most, axis=1)[:, count - 1 - most :], axis=1)
        limit = np.take_along_axis(largest, rejected[:, None], axis=1)  # the largest one that may not be rejected
        here = left & (distances > limit * (1 + CLOSE))
        found[here[:, 0] & (found == never)] = number
        rejected += here.sum(axis=1)
        left &= ~here
    return found


@lru_cache(maxsize=8)
def _turned(units: int) -> Floats:
    """Signs of all arrangements, the observed one first; opposite ones, which have sums of the same size, once."""
    arranged = signs(units)
    chosen = arranged.chosen[: len(arranged.chosen) // 2] if arranged.exact else arranged.chosen
    own = [] if arranged.exact else [np.zeros((1, units))]
    return np.asarray(1 - 2 * np.concatenate([*own, chosen]))
