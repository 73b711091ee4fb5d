"""Runs beside one another, every one with every other.

Two runs are compared world by world if they share at least two worlds. With one world between them their years there
are compared, which does not generalise to other worlds; without any, the means over each run's worlds. Years on one
world that end alike count once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean
from typing import Literal

import numpy as np

from ecbench.compare.chance import (
    Interval,
    label_interval,
    least_p_of_labels,
    max_t,
    shuffled_labels,
    sign_flip,
    sign_interval,
    signs,
)
from ecbench.compare.entries import ComparedRun, equal_years, is_known
from ecbench.compare.fairness import warnings
from ecbench.compare.interim import analyses_of
from ecbench.compare.power import FEWEST_OF_EACH, FEWEST_PAIRS, Spread, spread_of
from ecbench.compare.stopping import analysed_worlds, analysis_of, order_of, smallest_gap
from ecbench.compare.verdict import (
    Means,
    Verdict,
    apart_verdict,
    least_assets,
    log_assets,
    paired_verdict,
    primary_of,
    world_scores,
)
from ecbench.metrics.axes import ALL_AXES, ASSETS, BAD_SPEND, SKILL, Axis
from ecbench.metrics.measures import MEASURES
from ecbench.number_words import yuan
from ecbench.quantiles import LEVEL

Design = Literal["same worlds", "one world", "other worlds"]


@dataclass(frozen=True, slots=True)
class Match:
    """Two runs and the ground they meet on."""

    first: ComparedRun
    second: ComparedRun
    design: Design
    first_worlds: Sequence[str]  # ids
    second_worlds: Sequence[str]  # the same ones unless they share none
    left_out: Sequence[str] = ()  # shipped ones that both played beside fresh ones

    @property
    def sides(self) -> tuple[tuple[ComparedRun, Sequence[str]], tuple[ComparedRun, Sequence[str]]]:
        return (self.first, self.first_worlds), (self.second, self.second_worlds)

    @property
    def units(self) -> tuple[int, int]:
        """Worlds of each, or years on the one world."""
        if self.design == "one world":
            return len(self.first.distinct(self.first_worlds[0])), len(self.second.distinct(self.second_worlds[0]))
        return len(self.first_worlds), len(self.second_worlds)

    @property
    def primary(self) -> Axis:
        return primary_of(self.first, self.second)

    @property
    def stake(self) -> float:
        return max(self.first.run.terms.stake, self.second.run.terms.stake)


@dataclass(frozen=True, slots=True)
class Difference:
    """One axis of a pair. None stands where there is no sample, or too small a one."""

    axis: Axis
    units: tuple[int, int] = (0, 0)  # worlds, or years on the one world, that entered
    first: float | None = None  # the run's own figure, over all its years that are compared
    second: float | None = None
    difference: float | None = None  # first less second, each as the mean over units
    interval: Interval | None = None  # None for the primary axis, whose interval is the verdict's
    wins: int | None = None  # worlds on which the first is better
    losses: int | None = None
    by_world: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of both, by id of a shared world


@dataclass(frozen=True, slots=True)
class Bankruptcies:
    """Of years that are not copies of one another, and how often chance would divide them as unevenly."""

    first: int
    first_years: int
    second: int
    second_years: int
    p: float


@dataclass(frozen=True, slots=True)
class RunPair:
    match: Match
    verdict: Verdict
    differences: Sequence[Difference]
    spread: Spread  # of the primary score
    bankruptcies: Bankruptcies
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    entries: Sequence[ComparedRun]
    warnings: Sequence[str]
    pairs: Sequence[RunPair]


def compare(entries: Sequence[ComparedRun], axes: Sequence[Axis] = ALL_AXES) -> Comparison:
    """Every pair; the verdicts are corrected over all of them."""
    pairs = [_pair(one, other, axes) for one, other in combinations(entries, 2)]
    return Comparison(entries, warnings(entries), _corrected(pairs))


def _corrected(pairs: Sequence[RunPair]) -> list[RunPair]:
    """Signs of worlds are turned for all pairs together; other tests are corrected for the number of pairs."""
    counted = [pair for pair in pairs if pair.match.design == "same worlds" and not pair.verdict.interim]
    counted = [pair for pair in counted if pair.verdict.p is not None]
    columns = [_primary_gaps(pair.match) for pair in counted]
    worlds = list(dict.fromkeys(world for column in columns for world in column))
    tests = np.array([[column.get(world, 0.0) for column in columns] for world in worlds])
    joint = dict(zip(map(id, counted), max_t(tests, signs(len(worlds))) if counted else [], strict=True))
    found = []
    for pair in pairs:
        p = pair.verdict.p
        corrected = None if p is None else joint.get(id(pair), min(1.0, p * len(pairs)))
        found.append(replace(pair, verdict=replace(pair.verdict, p_adjusted=corrected)))
    return found


def _pair(first: ComparedRun, second: ComparedRun, axes: Sequence[Axis]) -> RunPair:
    shared = [site for site in first.run.worlds if site.id in first.years and site.id in second.years]
    known = [site.id for site in shared if is_known(site)]
    aside = known if len(shared) - len(known) > 1 else []
    meeting = [site.id for site in shared if site.id not in aside]
    design: Design = "same worlds" if len(meeting) > 1 else "one world" if meeting else "other worlds"
    match = Match(first, second, design, meeting or list(first.years), meeting or list(second.years), aside)
    differences = [_difference(axis, match) for axis in axes]
    return RunPair(match, _verdict(match), differences, _spread(match), _bankruptcies(match), list(_notes(match)))


def _primary_gaps(match: Match) -> dict[str, float]:
    """By world that both played: what the first one's score there exceeds the second's by."""
    one, other = (world_scores(run, match.primary) for run, _ in match.sides)
    return {world: one[world] - other[world] for world in match.first_worlds if world in one and world in other}


def _verdict(match: Match) -> Verdict:
    one, other = figures(ASSETS, match)
    means = None if one is None or other is None else Means(one, other, match.stake)
    clamped = match.primary is ASSETS and any(map(any, _clamped(match)))
    return replace(_primary_test(match), means=means, clamped=clamped)


def _primary_test(match: Match) -> Verdict:
    axis = match.primary
    if match.design == "same worlds":
        return _interim_verdict(match) or paired_verdict(list(_primary_gaps(match).values()), axis)
    ones, others = map(_present, _samples(axis, match))
    if axis is ASSETS:
        ones, others = ([log_assets(value, match.stake) for value in values] for values in (ones, others))
    return apart_verdict(ones, others, axis)


def _interim_verdict(match: Match) -> Verdict | None:
    """At the last interim analysis of a run with a plan; None without one. The interval holds for any other run."""
    planned = [run for run, _ in match.sides if run.run.manifest.stopping]
    if not planned:
        return None
    run, gaps = planned[0].run, _primary_gaps(match)
    order = [run.worlds[index].id for index in order_of(run.worlds)]
    whole = [other for other, _ in match.sides if other not in planned]  # which may lack some worlds
    met = [all(world in other.years for other in whole) for world in order]
    done, sizes = len(analysed_worlds(*planned)), analyses_of(len(order))
    shared = [sum(met[:size]) for size in sizes]
    reached = max((count for size, count in zip(sizes, shared, strict=True) if size <= done), default=0)
    own = [gaps[world] for world in order if world in gaps][:reached]
    if len(own) < 2:
        return Verdict(match.primary, (0, 0))
    assert run.manifest.stopping is not None
    counts, gap = sorted({count for count in shared if count}), smallest_gap(planned[0], match.primary)
    found = analysis_of(own, counts, gap, run.manifest.stopping, match.primary)
    return replace(found, interim=found.interim and replace(found.interim, planned=sizes[-1]))


def figures(axis: Axis, match: Match) -> tuple[float | None, float | None]:
    """Of each run, over all its years on the worlds that are compared, as the run itself states it."""
    one, other = (
        MEASURES[axis.name].of_run([year for world in worlds for year in run.years[world]]).value
        for run, worlds in match.sides
    )
    return one, other


def _samples(axis: Axis, match: Match) -> list[list[float | None]]:
    """The figures of each one's years on the one world, or of its worlds."""
    measure = MEASURES[axis.name]
    if match.design == "one world":
        return [[measure.of_year(year) for year in run.distinct(worlds[0])] for run, worlds in match.sides]
    return [[measure.of_run(run.distinct(world)).value for world in worlds] for run, worlds in match.sides]


