"""Runs beside one another, every one with every other.

Two runs are compared world by world where they share at least two worlds. With one world between them their years there
are compared, which does not generalise to other worlds; without any, the means over each run's worlds. Years on one
world that end alike count once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from statistics import fmean
from typing import Literal

import numpy as np

from ecbench.compare.chance import (
    labels,
    least_p_of_labels,
    least_p_of_signs,
    max_t,
    shuffled_labels,
    sign_flip,
    signs,
)
from ecbench.compare.difference import Difference, Duel, apart, no_difference, paired
from ecbench.compare.entries import ComparedRun, equal_years, is_known
from ecbench.compare.fairness import warnings
from ecbench.compare.spread import spread_of
from ecbench.compare.stopping import finished_worlds, look_at, verdict_at
from ecbench.compare.verdict import (
    Means,
    PlannedStop,
    Scale,
    Verdict,
    apart_verdict,
    least_assets,
    log_assets,
    paired_verdict,
    planned_verdict,
)
from ecbench.metrics.axes import ALL_AXES, ASSETS, BAD_SPEND, SKILL, Axis, primary_axis
from ecbench.metrics.estimators import Measure
from ecbench.metrics.measures import MEASURES
from ecbench.number_words import yuan
from ecbench.quantiles import LEVEL
from ecbench.runs.terms import rules_of

SHARED_NEEDED = next(units for units in count(1) if least_p_of_signs(units) <= LEVEL)
OF_EACH_NEEDED = next(units for units in count(1) if least_p_of_labels(units, units) <= LEVEL)

Design = Literal["same worlds", "one world", "other worlds"]
Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Bankruptcies:
    """Of years that are not copies of one another, and how often chance would divide them as unevenly."""

    first: int
    first_years: int
    second: int
    second_years: int
    p: float


@dataclass(frozen=True, slots=True)
class Match:
    """Two runs and the ground they meet on."""

    first: ComparedRun
    second: ComparedRun
    design: Design
    first_worlds: Sequence[str]  # ids
    second_worlds: Sequence[str]  # the same ones unless they share none
    left_out: Sequence[str] = ()  # that both played, and that are no fresh ones

    @property
    def units(self) -> tuple[int, int]:
        """Worlds of each, or years on the one world."""
        if self.design == "one world":
            return len(self.first.distinct(self.first_worlds[0])), len(self.second.distinct(self.second_worlds[0]))
        return len(self.first_worlds), len(self.second_worlds)

    @property
    def primary(self) -> Axis:
        """What the verdict is about: skill where both are ranked by it."""
        runs = (self.first, self.second)
        ranked = all(primary_axis(rules_of(run.run.terms)) is SKILL for run in runs)
        years = (year for run in runs for years in run.years.values() for year in years)
        return SKILL if ranked and all(MEASURES[SKILL.name].of_year(year) is not None for year in years) else ASSETS

    @property
    def stake(self) -> float:
        return max(self.first.run.terms.stake, self.second.run.terms.stake)


@dataclass(frozen=True, slots=True)
class RunPair:
    match: Match
    verdict: Verdict
    differences: Sequence[Difference]
    bankruptcies: Bankruptcies
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    entries: Sequence[ComparedRun]
    warnings: Sequence[str]
    pairs: Sequence[RunPair]


def compare(entries: Sequence[ComparedRun], axes: Sequence[Axis] = ALL_AXES) -> Comparison:
    """The verdicts are corrected over all pairs; the other axes over all pairs and axes."""
    pairs = [_pair(one, other, axes) for one, other in combinations(entries, 2)]
    return Comparison(entries, warnings(entries), _with_axes_corrected(_with_verdicts_corrected(pairs)))


def _with_verdicts_corrected(pairs: Sequence[RunPair]) -> list[RunPair]:
    """Signs of worlds are turned for all pairs together; other tests are corrected for the number of pairs."""
    counted = [pair for pair in pairs if pair.verdict.test == "signs"]
    joint = dict(zip(map(id, counted), _joint([primary_gaps(pair.match) for pair in counted]), strict=True))
    found = []
    for pair in pairs:
        p = pair.verdict.p
        corrected = None if p is None else joint.get(id(pair), min(1.0, p * len(pairs)))
        verdict = replace(pair.verdict, p_adjusted=corrected)
        differences = [
            replace(each, interval=None, p=p, p_adjusted=corrected) if each.axis is pair.match.primary else each
            for each in pair.differences
        ]
        found.append(replace(pair, verdict=verdict, differences=differences))
    return found


def _with_axes_corrected(pairs: Sequence[RunPair]) -> list[RunPair]:
    """Pairs on shared worlds together; the others each by itself, times their number."""
    shared = [pair for pair in pairs if pair.match.design == "same worlds"]
    tested = [(pair.match, each.axis) for pair in shared for each in _secondary(pair)]
    joint = iter(_joint([_gaps(duels(axis, match)) for match, axis in tested]))
    found = []
    for pair in pairs:
        alone = (min(1.0, p * (len(pairs) - len(shared))) for p in _labels_joint(pair))
        corrected = joint if pair.match.design == "same worlds" else alone
        kept = _secondary(pair)
        differences = [replace(each, p_adjusted=next(corrected)) if each in kept else each for each in pair.differences]
        found.append(replace(pair, differences=differences))
    return found


def _secondary(pair: RunPair) -> list[Difference]:
    return [each for each in pair.differences if each.axis is not pair.match.primary and each.p is not None]


def _joint(columns: Sequence[Mapping[str, float]]) -> list[float]:
    """Corrected p-values of tests whose differences are given by world."""
    if not columns:
        return []
    worlds = list(dict.fromkeys(world for column in columns for world in column))
    tests = np.array([[column.get(world, 0.0) for column in columns] for world in worlds])
    return max_t(tests, signs(len(worlds)))


def _labels_joint(pair: RunPair) -> list[float]:
    """The same for the axes of two runs that do not share worlds, whose units are relabelled."""
    kept = _secondary(pair)
    if pair.match.design == "same worlds" or not kept:
        return []
    samples = [_samples(each.axis, pair.match) for each in kept]
    columns = []
    for ones, others in samples:
        middle = fmean(_present([*ones, *others]))
        columns.append([0.0 if value is None else value - middle for value in (*ones, *others)])
    return max_t(np.array(columns).T, labels(*map(len, samples[0])))


def _pair(first: ComparedRun, second: ComparedRun, axes: Sequence[Axis]) -> RunPair:
    shared = [site.id for site in first.run.sites if site.id in first.years and site.id in second.years]
    known = [site.id for site in first.run.sites if site.id in shared and is_known(site)]
    fresh = [world for world in shared if world not in known]
    aside = known if len(fresh) > 1 else []
    meeting = [world for world in shared if world not in aside]
    design: Design = "same worlds" if len(meeting) > 1 else "one world" if meeting else "other worlds"
    match = Match(first, second, design, meeting or list(first.years), meeting or list(second.years), aside)
    return RunPair(
        match, _verdict(match), [_difference(axis, match) for axis in axes], _bankruptcies(match), list(_notes(match))
    )


def primary_gaps(match: Match) -> dict[str, float]:
    """By world that both played: the logarithm of the first one's final assets over the second's, or the skill that it
    has more."""
    if match.primary is SKILL:
        return _gaps(duels(SKILL, match))
    return {
        world: log_assets(duel.one, match.stake) - log_assets(duel.other, match.stake)
        for world, duel in duels(ASSETS, match).items()
    }


def _planned(match: Match, scale: Scale) -> Verdict | None:
    """At the last look of a run's plan; None without a plan. Whichever run it compares with, its interval holds."""
    planned = next((run for run in (match.first, match.second) if run.run.stopping), None)
    if planned is None or planned.run.stopping is None or match.design != "same worlds":
        return None
    plan, gaps = planned.run.stopping, primary_gaps(match)
    worlds = [planned.run.sites[place].id for place in plan.order]
    whole = [run for run in (match.first, match.second) if run.run.stopping is None]
    done = min(finished_worlds(plan, run) for run in (match.first, match.second) if run not in whole)
    met = [all(world in run.years for run in whole) for world in worlds]  # the other may lack some
    shared = [sum(met[:look]) for look in plan.looks]
    reached = [count for look, count in zip(plan.looks, shared, strict=True) if look <= done and count]
    own = [gaps[world] for world in worlds if world in gaps][: max(reached, default=0)]
    if len(own) < 2:
        return planned_verdict([], PlannedStop(0, plan.looks[-1], None), scale)
    found = look_at(own, sorted({count for count in shared if count}), plan.smallest_gap, plan.score)
    return verdict_at(replace(found, planned=plan.looks[-1]), plan.smallest)


