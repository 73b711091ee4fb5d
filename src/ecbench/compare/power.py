"""What a sample can show, and how many units a difference takes.

Units are worlds that both agents played, or single years where there is only one world. A test shows a difference when
it finds it at the 5% level, two-sided, in its true direction. The tests of few units are less powerful than Student's,
and the spread is only estimated: `benchmarks/coverage.py --calibrate` finds by simulation how many estimated standard
errors a true difference takes.
"""

from collections.abc import Mapping
from itertools import count
from math import ceil, erf, sqrt
from statistics import NormalDist

import numpy as np

from ecbench.quantiles import LEVEL, student

CHANCE = 0.8  # the power wanted
MOST = 1_000_000  # a larger sample is not looked for
NORMAL_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(CHANCE)
GRID = 200  # points of an integral; smooth but for the smallest samples
FINE_GRID = 2_000
STEPS = 40  # of a bisection
FEWEST_PAIRS, FEWEST_OF_EACH = 5, 4  # units that can show anything
PAIRED_ERRORS: Mapping[int, float] = {
    5: 4.68, 6: 5.24, 7: 4.07, 8: 3.80, 9: 3.63, 10: 3.49, 11: 3.41, 12: 3.33,
}  # fmt: skip
APART_ERRORS: Mapping[int, float] = {4: 4.72, 5: 3.65, 6: 3.40}
PAIRED_BEYOND, APART_BEYOND = 6.4, 3.3  # what the standard errors of more units exceed the normal law's by, times units


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


def errors_shown(units: int, *, paired: bool) -> float:
    """The true difference that is shown with the power wanted, in standard errors as such a sample estimates them."""
    known, beyond = (PAIRED_ERRORS, PAIRED_BEYOND) if paired else (APART_ERRORS, APART_BEYOND)
    return known.get(units, NORMAL_ERRORS + beyond / units)


def smallest_shown(variance: float, units: int, *, paired: bool) -> float:
    """The smallest true difference that a sample like this one shows with the power wanted.

    `variance` is that of one unit's difference: of a pair, or of one agent's unit and the other's together.
    """
    return errors_shown(units, paired=paired) * sqrt(variance / units)


def units_needed(effect: float, variance: float, *, paired: bool) -> int | None:
    """Fewest units of each agent that show this effect with the power wanted; None beyond reason."""
    if effect <= 0:
        return None
    at_least = max(FEWEST_PAIRS if paired else FEWEST_OF_EACH, ceil(NORMAL_ERRORS**2 * variance / effect**2))
    if at_least > MOST:
        return None
    return next(units for units in count(at_least) if smallest_shown(variance, units, paired=paired) <= effect)
