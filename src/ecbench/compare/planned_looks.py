"""The sign-flip test at looks that are planned in advance, and what it says about a mean.

At each look the signs of all differences so far are turned in all arrangements. Those that are furthest from zero are
rejected, as many as the share of the level that may be spent by then, less those that earlier looks rejected. So two
equal agents are told apart in at most 5% of studies over all looks together, whatever the law of the differences, if
only they scatter evenly to both sides of their mean.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

import numpy as np
import numpy.typing as npt

from ecbench.compare.chance import CLOSE, Floats, Interval, least_p_of_signs, signs
from ecbench.quantiles import LEVEL

CANDIDATES = (6, 8, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896)  # worlds after which a look pays
LATEST = 0.8  # of all worlds: a look between this and the end saves little
SPENDING = 0.85  # exponent of the share of worlds: of ten, six that agree are enough
GRID = 33  # means that are tested before the ends of an interval are refined
STEPS = 30  # of a bisection
ROOM = 2_000_000  # sums in memory at a time

Places = npt.NDArray[np.intp]


def looks_of(worlds: int) -> tuple[int, ...]:
    """After how many worlds a study of so many is looked at: where something can be shown, and at its end."""
    early = takewhile(lambda look: look <= LATEST * worlds, CANDIDATES)
    return (*(look for look in early if least_p_of_signs(look) <= share_spent(look, worlds)), worlds)


def share_spent(look: int, worlds: int, level: float = LEVEL) -> float:
    """Of all arrangements, those that may be rejected up to this look."""
    return float(level * (look / worlds) ** SPENDING)


def first_rejections(
    studies: Floats, looks: Sequence[int], level: float = LEVEL, turned: Floats | None = None
) -> Places:
    """By row: the number of the first look at which a mean of zero is rejected, and that of all looks if none does.

    A row has the differences of a study in the order of its worlds, as far as it has got. `turned` are the signs of
    arrangements, the observed one first.
    """
    turned = _turned(looks[-1]) if turned is None else turned
    rows = max(1, ROOM // len(turned))
    parts = [_rejections(studies[at : at + rows], looks, level, turned) for at in range(0, len(studies), rows)]
    return np.concatenate(parts)


def interval_at(gaps: Sequence[float], looks: Sequence[int]) -> Interval | None:
    """All means that no look up to now rejects; None where so few differences reject none.

    Whenever a study stops, this interval holds the true mean with 95% probability.
    """
    values = np.array(gaps, dtype=float)

    def rejected(means: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray(first_rejections(values - means[:, None], looks) < len(looks))

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


def p_at(gaps: Sequence[float], looks: Sequence[int]) -> float:
    """The smallest level at which the looks up to now reject a mean of zero."""
    study = np.array([gaps], dtype=float)

    def is_rejected(level: float) -> bool:
        return bool(first_rejections(study, looks, level)[0] < len(looks))

    low, high = (0.0, LEVEL) if is_rejected(LEVEL) else (LEVEL, 1.0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_rejected(middle) else (middle, high)
    return high


def _rejections(studies: Floats, looks: Sequence[int], level: float, turned: Floats) -> Places:
    count, never = len(turned), len(looks)
    sums, left = np.zeros((len(studies), count)), np.ones((len(studies), count), dtype=bool)
    found, rejected, begin = np.full(len(studies), never), np.zeros(len(studies), dtype=np.intp), 0
    for number, look in enumerate(looks):
        if look > studies.shape[1]:
            break
        sums += studies[:, begin:look] @ turned[:, begin:look].T
        begin = look
        sizes = np.where(left, np.abs(sums), -1.0)
        most = min(count - 1, int(share_spent(look, looks[-1], level) * count + CLOSE))
        largest = np.sort(np.partition(sizes, count - 1 - most, axis=1)[:, count - 1 - most :], axis=1)
        limit = np.take_along_axis(largest, rejected[:, None], axis=1)  # the largest one that may not be rejected
        here = left & (sizes > limit * (1 + CLOSE))
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
