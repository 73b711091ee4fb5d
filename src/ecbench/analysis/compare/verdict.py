"""Which of two agents is better, by how much, and whether chance explains it (docs/compare.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, nan
from statistics import fmean, variance
from typing import Literal

import numpy as np

from ecbench.analysis.compare.chance import (
    FEWEST_WORLDS,
    Floats,
    Interval,
    arrangements,
    corrected,
    interval_at,
    more_worlds,
    p_at,
    sign_interval,
    smallest_shown,
)
from ecbench.analysis.compare.entries import ComparedRun
from ecbench.formatting import MISSING, counted
from ecbench.metrics.anchors import KEPT
from ecbench.metrics.estimators import Report
from ecbench.metrics.measures import ASSETS, SKILL, Axis, primary_axis
from ecbench.quantiles import LEVEL
from ecbench.runs.manifest import WorldScore
from ecbench.runs.terms import rules_of

Decision = Literal["better", "worse", "excluded", "go on", "not clear"]
SMALLEST = 2.0  # ratio of final assets that ends a study once it is excluded: about what ten worlds of two years show

WorldPair = tuple[WorldScore, WorldScore]
"""Both runs on one world."""

UNPLAYED = WorldScore(None, 0, 0)


@dataclass(frozen=True, slots=True)
class InterimAnalysis:
    """Where a study with interim analyses stands, of the run over its rival."""

    worlds: int
    planned: int
    decision: Decision

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
    worlds: int = 0  # that both played
    effect: float | None = None  # the mean difference over worlds, of years without ruin
    interval: Interval | None = None
    p: float | None = None
    p_adjusted: float | None = None  # over all pairs of the command
    ruin_gap: float = 0.0  # the mean over worlds of the difference of ruined shares
    ruin_p: float | None = None
    ruin_p_adjusted: float | None = None
    ruined: tuple[int, int] = (0, 0)  # years of each
    years: tuple[int, int] = (0, 0)
    shown_from: float | None = None  # the smallest true effect that such data show in four of five cases
    more_worlds: int | None = None  # that would show this effect in four of five cases; None: no feasible number
    interim: InterimAnalysis | None = None
    both_lose: bool = False  # whether both end with less than the stake on average

    @property
    def decided_by(self) -> Literal["ruin", "score"] | None:
        """The test that tells the agents apart. A better score does not if its agent is ruined more often."""
        if self.ruin_p_adjusted is not None and self.ruin_p_adjusted <= LEVEL and self.ruin_gap:
            return "ruin"
        if self.p_adjusted is not None and self.p_adjusted <= LEVEL and self.effect and not self.is_mixed:
            return "score"
        return None

    @property
    def shown(self) -> bool:
        return self.decided_by is not None

    @property
    def is_mixed(self) -> bool:
        """Whether the agent with the better score is the one that is ruined more often."""
        return (self.effect or 0.0) * self.ruin_gap > 0

    @property
    def first_is_better(self) -> bool:
        if self.decided_by == "ruin" or not self.effect:
            return self.ruin_gap < 0
        return self.effect > 0

    @property
    def ratio(self) -> float | None:
        """Of final assets in years without ruin; None for skill."""
        return None if self.axis is SKILL or self.effect is None else exp(self.effect)

    def stated(self, effect: float) -> float:
        """The ratio of final assets, or the difference of skill, that an effect on the scale of the test is."""
        return effect if self.axis is SKILL else exp(effect)

    @property
    def stated_interval(self) -> Interval | None:
        return self.interval and (self.stated(self.interval[0]), self.stated(self.interval[1]))


def primary_of(*runs: ComparedRun) -> Axis:
    """What a comparison of runs is about: skill if all are ranked by it and every year has one."""
    years = (year for run in runs for years in run.years.values() for year in years)
    ranked = all(primary_axis(rules_of(run.run.terms)) is SKILL for run in runs)
    return SKILL if ranked and all(SKILL.of_year(year) is not None for year in years) else ASSETS


def least_assets(stake: float) -> float:
    """Below it a year is ruined."""
    return max(1.0, KEPT * stake)


def year_score(year: Report, axis: Axis, stake: float) -> float:
    """The logarithm of a year's final assets, or its skill."""
    value = axis.of_year(year)
    assert value is not None, "every year that is compared has its primary score"
    return value if axis is SKILL else log(max(value, least_assets(stake)))