def _verdict(match: Match) -> Verdict:
    one, other = figures(ASSETS, match)
    means = None if one is None or other is None else Means(one, other, match.stake)
    clamped = match.primary is ASSETS and any(_clamped(match))
    return replace(_tested_primary(match), means=means, clamped=clamped)


def _tested_primary(match: Match) -> Verdict:
    scale: Scale = "skill" if match.primary is SKILL else "logarithm"
    if planned := _planned(match, scale):
        return planned
    if match.design == "same worlds":
        return paired_verdict(list(primary_gaps(match).values()), scale)
    ones, others = (_present(values) for values in _samples(match.primary, match))
    if scale == "logarithm":
        ones, others = ([log_assets(value, match.stake) for value in values] for values in (ones, others))
    return apart_verdict(ones, others, scale)


def _notes(match: Match) -> Iterator[str]:
    for run in (match.first, match.second):
        if run.run.stopping:
            yield (
                f"{run.label} was looked at while it was played, and its plan decided when it stopped. The interval of "
                "the verdict holds wherever it stops; the ratio is the estimate at the stop, which tends to be too "
                "large; the other axes are not corrected for the looks."
            )
    if match.design == "other worlds":
        yield "The runs share no world: what their worlds differ in is in every difference below."
    if match.design == "one world":
        (world,) = match.first_worlds
        yield f"One world, {match.first.names([world])[0]}: these results do not carry over to another."
    for entry in (match.first, match.second):
        if entry.copies:
            yield f"{entry.label}: {equal_years(entry)}"
    if match.primary is ASSETS:
        yield from _clamped_notes(match)
    few = match.units[0] if match.design == "same worlds" else min(match.units)
    if few < (SHARED_NEEDED if match.design == "same worlds" else OF_EACH_NEEDED):
        needed = f"{SHARED_NEEDED} worlds that both played"
        needed += "" if match.design == "same worlds" else f", or {OF_EACH_NEEDED} different units of each"
        yield f"No interval and no p-value for the axes: no difference of so few could reach 5%. They take {needed}."


