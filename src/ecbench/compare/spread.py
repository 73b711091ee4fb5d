"""Where the noise of a comparison comes from: years, worlds, and what a world does to one agent alone.

    figure of a year = agent + world + (agent, world) + year

All in the figure's own unit, as standard deviations. A world that is kind to both agents alike leaves their difference
alone; the other two parts do not, and more years per world shrink the last one only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import covariance, fmean, harmonic_mean, variance

Cells = Sequence[Sequence[float]]
"""The figures of an agent's years, world by world."""


@dataclass(frozen=True, slots=True)
class VarianceParts:
    worlds: float | None
    interaction: float | None  # with the years' own in it where no world was played twice
    years: float | None  # None where no world was played twice


def spread_of(ones: Cells, others: Cells) -> VarianceParts:
    """Of two agents on the same worlds, each cell with at least one year; estimates below zero count as zero."""
    within = _within([*ones, *others])
    if len(ones) < 2:
        return VarianceParts(None, None, _root(within))
    first, second = [fmean(cell) for cell in ones], [fmean(cell) for cell in others]
    left = variance([one - other for one, other in zip(first, second, strict=True)]) / 2
    per_cell = harmonic_mean([len(cell) for cell in (*ones, *others)])
    interaction = left if within is None else left - within / per_cell
    return VarianceParts(_root(covariance(first, second)), _root(interaction), _root(within))


def _within(cells: Cells) -> float | None:
    """Variance within cells, pooled over those with at least two years."""
    repeated = [cell for cell in cells if len(cell) > 1]
    freedom = sum(len(cell) - 1 for cell in repeated)
    return sum(variance(cell) * (len(cell) - 1) for cell in repeated) / freedom if freedom else None


def _root(value: float | None) -> float | None:
    return None if value is None else sqrt(max(0.0, value))