def world_scores(run: ComparedRun, axis: Axis) -> dict[str, WorldScore]:
    """By the id of a world: the mean score of the years there that are not ruined, and how many are."""
    stake, found = run.run.terms.stake, dict[str, WorldScore]()
    for world in run.years:
        years = run.distinct(world)
        money = [(year, year["profitability"]) for year in years]
        kept = [y for y, m in money if not m["bankrupt"] and m["final_balance"] >= least_assets(stake)]
        score = fmean(year_score(year, axis, stake) for year in kept) if kept else None
        found[world] = WorldScore(score, len(years) - len(kept), len(years))
    return found


def from_gaps(gaps: Sequence[float]) -> list[WorldPair]:
    """Differences of scores on worlds without ruin."""
    return [(WorldScore(gap, 0, 1), WorldScore(0.0, 0, 1)) for gap in gaps]


def paired_verdict(pairs: Sequence[WorldPair], axis: Axis = ASSETS, sizes: Sequence[int] = ()) -> Verdict:
    """From the scores of both on each world; six worlds can be tested.

    With `sizes`, the numbers of worlds of interim analyses, p and interval are valid wherever the study stops.
    """
    tests = columns_of(pairs)
    gaps = tests[~np.isnan(tests[:, 0]), 0].tolist()
    found = Verdict(
        axis,
        sum(one.years > 0 and other.years > 0 for one, other in pairs),
        effect=fmean(gaps) if gaps else None,
        ruin_gap=float(tests[:, 1].mean()) if pairs else 0.0,
        ruined=(sum(one.ruined for one, _ in pairs), sum(other.ruined for _, other in pairs)),
        years=(sum(one.years for one, _ in pairs), sum(other.years for _, other in pairs)),
        more_worlds=more_worlds(fmean(gaps), variance(gaps), len(gaps)) if len(gaps) > 1 else None,
    )
    if found.worlds < FEWEST_WORLDS:
        return found
    if sizes:
        return _tested_at(found, tests, sizes)
    p, ruin_p = corrected(np.nan_to_num(tests), arrangements(len(tests)))
    found = replace(found, p=p if gaps else None, ruin_p=ruin_p)
    if len(gaps) < FEWEST_WORLDS:
        return found
    return replace(found, interval=sign_interval(gaps), shown_from=smallest_shown(variance(gaps), len(gaps)))


def columns_of(pairs: Sequence[WorldPair]) -> Floats:
    """The differences of score and of ruined shares as columns, a row for each world; NaN where there is no score."""
    scores = [nan if one.score is None or other.score is None else one.score - other.score for one, other in pairs]
    return np.array([scores, [one.ruined_share - other.ruined_share for one, other in pairs]]).T


def _tested_at(found: Verdict, tests: Floats, sizes: Sequence[int]) -> Verdict:
    """Each test is corrected for the other: it has to reject by itself and together with the other one."""
    columns = np.nan_to_num(tests)
    joint = p_at(columns, sizes)
    p, ruin_p = (max(joint, p_at(columns[:, [number]], sizes)) for number in (0, 1))
    if found.effect is None:
        return replace(found, ruin_p=ruin_p)
    return replace(found, p=p, ruin_p=ruin_p, interval=interval_at(tests[:, 0], sizes))


LEAST_SHOWN_P = 0.0001


