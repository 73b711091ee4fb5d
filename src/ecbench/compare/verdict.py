"""Which of two agents is better, by how much, and whether chance explains it: the one primary test of a comparison.

The test compares logarithms of final assets, since agents differ by factors, or skill if the rules rank by it, which is
a logarithm already. Each unit enters with one score: a world with the mean of its years there, or a single year if
there is one world. A unit that kept less than a hundredth of the stake counts in the logarithm as if it had kept that
much. This floor is our choice, and a ratio over worlds would depend on it: the ratio is then that of the means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import fmean, variance
from typing import Literal, NamedTuple

from ecbench.compare.chance import (
    Interval,
    label_interval,
    least_p_of_labels,
    shuffled_labels,
    sign_flip,
    sign_interval,
)
from ecbench.compare.entries import ComparedRun
from ecbench.compare.power import FEWEST_OF_EACH, FEWEST_PAIRS, smallest_shown, units_needed
from ecbench.metrics.axes import ASSETS, SKILL, Axis, primary_axis
from ecbench.metrics.measures import MEASURES
from ecbench.number_words import MISSING, yuan
from ecbench.quantiles import LEVEL
from ecbench.runs.terms import rules_of

KEPT = 0.01  # of the stake: the least that enters a logarithm
LEAST_SHOWN_P = 0.0001

Decision = Literal["better", "worse", "excluded", "go on", "not clear"]


class Means(NamedTuple):
    """The mean final assets of two runs, and the stake of a year."""

    first: float
    second: float
    stake: float

    @property
    def both_lose(self) -> bool:
        return max(self.first, self.second) < self.stake


@dataclass(frozen=True, slots=True)
class InterimAnalysis:
    """Where a study with interim analyses stands, of the run over its rival."""

    worlds: int
    planned: int
    decision: Decision
    smallest: float  # the ratio of final assets that ends the study if it is excluded

    @property
    def is_clear(self) -> bool:
        return self.decision not in ("go on", "not clear")

    @property
    def stopped_early(self) -> bool:
        return self.is_clear and self.worlds < self.planned


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of the first run over the second, on the scale of the test. None stands where the sample is too small."""

    axis: Axis  # final assets, whose logarithms are compared, or skill
    units: tuple[int, int]
    effect: float | None = None  # the mean difference over units
    interval: Interval | None = None
    p: float | None = None
    p_adjusted: float | None = None  # over all pairs of the command
    shown_from: float | None = None  # the smallest true effect that such data show in four of five cases
    more_units: int | None = None  # units of each that would show this effect in four of five cases, beside these
    interim: InterimAnalysis | None = None
    means: Means | None = None
    clamped: bool = False  # whether a unit ended below the least that enters a logarithm

    @property
    def first_is_better(self) -> bool:
        return (self.effect or 0.0) > 0

    @property
    def shown(self) -> bool:
        return self.p_adjusted is not None and self.p_adjusted <= LEVEL

    @property
    def ratio(self) -> float | None:
        """Of final assets: over units, or of the means if a unit was clamped. None for skill, and if the means have no
        ratio or disagree with the test."""
        if self.axis is SKILL or self.effect is None:
            return None
        if not self.clamped:
            return exp(self.effect)
        if self.effect == 0 or self.means is None or min(self.means.first, self.means.second) <= 0:
            return None
        ratio = self.means.first / self.means.second
        return ratio if (ratio > 1) == self.first_is_better else None

    @property
    def stated_interval(self) -> Interval | None:
        """Of the ratio, or of the difference of skill."""
        if self.interval is None or self.axis is SKILL or self.clamped:
            return None if self.clamped else self.interval
        return exp(self.interval[0]), exp(self.interval[1])

    @property
    def stated_from(self) -> float | None:
        """The ratio, or the difference of skill, that such data show in four of five cases."""
        if self.shown_from is None or self.clamped:
            return None
        return self.shown_from if self.axis is SKILL else exp(self.shown_from)


def primary_of(*runs: ComparedRun) -> Axis:
    """What a comparison of runs is about: skill if all are ranked by it and every year has one."""
    years = (year for run in runs for years in run.years.values() for year in years)
    ranked = all(primary_axis(rules_of(run.run.terms)) is SKILL for run in runs)
    return SKILL if ranked and all(MEASURES[SKILL.name].of_year(year) is not None for year in years) else ASSETS


def least_assets(stake: float) -> float:
    return max(1.0, KEPT * stake)


def log_assets(assets: float, stake: float) -> float:
    return log(max(assets, least_assets(stake)))


def world_scores(run: ComparedRun, axis: Axis) -> dict[str, float]:
    """By the id of a world: the logarithm of the mean final assets there, or the mean skill."""
    found = {world: MEASURES[axis.name].of_run(run.distinct(world)).value for world in run.years}
    known = {world: value for world, value in found.items() if value is not None}
    return known if axis is SKILL else {world: log_assets(v, run.run.terms.stake) for world, v in known.items()}


