"""How two agents differ on one axis: paired world by world, or as two samples that have nothing in common."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from ecbench.compare.chance import (
    Interval,
    label_interval,
    least_p_of_labels,
    least_p_of_signs,
    share_interval,
    shuffled_labels,
    sign_flip,
    sign_interval,
)
from ecbench.compare.spread import VarianceParts, spread_of
from ecbench.metrics.axes import Axis
from ecbench.quantiles import LEVEL


@dataclass(frozen=True, slots=True)
class Difference:
    """One axis of a pair. None stands where there is no sample, or too small a one."""

    axis: Axis
    units: tuple[int, int]  # worlds, or years on the one world, that entered: of the first run and of the second
    first: float | None = None  # the run's own figure, over all its years that are compared
    second: float | None = None
    difference: float | None = None  # first less second, each as the mean over units
    interval: Interval | None = None  # None for final assets, whose ratio has one
    p: float | None = None
    p_adjusted: float | None = None  # corrected over axes and pairs
    wins: int | None = None  # worlds on which the first is better
    losses: int | None = None
    beats: float | None = None  # how likely a year of the first beats one of the second on a fresh world
    beats_interval: Interval | None = None
    spread: VarianceParts | None = None


class Duel(NamedTuple):
    """One world that both played: each one's figure over its years there, and the figures of those years."""

    one: float
    other: float
    years_of_one: Sequence[float]
    years_of_other: Sequence[float]


def no_difference(axis: Axis) -> Difference:
    """Where nothing may be compared."""
    return Difference(axis, (0, 0))


def paired(axis: Axis, duels: Sequence[Duel]) -> Difference:
    """Worlds are the units: what two years on one world have in common counts once."""
    units = len(duels)
    found = _estimated(axis, [duel.one for duel in duels], [duel.other for duel in duels])
    if units < 2:
        return found
    gaps, sign = [duel.one - duel.other for duel in duels], axis.score(1)
    won = [_share_won(duel.years_of_one, duel.years_of_other, sign) for duel in duels]
    years = max(min(len(duel.years_of_one), len(duel.years_of_other)) for duel in duels)
    found = replace(
        found,
        wins=sum(sign * gap > 0 for gap in gaps),
        losses=sum(sign * gap < 0 for gap in gaps),
        beats=fmean(won),
        beats_interval=share_interval(won, years),
        spread=spread_of([duel.years_of_one for duel in duels], [duel.years_of_other for duel in duels]),
    )
    if least_p_of_signs(units) > LEVEL:
        return found
    return replace(found, interval=sign_interval(gaps), p=sign_flip(gaps))


def apart(axis: Axis, ones: Sequence[float], others: Sequence[float]) -> Difference:
    """Two samples of single years, or of worlds that the other did not play."""
    found = _estimated(axis, ones, others)
    if not ones or not others or least_p_of_labels(len(ones), len(others)) > LEVEL:
        return found
    return replace(found, interval=label_interval(ones, others), p=shuffled_labels(ones, others))


def _estimated(axis: Axis, ones: Sequence[float], others: Sequence[float]) -> Difference:
    difference = fmean(ones) - fmean(others) if ones and others else None
    return Difference(axis, (len(ones), len(others)), difference=difference)


def _share_won(ones: Sequence[float], others: Sequence[float], sign: float) -> float:
    """Of all pairs of a year of one and a year of the other on a world; a draw is half a win."""
    outcomes = [sign * (one - other) for one in ones for other in others]
    return fmean(1.0 if outcome > 0 else 0.5 if outcome == 0 else 0.0 for outcome in outcomes)