def sentence(verdict: Verdict, first: str, second: str, pairs: int = 1) -> str:
    """The answer in one line, the better agent first; `pairs` are compared by the same command."""
    if verdict.worlds == 0:
        missing = "the first interim analysis is still to come" if verdict.interim else "no world that both played"
        return f"{first} and {second}: {missing}."
    ground, score, ruin = _ground(verdict), _score(verdict, first, second), _ruin(verdict, first, second)
    counts = _counts(verdict, (first, second)) if any(verdict.ruined) else ""
    among = f" over {pairs:,} pairs" if pairs > 1 else ""
    decides, lose = ", which decides" if counts else "", "both lose money" if verdict.both_lose else ""
    if verdict.decided_by == "ruin":
        found = f"{p_equals(verdict.ruin_p_adjusted or 0.0)}{among}, {ground}"
        parts = [f"{ruin} ({counts}){decides}", found, score, lose]
    elif verdict.decided_by == "score":
        found = f"{p_equals(verdict.p_adjusted or 0.0)}{among}, {ground}"
        parts = [f"{score}{decides}", lose, found, counts and f"ruined: {counts}"]
    elif not score and not ruin:
        return f"{first} and {second} {_no_difference(verdict)} on {ground}{lose and f'; {lose}'}."
    else:
        p = verdict.p_adjusted if score else verdict.ruin_p_adjusted
        found = "" if p is None else f"{p_equals(p)}{among}, "
        inconclusive = f"inconclusive, {found}{ground}"
        parts = [score or ruin, lose, inconclusive, _outlook(verdict), counts and f"ruined: {counts}"]
    return "; ".join(filter(None, parts)) + "."


def _ground(verdict: Verdict) -> str:
    """The worlds that the answer rests on."""
    interim = verdict.interim
    if interim is None:
        return counted(verdict.worlds, "world", ",")
    return f"{interim.worlds:,} of {interim.planned:,} worlds{', stopped early' if interim.stopped_early else ''}"


def _score(verdict: Verdict, first: str, second: str) -> str:
    """How the years without ruin differ; empty if they do not, or if one agent has none."""
    if not verdict.effect:
        return ""
    ahead = verdict.effect > 0
    better, worse = (first, second) if ahead else (second, first)
    ends = verdict.stated_interval or ()
    if verdict.axis is SKILL:
        bounds = [f"{end:.3f}" for end in sorted(end if ahead else -end for end in ends)]
        lead = f"{better} has {abs(verdict.effect):.3f} more skill than {worse}"
    else:
        ratio = verdict.ratio or 1.0
        factor, *bounds = times(ratio if ahead else 1 / ratio, *sorted(end if ahead else 1 / end for end in ends))
        lead = f"{better} ends with {factor} times the assets of {worse}"
    valid = ", valid under stopping" if verdict.interim else ""
    interval = f" (95%{valid}: {bounds[0]} to {bounds[1]})" if bounds else ""
    without = " in years without ruin" if any(verdict.ruined) else ""
    return f"{lead}{interval}{without}"


def _ruin(verdict: Verdict, first: str, second: str) -> str:
    if not verdict.ruin_gap:
        return ""
    less, more = (first, second) if verdict.ruin_gap < 0 else (second, first)
    return f"{less} is ruined less often than {more}"


def _counts(verdict: Verdict, names: Sequence[str]) -> str:
    """Of the better agent first."""
    parts = [f"{name} {n:,} of {of:,} years" for name, n, of in zip(names, verdict.ruined, verdict.years, strict=True)]
    return ", ".join(parts if verdict.first_is_better else parts[::-1])


def _no_difference(verdict: Verdict) -> str:
    if verdict.effect is None:
        return "are both ruined in every year"
    return "have the same skill" if verdict.axis is SKILL else "end with the same assets"


def _outlook(verdict: Verdict) -> str:
    if verdict.is_mixed and verdict.p_adjusted is not None and verdict.p_adjusted <= LEVEL:
        return "the one that ends with more is ruined more often"
    if verdict.p is not None and verdict.p <= LEVEL and not verdict.is_mixed:
        return f"{p_equals(verdict.p)} for this pair alone"
    if verdict.worlds < 2 or verdict.effect is None:
        return f"at least {FEWEST_WORLDS} worlds on which both have a year without ruin are needed"
    if verdict.interim and verdict.interim.decision == "excluded":
        return f"a difference of {times(SMALLEST)[0]} times or more is excluded"
    if verdict.more_worlds is None:
        return "no feasible number of worlds would show it"
    return f"about {max(1, verdict.more_worlds):,} more worlds would show it"


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
