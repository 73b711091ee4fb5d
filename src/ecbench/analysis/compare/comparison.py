"""Runs beside one another, every one with every other, on the worlds that both played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from ecbench.metrics.measures import ASSETS, BAD_SPEND, CONDUCT_AXES, SKILL, Axis, axes_beside
from ecbench.runs.terms import rules_of

Sides = tuple[ComparedRun, ComparedRun]
Figures = tuple[float | None, float | None]
"""Of each run, over all its years on the shared worlds, or without any over all its years."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One axis of a pair. None stands where there is no sample, or too small a one."""

    axis: Axis
    worlds: int  # that entered
    first: float | None
    second: float | None
    difference: float | None  # first less second, the mean over worlds
    interval: Interval | None  # None for the primary axis, whose interval is the verdict's
    wins: int | None  # worlds on which the first is better
    losses: int | None
    by_world: Mapping[str, tuple[float, float]]  # of both, by id of a shared world


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs, the worlds they meet on, and what these show."""

    first: ComparedRun
    second: ComparedRun
    worlds: Sequence[str]  # ids of those that both played
    left_out: Sequence[str]  # shipped ones that both played beside fresh ones
    means: Figures  # of the primary score
    verdict: Verdict
    differences: Sequence[Difference]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    entries: Sequence[ComparedRun]
    warnings: Sequence[str]
    pairs: Sequence[RunPair]


def compare(entries: Sequence[ComparedRun], axes: Sequence[Axis] = ()) -> Comparison:
    """Every pair, by some axes or by those of their rules; the verdicts are corrected over all of them."""
    conduct = CONDUCT_AXES if any(rules_of(entry.run.terms).conduct for entry in entries) else ()
    axes = axes or (ASSETS, SKILL, *axes_beside(primary_of(*entries)), *conduct)
    pairs = [_pair(sides, axes) for sides in combinations(entries, 2)]
    return Comparison(entries, warnings(entries), _corrected(pairs))


def _corrected(pairs: Sequence[RunPair]) -> list[RunPair]:
    """Signs of worlds are turned for all pairs together; interim analyses are corrected for the number of pairs."""
    tested = [pair for pair in pairs if pair.verdict.ruin_p is not None and not pair.verdict.interim]
    worlds = list(dict.fromkeys(world for pair in tested for world in pair.worlds))
    tests = np.zeros((len(worlds), 2 * len(tested)))
    for number, pair in enumerate(tested):
        rows = [worlds.index(world) for world in pair.worlds]
        scores = _world_pairs((pair.first, pair.second), pair.worlds, pair.verdict.axis)
        tests[rows, 2 * number : 2 * number + 2] = np.nan_to_num(columns_of(scores))
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


def _pair(sides: Sides, axes: Sequence[Axis]) -> RunPair:
    first, second = sides
    shared = [site for site in first.run.worlds if site.id in first.years and site.id in second.years]
    known = [site.id for site in shared if is_known(site)]
    aside = known if len(shared) - len(known) > 1 else []
    worlds = [site.id for site in shared if site.id not in aside]
    axis, stake = primary_of(*sides), max(run.run.terms.stake for run in sides)
    pairs = _world_pairs(sides, worlds, axis)
    verdict = _interim_verdict(sides, dict(zip(worlds, pairs, strict=True)), axis) or paired_verdict(pairs, axis)
    assets = _figures(ASSETS, sides, worlds)
    both_lose = all(mean is not None and mean < stake for mean in assets)
    return RunPair(
        first,
        second,
        worlds,
        aside,
        means=_figures(axis, sides, worlds),
        verdict=replace(verdict, both_lose=both_lose),
        differences=[_difference(each, sides, worlds) for each in axes],
        notes=list(_notes(sides, worlds, aside)),
    )


def _world_pairs(sides: Sides, worlds: Sequence[str], axis: Axis) -> list[WorldPair]:
    one, other = (world_scores(run, axis) for run in sides)
    return [(one[world], other[world]) for world in worlds]


def _interim_verdict(sides: Sides, shared: Mapping[str, WorldPair], axis: Axis) -> Verdict | None:
    """At the last interim analysis of a run with a plan; None without one. The interval holds for any other run."""
    planned = [run for run in sides if run.run.manifest.stopping]
    if not planned:
        return None
    done, sizes = analysed_worlds(*planned), analyses_of(len(order_of(planned[0].run.worlds)))
    reached = max((size for size in sizes if size <= len(done)), default=0)
    pairs = [shared.get(world, (UNPLAYED, UNPLAYED)) for world in done[:reached]]
    return analysis_of(pairs, sizes, smallest_gap(planned[0], axis), axis)


def _figures(axis: Axis, sides: Sides, worlds: Sequence[str]) -> Figures:
    one, other = (
        axis.of_run([year for world in worlds or run.years for year in run.years[world]]).value for run in sides
    )
    return one, other


def _difference(axis: Axis, sides: Sides, worlds: Sequence[str]) -> Difference:
    """Worlds are the units: what two years on one world have in common counts once."""
    if axis is BAD_SPEND and len({run.run.terms.voice for run in sides}) > 1:
        return Difference(axis, 0, None, None, None, None, None, None, {})
    met = dict[str, tuple[float, float]]()
    for world in worlds:
        one, other = (axis.of_run(run.distinct(world)).value for run in sides)
        if one is not None and other is not None:
            met[world] = one, other
    gaps = [one - other for one, other in met.values()]
    primary = axis in (ASSETS, SKILL)  # the verdict is about one of them, and the other follows from it
    return Difference(
        axis,
        len(met),
        *_figures(axis, sides, worlds),
        difference=fmean(gaps) if gaps else None,
        interval=sign_interval(gaps) if len(gaps) >= FEWEST_WORLDS and not primary else None,
        wins=sum(axis.score(gap) > 0 for gap in gaps) if len(gaps) > 1 else None,
        losses=sum(axis.score(gap) < 0 for gap in gaps) if len(gaps) > 1 else None,
        by_world=met,
    )


def _notes(sides: Sides, worlds: Sequence[str], aside: Sequence[str]) -> Iterator[str]:
    for run in sides:
        if run.run.manifest.stopping:
            yield (
                f"{run.label} has interim analyses, which decide when it stops. The interval of the verdict is valid "
                "wherever it stops; the ratio is the estimate at the stop, which tends to be too large; the intervals "
                "of the other axes are not corrected for the analyses."
            )
    if not worlds:
        yield "The runs share no world: the figures below are over each one's own worlds, and nothing is tested."
    if len(worlds) == 1:
        yield f"One world, {sides[0].names(worlds)[0]}: these results do not carry over to another."
    for world in aside:
        one, other = (yuan(ASSETS.of_run(run.years[world]).value or 0.0) for run in sides)
        name = sides[0].names([world])[0]
        yield f"World {name} is not a fresh one and is left out; final assets there: A {one}, B {other}."
    for run in sides:
        if run.copies:
            yield f"{run.label}: {equal_years(run)}"
    if len(worlds) < FEWEST_WORLDS:
        yield f"No p-value and no interval: they take {FEWEST_WORLDS} worlds that both played."
