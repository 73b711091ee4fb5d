"""Which of two agents is better, by how much, and whether that is shown: the one primary test of a comparison.

The test compares logarithms of final assets, since agents differ by factors, or skill where the rules rank by it, which
is a logarithm already. Each unit enters with one figure: a world with the mean of its years there, or a single year
where there is one world. A unit that kept less than a hundredth of the stake counts in the logarithm as if it had kept
that much. Such a floor is our choice, and a ratio over worlds would depend on it: the ratio is then that of the means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import fmean, stdev, variance
from typing import Any, Literal, NamedTuple

from ecbench.compare.chance import (
    Interval,
    label_interval,
    least_p_of_labels,
    shuffled_labels,
    sign_flip,
    sign_interval,
)
from ecbench.compare.power import FEWEST_OF_EACH, FEWEST_PAIRS, exceeding, smallest_shown, units_needed
from ecbench.number_words import MISSING, yuan
from ecbench.quantiles import LEVEL, mean_interval

KEPT = 0.01  # of the stake: the least that enters a logarithm
LEAST_SHOWN_P = 0.0001
COUNTED_FROM = FEWEST_PAIRS + 1  # worlds, from which on the signs can be counted

Test = Literal["signs", "student", "labels", "looks", ""]


@dataclass(frozen=True, slots=True)
class PlannedStop:
    """Where a study with planned looks stands: its interval and p hold wherever it stops."""

    worlds: int  # up to the last look; 0 before the first
    planned: int
    excluded: float | None  # the ratio of final assets that is excluded in both directions

    @property
    def is_early(self) -> bool:
        return self.worlds < self.planned


class Means(NamedTuple):
    """The mean final assets of two runs, and the stake of a year."""

    first: float
    second: float
    stake: float

    @property
    def both_lose(self) -> bool:
        return max(self.first, self.second) < self.stake


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of the first run over the second. None stands where the sample is too small."""

    units: tuple[int, int]
    ratio: float | None  # of final assets: the geometric mean over units; None where skill is compared
    interval: Interval | None = None  # of the ratio, or of the difference
    test: Test = ""
    p: float | None = None
    p_adjusted: float | None = None  # over all pairs of the command
    shown_from: float | None = None  # the smallest true ratio or difference that such data show in four of five cases
    more_units: int | None = None  # units of each that would show this effect in four of five cases, beside these
    difference: float | None = None  # of skill, where that is compared
    stop: PlannedStop | None = None  # of a run with planned looks
    means: Means | None = None  # of the final assets that are compared
    clamped: bool = False  # whether a unit ended below the least that enters a logarithm

    @property
    def stated_ratio(self) -> float | None:
        """The ratio over units, or that of the means if a unit was clamped; None if there is none, or if the means
        and the test disagree on who is better."""
        if self.ratio is None or not self.clamped:
            return self.ratio
        if self.ratio == 1 or self.means is None or min(self.means.first, self.means.second) <= 0:
            return None
        ratio = self.means.first / self.means.second
        return ratio if (ratio > 1) == (self.ratio > 1) else None

    @property
    def stated_interval(self) -> Interval | None:
        return None if self.clamped else self.interval

    @property
    def first_is_better(self) -> bool:
        return (self.ratio or 0.0) > 1 or (self.difference or 0.0) > 0

    @property
    def shown(self) -> bool:
        return self.p_adjusted is not None and self.p_adjusted <= LEVEL


Scale = Literal["logarithm", "skill"]


def _found(units: tuple[int, int], effect: float, scale: Scale, **found: Any) -> Verdict:
    """Effects on a logarithmic scale are stated as ratios."""
    if scale == "skill":
        return Verdict(units, None, difference=effect, **found)
    for name in ("interval", "shown_from"):
        value = found.get(name)
        found[name] = tuple(map(exp, value)) if isinstance(value, tuple) else value if value is None else exp(value)
    return Verdict(units, exp(effect), **found)


def log_assets(assets: float, stake: float) -> float:
    return log(max(assets, least_assets(stake)))


def least_assets(stake: float) -> float:
    return max(1.0, KEPT * stake)


def paired_verdict(gaps: Sequence[float], scale: Scale = "logarithm") -> Verdict:
    """From the logarithm of one agent's final assets over the other's, or from what its skill is more, by world that
    both played.

    From six worlds on the signs are counted. On five that could not reach 5%, and Student's t decides.
    """
    units, effect = len(gaps), fmean(gaps)
    if units < FEWEST_PAIRS:
        more = _more(effect, variance(gaps), units, paired=True)
        return _found((units, units), effect, scale, more_units=more)
    counted = units >= COUNTED_FROM
    interval = sign_interval(gaps) if counted else mean_interval(gaps)
    assert interval is not None
    return _found(
        (units, units),
        effect,
        scale,
        interval=interval,
        test="signs" if counted else "student",
        p=sign_flip(gaps) if counted else student_p(gaps),
        shown_from=smallest_shown(variance(gaps), units, paired=True),
        more_units=_more(effect, variance(gaps), units, paired=True),
    )


def planned_verdict(gaps: Sequence[float], stop: PlannedStop, scale: Scale, **found: Any) -> Verdict:
    """From the same differences at a look of a plan; `found` are its interval and p, which hold wherever it stops."""
    if not gaps:
        return Verdict((0, 0), None, stop=stop)
    more = _more(fmean(gaps), variance(gaps), len(gaps), paired=True)
    return _found((len(gaps), len(gaps)), fmean(gaps), scale, test="looks", more_units=more, stop=stop, **found)


