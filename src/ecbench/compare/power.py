"""What a sample can show, how many units a difference takes, and where the noise comes from.

Units are worlds that both agents played, or single years if there is only one world. A test shows a difference when it
finds it at the 5% level, two-sided, in its true direction. The tests of few units are less powerful than Student's, and
the spread is only estimated: `benchmarks/coverage.py --calibrate` finds by simulation how many estimated standard
errors a true difference takes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, sqrt
from statistics import NormalDist, covariance, fmean, harmonic_mean, variance

from ecbench.quantiles import LEVEL

CHANCE = 0.8  # the power wanted
MOST = 1_000_000  # a larger sample is not looked for
NORMAL_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(CHANCE)
FEWEST_PAIRS, FEWEST_OF_EACH = 6, 4  # units whose smallest p is 5% or less
PAIRED_ERRORS: Mapping[int, float] = {6: 5.24, 7: 4.07, 8: 3.80, 9: 3.63, 10: 3.49, 11: 3.41, 12: 3.33}
APART_ERRORS: Mapping[int, float] = {4: 4.72, 5: 3.65, 6: 3.40}
PAIRED_BEYOND, APART_BEYOND = 6.4, 3.3  # what the standard errors of more units exceed the normal law's by, times units

Cells = Sequence[Sequence[float]]
"""The figures of an agent's years, world by world."""


def smallest_shown(variance: float, units: int, *, paired: bool) -> float:
    """The smallest true difference that a sample like this one shows with the power wanted.

    `variance` is that of one unit's difference: of a pair, or of one agent's unit and the other's together.
    """
    known, beyond = (PAIRED_ERRORS, PAIRED_BEYOND) if paired else (APART_ERRORS, APART_BEYOND)
    return known.get(units, NORMAL_ERRORS + beyond / units) * sqrt(variance / units)


def units_needed(effect: float, variance: float, *, paired: bool) -> int | None:
    """Fewest units of each agent that show this effect with the power wanted; None beyond reason."""
    if effect <= 0:
        return None
    at_least = max(FEWEST_PAIRS if paired else FEWEST_OF_EACH, ceil(NORMAL_ERRORS**2 * variance / effect**2))
    if at_least > MOST:
        return None
    return next(units for units in count(at_least) if smallest_shown(variance, units, paired=paired) <= effect)


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of the parts of a year's figure: agent + world + (agent, world) + year.

    A world that is kind to both agents alike leaves their difference alone. The other two parts do not, and more years
    per world shrink the last one only.
    """

    worlds: float | None = None
    interaction: float | None = None  # with the years' own in it if no world was played twice
    years: float | None = None  # None if no world was played twice


def spread_of(ones: Cells, others: Cells) -> Spread:
    """Of two agents on the same worlds, each cell with at least one year; estimates below zero count as zero."""
    within = _within([*ones, *others])
    if len(ones) < 2:
        return Spread(years=_root(within))
    first, second = [fmean(cell) for cell in ones], [fmean(cell) for cell in others]
    left = variance([one - other for one, other in zip(first, second, strict=True)]) / 2
    per_cell = harmonic_mean([len(cell) for cell in (*ones, *others)])
    interaction = left if within is None else left - within / per_cell
    return Spread(_root(covariance(first, second)), _root(interaction), _root(within))


def _within(cells: Cells) -> float | None:
    """Variance within cells, pooled over those with at least two years."""
    repeated = [cell for cell in cells if len(cell) > 1]
    freedom = sum(len(cell) - 1 for cell in repeated)
    return sum(variance(cell) * (len(cell) - 1) for cell in repeated) / freedom if freedom else None


def _root(value: float | None) -> float | None:
    return None if value is None else sqrt(max(0.0, value))
