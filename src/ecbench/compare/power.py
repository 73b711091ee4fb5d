"""What a sample can show: power of Student's t test, and how many units a difference takes.

Units are worlds that both agents played, or single years where there is only one world. A test shows a difference when
it finds it at the 5% level, two-sided, in its true direction.
"""

from functools import lru_cache
from itertools import count
from math import ceil, erf, sqrt
from statistics import NormalDist

import numpy as np

from ecbench.quantiles import LEVEL, student

CHANCE = 0.8  # the power wanted
MOST = 1_000_000  # a larger sample is not looked for
MANY = 300  # from here on Student's t is the normal law but for a constant
NORMAL_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(CHANCE)
GRID = 200  # points of an integral; smooth but for the smallest samples
FINE_GRID = 2_000
STEPS = 40  # of a bisection


def exceeding(critical: float, freedom: float, shift: float = 0.0) -> float:
    """How often Student's t, noncentral by `shift`, exceeds a value: averaged over what the sample's spread may be."""
    points = GRID if freedom > 3 else FINE_GRID
    spread = (np.arange(points) + 0.5) * (1 + 10 / sqrt(2 * freedom)) / points
    weight = np.exp((freedom - 1) * np.log(spread) - freedom * (spread**2 - 1) / 2)
    above = np.array([normal_below(shift - critical * value) for value in spread])
    return float((weight * above).sum() / weight.sum())


def normal_below(value: float) -> float:
    return (1 + erf(value / sqrt(2))) / 2


def power(effect: float, variance: float, units: int, freedom: float) -> float:
    """How often `units` differences of this variance show an effect, in its true direction."""
    if variance == 0:
        return 1.0
    return exceeding(student(freedom), freedom, effect * sqrt(units / variance))


@lru_cache(maxsize=4096)
def seen_in_errors(freedom: float) -> float:
    """The difference that is shown with the power wanted, in standard errors of the difference."""
    low, high = 0.0, 1e3
    for _ in range(STEPS):
        middle = (low + high) / 2
        shown = exceeding(student(freedom), freedom, middle) >= CHANCE
        low, high = (low, middle) if shown else (middle, high)
    return high


def smallest_seen(variance: float, units: int, freedom: float) -> float:
    """The smallest difference that `units` differences of this variance show with the power wanted."""
    return seen_in_errors(freedom) * sqrt(variance / units)


def units_needed(effect: float, variance: float, *, paired: bool) -> int | None:
    """Fewest units of each agent that show this effect; two at least, since one has no spread. None beyond reason.

    `variance` is that of one unit's difference: of a pair, or of one agent's unit and the other's together.
    """
    if effect <= 0:
        return None
    at_least = max(2, ceil(NORMAL_ERRORS**2 * variance / effect**2))  # if the spread were known
    if at_least > MOST:
        return None
    if at_least > MANY:
        return at_least + (2 if paired else 1)  # what not knowing it costs, however many there are
    return next(units for units in count(at_least) if smallest_seen(variance, units, _freedom(units, paired)) <= effect)


def _freedom(units: int, paired: bool) -> int:
    return units - 1 if paired else 2 * (units - 1)