def paired_verdict(gaps: Sequence[float], axis: Axis = ASSETS) -> Verdict:
    """From the differences of scores by world that both played, two at least; six can be tested."""
    units, effect, spread = len(gaps), fmean(gaps), variance(gaps)
    more = _more(effect, spread, units, paired=True)
    if units < FEWEST_PAIRS:
        return Verdict(axis, (units, units), effect, more_units=more)
    shown_from = smallest_shown(spread, units, paired=True)
    p, interval = sign_flip(gaps), sign_interval(gaps)
    return Verdict(axis, (units, units), effect, interval, p, shown_from=shown_from, more_units=more)


def apart_verdict(ones: Sequence[float], others: Sequence[float], axis: Axis = ASSETS) -> Verdict:
    """From the scores of two samples: years on one world, or worlds that the other did not play."""
    units, effect = (len(ones), len(others)), fmean(ones) - fmean(others)
    fewer = min(units)
    if fewer < 2:
        return Verdict(axis, units, effect)
    spread = variance(ones) + variance(others)
    more = _more(effect, spread, fewer, paired=False)
    if least_p_of_labels(*units) > LEVEL:
        return Verdict(axis, units, effect, more_units=more)
    shown_from = smallest_shown(spread, fewer, paired=False) if fewer >= FEWEST_OF_EACH else None
    p, interval = shuffled_labels(ones, others), label_interval(ones, others)
    return Verdict(axis, units, effect, interval, p, shown_from=shown_from, more_units=more)


def _more(effect: float, spread: float, units: int, *, paired: bool) -> int | None:
    needed = units_needed(abs(effect), spread, paired=paired)
    return None if needed is None else max(0, needed - units)


def sentence(verdict: Verdict, first: str, second: str, ground: str, unit: str = "worlds", pairs: int = 1) -> str:
    """The answer in one line, the better agent first; `pairs` are compared by the same command."""
    if verdict.effect is None:
        return f"{first} and {second}: the first interim analysis is still to come."
    both_lose = "; both lose money" if verdict.means and verdict.means.both_lose else ""
    if verdict.effect == 0:
        return f"{first} and {second} {_no_difference(verdict)} on {ground}{both_lose}."
    better, worse = (first, second) if verdict.first_is_better else (second, first)
    said = (_more_skill if verdict.axis is SKILL else _more_money)(verdict, better, worse)
    among = f" over {pairs:,} pairs" if pairs > 1 else ""
    found = "" if verdict.p_adjusted is None else f"{p_equals(verdict.p_adjusted)}{among}, "
    if verdict.shown:
        return f"{said}{both_lose}; {found}{ground}."
    return f"{said}{both_lose}; inconclusive, {found}{ground}; {_outlook(verdict, unit)}."


def _no_difference(verdict: Verdict) -> str:
    """What two runs have in common whose scores are equal. Below the floor of the logarithm, their money may differ."""
    if verdict.axis is SKILL:
        return "have the same skill"
    means = verdict.means
    if not verdict.clamped or means is None or means.first == means.second:
        return "end with the same assets"
    return f"both end with almost nothing, {yuan(means.first)} and {yuan(means.second)},"


def _more_money(verdict: Verdict, better: str, worse: str) -> str:
    ratio, interval = verdict.ratio, verdict.stated_interval
    if ratio is None:
        means = [] if verdict.means is None else [yuan(verdict.means.first), yuan(verdict.means.second)]
        stated = f" (means: {' and '.join(means if verdict.first_is_better else means[::-1])})" if means else ""
        return f"{better} typically ends with more than {worse}{stated}"
    if not verdict.first_is_better:
        ratio, interval = 1 / ratio, interval and (1 / interval[1], 1 / interval[0])
    factor, *bounds = times(ratio, *(interval or ()))
    return f"{better} ends with {factor} times the assets of {worse}{_bounds(verdict, bounds)}"


def _more_skill(verdict: Verdict, better: str, worse: str) -> str:
    ends = sorted(end if verdict.first_is_better else -end for end in verdict.interval or ())
    bounds = _bounds(verdict, [f"{end:.3f}" for end in ends])
    return f"{better} has {abs(verdict.effect or 0.0):.3f} more skill than {worse}{bounds}"


def _bounds(verdict: Verdict, bounds: Sequence[str]) -> str:
    valid = ", valid under stopping" if verdict.interim else ""
    return f" (95%{valid}: {bounds[0]} to {bounds[1]})" if bounds else ""


def _outlook(verdict: Verdict, unit: str) -> str:
    if verdict.p is not None and verdict.p <= LEVEL:
        return f"{p_equals(verdict.p)} for this pair alone"
    if min(verdict.units) < 2:
        return f"at least {FEWEST_PAIRS} worlds that both played are needed"
    if verdict.interim and verdict.interim.decision == "excluded":
        return f"a difference of {times(verdict.interim.smallest)[0]} times or more is excluded"
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
