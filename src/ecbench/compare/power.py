"""What a number of worlds can show, and how many a difference takes.

A test shows a difference when it finds it at the 5% level, two-sided, in its true direction. The test of few worlds is
less powerful than Student's, and the spread is only estimated: `benchmarks/coverage.py --calibrate` finds by simulation
how many estimated standard errors a true difference takes.
"""

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist

from ecbench.quantiles import LEVEL

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
