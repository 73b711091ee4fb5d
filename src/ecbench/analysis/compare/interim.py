"""The sign-flip test at interim analyses, whose numbers of worlds are fixed in advance.

At each analysis the signs of all worlds so far are turned in all arrangements. Those that are furthest from what equal
agents give are rejected, as many as the share of the level that may be spent by then, less those that earlier analyses
rejected. So two equal agents are told apart in at most 5% of studies over all analyses together, whatever the law of
the differences, if they scatter evenly to both sides of their mean.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np

from ecbench.analysis.compare.chance import CLOSE, Floats, Interval, arrangements, least_p, tail_shares
from ecbench.quantiles import LEVEL

CANDIDATES = (6, 8, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896)  # worlds, after which one pays
LATEST = 0.8  # of all worlds: an analysis between this and the end saves little
SPENDING = 0.85  # exponent of the share of worlds: of ten, six that agree are enough
GRID = 17  # means that are tested before the ends of an interval are refined
STEPS = 14  # of a bisection


def analyses_of(worlds: int) -> tuple[int, ...]:
    """After how many worlds a study of so many is analysed: where something can be shown, and at its end."""
    early = takewhile(lambda size: size <= LATEST * worlds, CANDIDATES)
    return (*(size for size in early if least_p(size) <= share_spent(size, worlds)), worlds)


def share_spent(size: int, worlds: int, level: float = LEVEL) -> float:
    """Of all arrangements, those that may be rejected up to the analysis of so many worlds."""
    return float(level * (size / worlds) ** SPENDING)


def is_rejected(tests: Floats, sizes: Sequence[int], level: float = LEVEL, signs: Floats | None = None) -> bool:
    """Whether an analysis up to now tells the agents apart by any column.

    A row of `tests` is a world, in their order and as far as the study has got; zero stands where it has no value.
    """
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

    Whenever a study stops, this interval contains the true mean with 95% probability. A world without a difference is
    NaN.
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