def _clamped(match: Match) -> tuple[list[str], list[str]]:
    """Of each run the worlds, or the years on the one world, that ended with less than enters a logarithm."""
    found = []
    for run, worlds, values in zip(
        (match.first, match.second), (match.first_worlds, match.second_worlds), _samples(ASSETS, match), strict=True
    ):
        names = [f"year {number + 1}" for number in range(len(values))]
        if match.design != "one world":
            names = run.names(worlds)
        poor = [value is not None and value < least_assets(match.stake) for value in values]
        found.append([name for name, is_poor in zip(names, poor, strict=True) if is_poor])
    return found[0], found[1]


def _clamped_notes(match: Match) -> Iterator[str]:
    clamped, least = _clamped(match), yuan(least_assets(match.stake))
    for run, names in zip((match.first, match.second), clamped, strict=True):
        if names:
            yield (
                f"{run.label} ends below {least}, a hundredth of the stake, on {', '.join(names)}. The test counts "
                f"each as {least}."
            )
    if any(clamped):
        yield "The ratio is therefore that of the means, and has no interval."


def figures(axis: Axis, match: Match) -> tuple[float | None, float | None]:
    """Of each run, over all its years on the worlds that are compared, as the run itself states it."""
    measure = MEASURES[axis.name]
    one, other = (
        measure.of_run([year for world in worlds for year in run.years[world]]).value
        for run, worlds in ((match.first, match.first_worlds), (match.second, match.second_worlds))
    )
    return one, other