def apart_verdict(ones: Sequence[float], others: Sequence[float], scale: Scale = "logarithm") -> Verdict:
    """From the logarithms of two samples, or their skill: years on one world, or worlds that the other did not play."""
    units, effect = (len(ones), len(others)), fmean(ones) - fmean(others)
    fewer = min(units)
    if fewer < 2:
        return _found(units, effect, scale)
    spread = variance(ones) + variance(others)
    more = _more(effect, spread, fewer, paired=False)
    if least_p_of_labels(*units) > LEVEL:
        return _found(units, effect, scale, more_units=more)
    shown_from = smallest_shown(spread, fewer, paired=False) if fewer >= FEWEST_OF_EACH else None
    return _found(
        units,
        effect,
        scale,
        interval=label_interval(ones, others),
        test="labels",
        p=shuffled_labels(ones, others),
        shown_from=shown_from,
        more_units=more,
    )


def student_p(gaps: Sequence[float]) -> float:
    """Of Student's t test for a mean of zero."""
    mean, spread = fmean(gaps), stdev(gaps)
    if spread == 0:
        return 1.0 if mean == 0 else 0.0
    return 2 * exceeding(abs(mean) / spread * sqrt(len(gaps)), len(gaps) - 1)


def _more(effect: float, spread: float, units: int, *, paired: bool) -> int | None:
    needed = units_needed(abs(effect), spread, paired=paired)
    return None if needed is None else max(0, needed - units)


def sentence(verdict: Verdict, first: str, second: str, ground: str, unit: str, pairs: int) -> str:
    """The answer in one line, the better agent first."""
    if verdict.stop and not verdict.stop.worlds:
        return f"{first} and {second}: the first planned look is still to come."
    both_lose = "; both lose money" if verdict.means and verdict.means.both_lose else ""
    if verdict.ratio == 1 or verdict.difference == 0:
        money = "do equally well" if verdict.clamped else "end with the same assets"
        same = money if verdict.ratio else "have the same skill"
        return f"{first} and {second} {same} on {ground}{both_lose}."
    if verdict.ratio is None:
        said, bounds = _more_skill(verdict, first, second)
    else:
        said, bounds = _more_money(verdict, first, second)
    if bounds:
        said += f" (95%{', valid under stopping' if verdict.stop else ''}: {bounds[0]} to {bounds[1]})"
    among = f" over {pairs:,} pairs" if pairs > 1 else ""
    found = "" if verdict.p_adjusted is None else f"{p_equals(verdict.p_adjusted)}{among}, "
    if verdict.shown:
        return f"{said}{both_lose}; {found}{ground}."
    return f"{said}{both_lose}; inconclusive, {found}{ground}; {_outlook(verdict, unit)}."


def stop_ground(ground: str, stop: PlannedStop | None) -> str:
    """The ground of a sentence, with where planned looks stopped."""
    if stop is None:
        return ground
    return f"{ground} of {stop.planned:,}, stopped early" if stop.is_early else f"{ground} with planned looks"


def _more_money(verdict: Verdict, first: str, second: str) -> tuple[str, list[str]]:
    turned, ratio = not verdict.first_is_better, verdict.stated_ratio
    richer, poorer = (second, first) if turned else (first, second)
    if ratio is None:
        means = verdict.means and ((verdict.means[1], verdict.means[0]) if turned else verdict.means[:2])
        stated = f" (means: {yuan(means[0])} and {yuan(means[1])})" if means else ""
        return f"{richer} typically ends with more than {poorer}{stated}", []
    ratios = [ratio, *(verdict.stated_interval or ())]
    factor, *bounds = times(*(1 / each for each in (ratios[0], *ratios[:0:-1]))) if turned else times(*ratios)
    return f"{richer} ends with {factor} times the assets of {poorer}", bounds


def _more_skill(verdict: Verdict, first: str, second: str) -> tuple[str, list[str]]:
    more, bounds = verdict.difference or 0.0, list(verdict.interval or ())
    if more < 0:
        first, second, more, bounds = second, first, -more, [-each for each in bounds[::-1]]
    return f"{first} has {more:.3f} more skill than {second}", [f"{each:.3f}" for each in bounds]


def _outlook(verdict: Verdict, unit: str) -> str:
    if verdict.p is not None and verdict.p <= LEVEL:
        return f"{p_equals(verdict.p)} for this pair alone"
    if min(verdict.units) < 2:
        return f"at least {FEWEST_PAIRS} worlds that both played are needed"
    if verdict.stop and verdict.stop.excluded:
        return f"a difference of {times(verdict.stop.excluded)[0]} times or more is excluded"
    if verdict.more_units is None:
        return f"no number of {unit} would show so small a difference"
    return f"about {max(1, verdict.more_units):,} more {unit} would show it"


def p_text(value: float | None) -> str:
    """p as a cell of a table shows it."""
    if value is None:
        return MISSING
    return f"<{LEAST_SHOWN_P}" if value < LEAST_SHOWN_P else f"{value:.3g}" if value < 0.001 else f"{value:.3f}"


def p_equals(value: float) -> str:
    text = p_text(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def times(*ratios: float) -> list[str]:
    """Factors that are shown together, with the figures that a person needs."""
    digits = 2 if min(ratios) < 1 or max(ratios[:1]) < 2 else 1
    return [f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.{digits}f}" for ratio in ratios]
