"""How two agents differ on one axis: paired world by world, or as two samples that have nothing in common."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np

from ecbench.compare.chance import (
    Floats,
    Interval,
    bootstrap_interval,
    least_p_of_labels,
    least_p_of_signs,
    resamples,
    shuffled_labels,
    sign_flip,
    wilson,
)
from ecbench.compare.power import smallest_seen, units_needed
from ecbench.compare.spread import VarianceParts, spread_of
from ecbench.metrics.axes import Axis
from ecbench.quantiles import LEVEL

WORTH_SEEING = 0.2  # of the second run's mean


@dataclass(frozen=True, slots=True)
class Difference:
    """One axis of a pair. None stands where there is no sample, or too small a one for what was asked."""

    axis: Axis
    units: tuple[int, int]  # worlds, or years on the one world, that entered: of the first run and of the second
    first: float | None
    second: float | None
    difference: float | None = None  # first less second
    interval: Interval | None = None
    ratio: float | None = None  # first over second
    ratio_interval: Interval | None = None
    p: float | None = None
    p_holm: float | None = None
    wins: int | None = None  # worlds on which the first is better
    losses: int | None = None
    beats: float | None = None  # how likely a year of the first beats one of the second on a fresh world
    beats_interval: Interval | None = None
    spread: VarianceParts | None = None
    smallest_seen: float | None = None  # the smallest difference that such data show in four of five cases
    units_for_20_percent: int | None = None  # of each run, to show a difference of a fifth of the second's mean

    @property
    def more_for_20_percent(self) -> int | None:
        return None if self.units_for_20_percent is None else max(0, self.units_for_20_percent - min(self.units))


class Duel(NamedTuple):
    """One world that both played: each one's figure over its years there, and the figures of those years."""

    one: float
    other: float
    years_of_one: Sequence[float]
    years_of_other: Sequence[float]


def no_difference(axis: Axis) -> Difference:
    """Where nothing may be compared."""
    return Difference(axis, (0, 0), None, None)


def paired(axis: Axis, duels: Sequence[Duel]) -> Difference:
    """Worlds are the units: what two years on one world have in common counts once."""
    one = np.array([duel.one for duel in duels], dtype=float)
    other = np.array([duel.other for duel in duels], dtype=float)
    units = len(duels)
    found = _estimated(axis, one, other)
    if units < 2:
        return found
    gaps, sign = one - other, axis.score(1)
    beats = fmean(_share_won(duel.years_of_one, duel.years_of_other, sign) for duel in duels)
    found = replace(
        found,
        wins=int((sign * gaps > 0).sum()),
        losses=int((sign * gaps < 0).sum()),
        beats=beats,
        beats_interval=wilson(beats, units),
        spread=spread_of([duel.years_of_one for duel in duels], [duel.years_of_other for duel in duels]),
    )
    found = _with_power(found, variance(gaps.tolist()), units, paired=True)
    if least_p_of_signs(units) > LEVEL:
        return found
    drawn = resamples(units)
    return replace(
        found,
        interval=bootstrap_interval(gaps[drawn].mean(axis=1), units),
        ratio_interval=_ratio_interval(one[drawn].mean(axis=1), other[drawn].mean(axis=1), units, found.ratio),
        p=sign_flip(gaps.tolist()),
    )


def apart(axis: Axis, ones: Sequence[float], others: Sequence[float]) -> Difference:
    """Two samples of single years, or of worlds that the other did not play."""
    one, other = np.array(ones, dtype=float), np.array(others, dtype=float)
    fewer = min(len(ones), len(others))
    found = _estimated(axis, one, other)
    if fewer > 1:
        found = _with_power(found, variance(ones) + variance(others), fewer, paired=False)
    if not fewer or least_p_of_labels(len(ones), len(others)) > LEVEL:
        return found
    first = one[resamples(len(ones), "first")].mean(axis=1)
    second = other[resamples(len(others), "second")].mean(axis=1)
    return replace(
        found,
        interval=bootstrap_interval(first - second, fewer),
        ratio_interval=_ratio_interval(first, second, fewer, found.ratio),
        p=shuffled_labels(ones, others),
    )


def _estimated(axis: Axis, one: Floats, other: Floats) -> Difference:
    first, second = (float(values.mean()) if len(values) else None for values in (one, other))
    found = Difference(axis, (len(one), len(other)), first, second)
    if first is None or second is None:
        return found
    return replace(found, difference=first - second, ratio=first / second if first > 0 and second > 0 else None)


def _with_power(found: Difference, spread: float, units: int, *, paired: bool) -> Difference:
    worth = WORTH_SEEING * abs(found.second or 0.0)
    freedom = units - 1 if paired else 2 * (units - 1)
    return replace(
        found,
        smallest_seen=smallest_seen(spread, units, freedom),
        units_for_20_percent=units_needed(worth, spread, paired=paired),
    )


def _ratio_interval(firsts: Floats, seconds: Floats, units: int, ratio: float | None) -> Interval | None:
    """None where a sample has a mean of zero or below, for which a ratio means nothing."""
    if ratio is None or firsts.min() <= 0 or seconds.min() <= 0:
        return None
    return bootstrap_interval(firsts / seconds, units)


def _share_won(ones: Sequence[float], others: Sequence[float], sign: float) -> float:
    """Of all pairs of a year of one and a year of the other on a world; a draw is half a win."""
    outcomes = [sign * (one - other) for one in ones for other in others]
    return fmean(1.0 if outcome > 0 else 0.5 if outcome == 0 else 0.0 for outcome in outcomes)