def _difference(axis: Axis, match: Match) -> Difference:
    if axis is BAD_SPEND and match.first.run.terms.voice != match.second.run.terms.voice:
        return Difference(axis)
    first, second = figures(axis, match)
    found = _by_worlds(axis, match) if match.design == "same worlds" else _by_samples(axis, match)
    money = axis in (ASSETS, SKILL)  # the verdict is about one of them, and the other follows from it
    return replace(found, first=first, second=second, interval=None if money else found.interval)


def _by_worlds(axis: Axis, match: Match) -> Difference:
    """Worlds are the units: what two years on one world have in common counts once."""
    met = {
        world: (one, other)
        for world, one, other in zip(match.first_worlds, *_samples(axis, match), strict=True)
        if one is not None and other is not None
    }
    gaps, units = [one - other for one, other in met.values()], (len(met), len(met))
    if len(met) < 2:
        return Difference(axis, units, difference=fmean(gaps) if gaps else None, by_world=met)
    return Difference(
        axis,
        units,
        difference=fmean(gaps),
        interval=sign_interval(gaps) if len(gaps) >= FEWEST_PAIRS else None,
        wins=sum(axis.score(gap) > 0 for gap in gaps),
        losses=sum(axis.score(gap) < 0 for gap in gaps),
        by_world=met,
    )