def _samples(axis: Axis, match: Match) -> tuple[Values, Values]:
    """The figures of each one's years on the one world, or of its worlds."""
    measure = MEASURES[axis.name]
    if match.design == "one world":
        (world,) = match.first_worlds
        ones, others = ([measure.of_year(year) for year in run.distinct(world)] for run in (match.first, match.second))
        return ones, others
    return (
        [measure.of_run(match.first.distinct(world)).value for world in match.first_worlds],
        [measure.of_run(match.second.distinct(world)).value for world in match.second_worlds],
    )


def _difference(axis: Axis, match: Match) -> Difference:
    if axis is BAD_SPEND and match.first.run.terms.voice != match.second.run.terms.voice:
        return no_difference(axis)
    if {axis, match.primary} == {SKILL, ASSETS}:  # one follows from the other: the verdict tests one of them
        return replace(_tested(axis, match), interval=None, p=None)
    return _tested(axis, match)


def _tested(axis: Axis, match: Match) -> Difference:
    first, second = figures(axis, match)
    if match.design == "same worlds":
        return replace(paired(axis, list(duels(axis, match).values())), first=first, second=second)
    ones, others = map(_present, _samples(axis, match))
    found = replace(apart(axis, ones, others), first=first, second=second)
    return (
        replace(found, spread=spread_of([ones], [others])) if match.design == "one world" and ones and others else found
    )


def duels(axis: Axis, match: Match) -> dict[str, Duel]:
    """By the ids of the worlds that both played; one on which either has no sample does not enter."""
    met = {world: _duel(MEASURES[axis.name], match.first, match.second, world) for world in match.first_worlds}
    return {world: duel for world, duel in met.items() if duel is not None}


def _duel(measure: Measure, first: ComparedRun, second: ComparedRun, world: str) -> Duel | None:
    one, other = (measure.of_run(run.distinct(world)).value for run in (first, second))
    years = [_present([measure.of_year(year) for year in run.distinct(world)]) for run in (first, second)]
    return Duel(one, other, *years) if one is not None and other is not None and all(years) else None


def _gaps(met: Mapping[str, Duel]) -> dict[str, float]:
    return {world: duel.one - duel.other for world, duel in met.items()}


def _present(values: Values) -> list[float]:
    return [value for value in values if value is not None]


def _bankruptcies(match: Match) -> Bankruptcies:
    """Tested within worlds: what a world does to both agents, or to all years of one, counts once."""
    both = [
        [[float(year["profitability"]["bankrupt"]) for year in run.distinct(world)] for world in worlds]
        for run, worlds in ((match.first, match.first_worlds), (match.second, match.second_worlds))
    ]
    ones, others = both
    if match.design == "same worlds":
        p = sign_flip([fmean(one) - fmean(other) for one, other in zip(ones, others, strict=True)])
    elif match.design == "one world":
        p = shuffled_labels(ones[0], others[0])
    else:
        p = shuffled_labels(list(map(fmean, ones)), list(map(fmean, others)))
    (first, first_years), (second, second_years) = ((int(sum(map(sum, c))), sum(map(len, c))) for c in both)
    return Bankruptcies(first, first_years, second, second_years, p)
