"""Runs beside one another, every one with every other, world by world.

Only worlds that both played are compared: what a world does to both agents is then in neither's favour. Years on one
world that end alike count once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean

import numpy as np

from ecbench.analysis.compare.chance import FEWEST_WORLDS, Interval, analyses_of, arrangements, corrected, sign_interval
from ecbench.analysis.compare.entries import ComparedRun, equal_years, is_known, warnings
from ecbench.analysis.compare.stopping import analysed_worlds, analysis_of, order_of, smallest_gap
from ecbench.analysis.compare.verdict import (
    UNPLAYED,
    Verdict,
    WorldPair,
    columns_of,
    paired_verdict,
    primary_of,
    world_scores,
)
from ecbench.formatting import yuan
from ecbench.metrics.axes import ASSETS, BAD_SPEND, CONDUCT_AXES, SKILL, Axis, axes_beside
from ecbench.runs.terms import rules_of


@dataclass(frozen=True, slots=True)
class Difference:
    """One axis of a pair. None stands where there is no sample, or too small a one."""

    axis: Axis
    worlds: int = 0  # that entered
    first: float | None = None  # the run's own figure, over all its years on the shared worlds, or over all its years
    second: float | None = None
    difference: float | None = None  # first less second, the mean over worlds
    interval: Interval | None = None  # None for the primary axis, whose interval is the verdict's
    wins: int | None = None  # worlds on which the first is better
    losses: int | None = None
    by_world: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of both, by id of a shared world


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs, the worlds they meet on, and what these show."""

    first: ComparedRun
    second: ComparedRun
    worlds: Sequence[str]  # ids of those that both played
    left_out: Sequence[str] = ()  # shipped ones that both played beside fresh ones
    verdict: Verdict = field(default_factory=lambda: Verdict(ASSETS))
    differences: Sequence[Difference] = ()
    notes: Sequence[str] = ()

    @property
    def sides(self) -> tuple[ComparedRun, ComparedRun]:
        return self.first, self.second

    @property
    def primary(self) -> Axis:
        return primary_of(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Comparison:
    entries: Sequence[ComparedRun]
    warnings: Sequence[str]
    pairs: Sequence[RunPair]


def compare(entries: Sequence[ComparedRun], axes: Sequence[Axis] = ()) -> Comparison:
    """Every pair, by some axes or by those of their rules; the verdicts are corrected over all of them."""
    conduct = CONDUCT_AXES if any(rules_of(entry.run.terms).conduct for entry in entries) else ()
    axes = axes or (ASSETS, SKILL, *axes_beside(primary_of(*entries)), *conduct)
    pairs = [_pair(one, other, axes) for one, other in combinations(entries, 2)]
    return Comparison(entries, warnings(entries), _corrected(pairs))


def _corrected(pairs: Sequence[RunPair]) -> list[RunPair]:
    """Signs of worlds are turned for all pairs together; interim analyses are corrected for the number of pairs."""
    tested = [pair for pair in pairs if pair.verdict.ruin_p is not None and not pair.verdict.interim]
    worlds = list(dict.fromkeys(world for pair in tested for world in pair.worlds))
    tests = np.zeros((len(worlds), 2 * len(tested)))
    for number, pair in enumerate(tested):
        rows = [worlds.index(world) for world in pair.worlds]
        tests[rows, 2 * number : 2 * number + 2] = np.nan_to_num(columns_of(_world_pairs(pair)))
    joint = iter(corrected(tests, arrangements(len(worlds))) if tested else [])
    counted, found = set(map(id, tested)), []
    for pair in pairs:
        verdict = pair.verdict
        own = [None if p is None else min(1.0, p * len(pairs)) for p in (verdict.p, verdict.ruin_p)]
        if id(pair) in counted:
            own = [next(joint), next(joint)]
        score_p = None if verdict.p is None else own[0]
        found.append(replace(pair, verdict=replace(verdict, p_adjusted=score_p, ruin_p_adjusted=own[1])))
    return found


def _pair(first: ComparedRun, second: ComparedRun, axes: Sequence[Axis]) -> RunPair:
    shared = [site for site in first.run.worlds if site.id in first.years and site.id in second.years]
    known = [site.id for site in shared if is_known(site)]
    aside = known if len(shared) - len(known) > 1 else []
    pair = RunPair(first, second, [site.id for site in shared if site.id not in aside], aside)
    differences = [_difference(axis, pair) for axis in axes]
    return replace(pair, verdict=_verdict(pair), differences=differences, notes=list(_notes(pair)))


def _world_pairs(pair: RunPair) -> list[WorldPair]:
    one, other = (world_scores(run, pair.primary) for run in pair.sides)
    return [(one[world], other[world]) for world in pair.worlds]


def _verdict(pair: RunPair) -> Verdict:
    found = _interim_verdict(pair) or paired_verdict(_world_pairs(pair), pair.primary)
    stake = max(run.run.terms.stake for run in pair.sides)
    means = [mean for mean in figures(ASSETS, pair) if mean is not None]
    return replace(found, both_lose=len(means) == 2 and max(means) < stake)


def _interim_verdict(pair: RunPair) -> Verdict | None:
    """At the last interim analysis of a run with a plan; None without one. The interval holds for any other run."""
    planned = [run for run in pair.sides if run.run.manifest.stopping]
    if not planned:
        return None
    run, shared = planned[0].run, dict(zip(pair.worlds, _world_pairs(pair), strict=True))
    done, sizes = analysed_worlds(*planned), analyses_of(len(order_of(run.worlds)))
    reached = max((size for size in sizes if size <= len(done)), default=0)
    pairs = [shared.get(world, (UNPLAYED, UNPLAYED)) for world in done[:reached]]
    assert run.manifest.stopping is not None
    limit = smallest_gap(planned[0], pair.primary)
    return analysis_of(pairs, sizes, run.manifest.stopping.smallest, limit, pair.primary)


def figures(axis: Axis, pair: RunPair) -> tuple[float | None, float | None]:
    """Of each run, over all its years on the shared worlds, as the run itself states it; without any, over all."""
    one, other = (
        axis.of_run([year for world in pair.worlds or run.years for year in run.years[world]]).value
        for run in pair.sides
    )
    return one, other


def _difference(axis: Axis, pair: RunPair) -> Difference:
    """Worlds are the units: what two years on one world have in common counts once."""
    if axis is BAD_SPEND and pair.first.run.terms.voice != pair.second.run.terms.voice:
        return Difference(axis)
    met = dict[str, tuple[float, float]]()
    for world in pair.worlds:
        one, other = (axis.of_run(run.distinct(world)).value for run in pair.sides)
        if one is not None and other is not None:
            met[world] = one, other
    gaps, (first, second) = [one - other for one, other in met.values()], figures(axis, pair)
    primary = axis in (ASSETS, SKILL)  # the verdict is about one of them, and the other follows from it
    return Difference(
        axis,
        len(met),
        first,
        second,
        difference=fmean(gaps) if gaps else None,
        interval=sign_interval(gaps) if len(gaps) >= FEWEST_WORLDS and not primary else None,
        wins=sum(axis.score(gap) > 0 for gap in gaps) if len(gaps) > 1 else None,
        losses=sum(axis.score(gap) < 0 for gap in gaps) if len(gaps) > 1 else None,
        by_world=met,
    )


def _notes(pair: RunPair) -> Iterator[str]:
    for run in pair.sides:
        if run.run.manifest.stopping:
            yield (
                f"{run.label} has interim analyses, which decide when it stops. The interval of the verdict is valid "
                "wherever it stops; the ratio is the estimate at the stop, which tends to be too large; the intervals "
                "of the other axes are not corrected for the analyses."
            )
    if not pair.worlds:
        yield "The runs share no world: the figures below are over each one's own worlds, and nothing is tested."
    if len(pair.worlds) == 1:
        yield f"One world, {pair.first.names(pair.worlds)[0]}: these results do not carry over to another."
    for world in pair.left_out:
        one, other = (yuan(ASSETS.of_run(run.years[world]).value or 0.0) for run in pair.sides)
        name = pair.first.names([world])[0]
        yield f"World {name} is not a fresh one and is left out; final assets there: A {one}, B {other}."
    for run in pair.sides:
        if run.copies:
            yield f"{run.label}: {equal_years(run)}"
    if len(pair.worlds) < FEWEST_WORLDS:
        yield f"No p-value and no interval: they take {FEWEST_WORLDS} worlds that both played."
