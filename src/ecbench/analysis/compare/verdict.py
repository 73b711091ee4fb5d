"""Which of two agents is better, by how much, and whether chance explains it: the two primary tests of a comparison.

A year is ruined if it ends bankrupt or with less than a hundredth of the stake. Ruin is tested first: by world, the
share of one agent's years that are ruined less that of the other's. The years without ruin are compared by the mean
logarithm of their final assets, since agents differ by factors, or by mean skill if the rules rank by it. Both tests
turn the signs of worlds and are corrected for each other, so that equal agents are told apart in at most 5% of
comparisons.
"""

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
    more_worlds,
    sign_interval,
    smallest_shown,
)
from ecbench.analysis.compare.entries import ComparedRun
from ecbench.analysis.compare.interim import interval_at, p_at
from ecbench.metrics.anchors import KEPT
from ecbench.metrics.axes import ASSETS, SKILL, Axis, primary_axis
from ecbench.metrics.estimators import Report
from ecbench.quantiles import LEVEL
from ecbench.runs.stopping_plan import WorldScore
from ecbench.runs.terms import rules_of

Decision = Literal["better", "worse", "excluded", "go on", "not clear"]


WorldPair = tuple[WorldScore, WorldScore]
"""Both runs on one world."""

UNPLAYED = WorldScore(None, 0, 0)


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

    @property
    def stated_interval(self) -> Interval | None:
        """Of the ratio, or of the difference of skill."""
        if self.interval is None or self.axis is SKILL:
            return self.interval
        return exp(self.interval[0]), exp(self.interval[1])

    @property
    def stated_from(self) -> float | None:
        """The ratio, or the difference of skill, that such data show in four of five cases."""
        return self.shown_from if self.shown_from is None or self.axis is SKILL else exp(self.shown_from)


def primary_of(*runs: ComparedRun) -> Axis:
    """What a comparison of runs is about: skill if all are ranked by it and every year has one."""
    years = (year for run in runs for years in run.years.values() for year in years)
    ranked = all(primary_axis(rules_of(run.run.terms)) is SKILL for run in runs)
    return SKILL if ranked and all(SKILL.of_year(year) is not None for year in years) else ASSETS


def least_assets(stake: float) -> float:
    return max(1.0, KEPT * stake)


def log_assets(assets: float, stake: float) -> float:
    return log(max(assets, least_assets(stake)))


def is_ruined(year: Report, stake: float) -> bool:
    money = year["profitability"]
    return bool(money["bankrupt"]) or money["final_balance"] < least_assets(stake)


def year_score(year: Report, axis: Axis, stake: float) -> float:
    """The logarithm of a year's final assets, or its skill."""
    value = axis.of_year(year)
    assert value is not None, "every year that is compared has its primary score"
    return value if axis is SKILL else log_assets(value, stake)


def world_scores(run: ComparedRun, axis: Axis) -> dict[str, WorldScore]:
    """By the id of a world: the mean score of the years there that are not ruined, and how many are."""
    stake, found = run.run.terms.stake, dict[str, WorldScore]()
    for world in run.years:
        years = run.distinct(world)
        kept = [year_score(year, axis, stake) for year in years if not is_ruined(year, stake)]
        found[world] = WorldScore(fmean(kept) if kept else None, len(years) - len(kept), len(years))
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