def _by_samples(axis: Axis, match: Match) -> Difference:
    """Two samples of single years, or of worlds that the other did not play."""
    ones, others = map(_present, _samples(axis, match))
    if not ones or not others:
        return Difference(axis, (len(ones), len(others)))
    tested = least_p_of_labels(len(ones), len(others)) <= LEVEL
    return Difference(
        axis,
        (len(ones), len(others)),
        difference=fmean(ones) - fmean(others),
        interval=label_interval(ones, others) if tested else None,
    )


def _spread(match: Match) -> Spread:
    """Of the primary score, if the runs share a world."""
    if match.design == "other worlds":
        return Spread()
    of_year = MEASURES[match.primary.name].of_year
    return spread_of(
        *([_present(map(of_year, run.distinct(world))) for world in worlds] for run, worlds in match.sides)
    )


def _present(values: Iterator[float | None] | Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _bankruptcies(match: Match) -> Bankruptcies:
    """Tested within worlds: what a world does to both agents, or to all years of one, counts once."""
    ones, others = (
        [[float(year["profitability"]["bankrupt"]) for year in run.distinct(world)] for world in worlds]
        for run, worlds in match.sides
    )
    if match.design == "same worlds":
        p = sign_flip([fmean(one) - fmean(other) for one, other in zip(ones, others, strict=True)])
    elif match.design == "one world":
        p = shuffled_labels(ones[0], others[0])
    else:
        p = shuffled_labels(list(map(fmean, ones)), list(map(fmean, others)))
    (first, first_years), (second, second_years) = ((int(sum(map(sum, c))), sum(map(len, c))) for c in (ones, others))
    return Bankruptcies(first, first_years, second, second_years, p)


def _clamped(match: Match) -> list[list[str]]:
    """Of each run the worlds, or the years on the one world, that ended with less than enters a logarithm."""
    found = []
    for (run, worlds), values in zip(match.sides, _samples(ASSETS, match), strict=True):
        years = [f"year {number + 1}" for number in range(len(values))]
        names = years if match.design == "one world" else run.names(worlds)
        poor = [value is not None and value < least_assets(match.stake) for value in values]
        found.append([name for name, is_poor in zip(names, poor, strict=True) if is_poor])
    return found


def _notes(match: Match) -> Iterator[str]:
    for run, _ in match.sides:
        if run.run.manifest.stopping:
            yield (
                f"{run.label} has interim analyses, which decide when it stops. The interval of the verdict is valid "
                "wherever it stops; the ratio is the estimate at the stop, which tends to be too large; the intervals "
                "of the other axes are not corrected for the analyses."
            )
    if match.design == "other worlds":
        yield "The runs share no world: what their worlds differ in is in every difference below."
    if match.design == "one world":
        yield f"One world, {match.first.names(match.first_worlds)[0]}: these results do not carry over to another."
    for world in match.left_out:
        one, other = (yuan(MEASURES[ASSETS.name].of_run(run.years[world]).value or 0.0) for run, _ in match.sides)
        name = match.first.names([world])[0]
        yield f"World {name} is not a fresh one and is left out; final assets there: A {one}, B {other}."
    for run, _ in match.sides:
        if run.copies:
            yield f"{run.label}: {equal_years(run)}"
    clamped, least = _clamped(match) if match.primary is ASSETS else [[], []], yuan(least_assets(match.stake))
    for (run, _), names in zip(match.sides, clamped, strict=True):
        if names:
            below = f"{run.label} ends below {least}, a hundredth of the stake, on {', '.join(names)}."
            yield f"{below} The test counts each as {least}."
    if any(clamped):
        yield "A ratio that is stated is therefore that of the means, and has no interval."
    paired = match.design == "same worlds"
    if min(match.units) < (FEWEST_PAIRS if paired else FEWEST_OF_EACH):
        each = "" if paired else f", or {FEWEST_OF_EACH} different units of each"
        yield f"No p-value and no interval: they take {FEWEST_PAIRS} worlds that both played{each}."
