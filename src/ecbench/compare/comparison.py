"""Runs beside one another, every one with every other.

Two runs are compared world by world where they share at least two worlds. With one world between them their years there
are compared, which does not generalise to other worlds; without any, the means over each run's worlds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from typing import Literal

from ecbench.compare.chance import fisher_exact, holm, least_p_of_labels, least_p_of_signs
from ecbench.compare.difference import Difference, Duel, apart, no_difference, paired
from ecbench.compare.entries import ComparedRun, is_known
from ecbench.compare.fairness import warnings
from ecbench.compare.spread import spread_of
from ecbench.metrics.axes import AXES, BAD_SPEND, Axis
from ecbench.metrics.estimators import Measure
from ecbench.metrics.measures import MEASURES
from ecbench.quantiles import LEVEL

SHARED_NEEDED = next(units for units in count(1) if least_p_of_signs(units) <= LEVEL)
OF_EACH_NEEDED = next(units for units in count(1) if least_p_of_labels(units, units) <= LEVEL)

Design = Literal["same worlds", "one world", "other worlds"]


@dataclass(frozen=True, slots=True)
class Bankruptcies:
    """Of years that are not copies of one another, and Fisher's exact test between them."""

    first: int
    first_years: int
    second: int
    second_years: int

    @property
    def p(self) -> float:
        return fisher_exact(self.first, self.first_years, self.second, self.second_years)


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
    def least_p(self) -> float:
        """What the clearest of differences would come to."""
        return least_p_of_signs(self.units[0]) if self.design == "same worlds" else least_p_of_labels(*self.units)


@dataclass(frozen=True, slots=True)
class RunPair:
    match: Match
    differences: Sequence[Difference]
    bankruptcies: Bankruptcies
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    entries: Sequence[ComparedRun]
    warnings: Sequence[str]
    pairs: Sequence[RunPair]
    tests: int  # over which p-values are corrected


def compare(entries: Sequence[ComparedRun], axes: Sequence[Axis] = AXES) -> Comparison:
    """p-values are corrected over all axes of all pairs together."""
    pairs = [_pair(one, other, axes) for one, other in combinations(entries, 2)]
    p_values = [found.p for pair in pairs for found in pair.differences]
    corrected, tests = iter(holm(p_values)), sum(p is not None for p in p_values)
    return Comparison(
        entries,
        warnings(entries),
        [
            replace(
                pair,
                differences=[replace(found, p_holm=next(corrected)) for found in pair.differences],
                notes=[*pair.notes, *_out_of_reach(pair, tests)],
            )
            for pair in pairs
        ],
        tests,
    )


def _pair(first: ComparedRun, second: ComparedRun, axes: Sequence[Axis]) -> RunPair:
    shared = [site.id for site in first.run.sites if site.id in first.years and site.id in second.years]
    known = [site.id for site in first.run.sites if site.id in shared and is_known(site)]
    fresh = [world for world in shared if world not in known]
    aside = known if len(fresh) > 1 else []
    meeting = [world for world in shared if world not in aside]
    design: Design = "same worlds" if len(meeting) > 1 else "one world" if meeting else "other worlds"
    match = Match(first, second, design, meeting or list(first.years), meeting or list(second.years), aside)
    return RunPair(match, [_difference(axis, match) for axis in axes], _bankruptcies(match), list(_notes(match)))


def _notes(match: Match) -> Iterator[str]:
    if match.design == "other worlds":
        yield "The runs share no world: what their worlds differ in is in every difference below."
    if match.design == "one world":
        (world,) = match.first_worlds
        yield f"One world, {match.first.names([world])[0]}: these results do not carry over to another."
        for entry, units in zip((match.first, match.second), match.units, strict=True):
            if units < len(entry.years[world]):
                yield f"{entry.label} plays the same year every time: no chance is in it, and its years count as one."
    if match.least_p > LEVEL:
        kind = "years" if match.design == "one world" else "worlds"
        sample = f"{match.units[0]}" if match.design == "same worlds" else f"{match.units[0]} and {match.units[1]}"
        needed = f"at least {SHARED_NEEDED} worlds that both played are needed"
        needed += "" if match.design == "same worlds" else f", or {OF_EACH_NEEDED} different {kind} of each"
        yield f"No interval and no p-value: with {sample} {kind} no difference could reach 5%; {needed}."


def _out_of_reach(pair: RunPair, tests: int) -> Iterator[str]:
    """A note where even the clearest difference would not survive the correction."""
    least = pair.match.least_p * tests
    if least > LEVEL >= pair.match.least_p:
        yield (
            f"Corrected over {tests} tests, no p-value can be below {min(1.0, least):.3f} with so few units: choose "
            "fewer axes beforehand (--axis), or play more worlds."
        )


def _difference(axis: Axis, match: Match) -> Difference:
    measure, first, second = MEASURES[axis.name], match.first, match.second
    if axis is BAD_SPEND and first.run.terms.voice != second.run.terms.voice:
        return no_difference(axis)
    if match.design == "same worlds":
        return paired(axis, list(duels(axis, match).values()))
    if match.design == "one world":
        (world,) = match.first_worlds
        ones, others = (_present([measure.of_year(y) for y in run.distinct(world)]) for run in (first, second))
        found = apart(axis, ones, others)
        return replace(found, spread=spread_of([ones], [others])) if ones and others else found
    return apart(
        axis,
        _present([measure.of_run(first.years[world]).value for world in match.first_worlds]),
        _present([measure.of_run(second.years[world]).value for world in match.second_worlds]),
    )


def duels(axis: Axis, match: Match) -> dict[str, Duel]:
    """By the ids of the worlds that both played; one on which either has no sample does not enter."""
    met = {world: _duel(MEASURES[axis.name], match.first, match.second, world) for world in match.first_worlds}
    return {world: duel for world, duel in met.items() if duel is not None}


def _duel(measure: Measure, first: ComparedRun, second: ComparedRun, world: str) -> Duel | None:
    one, other = measure.of_run(first.years[world]).value, measure.of_run(second.years[world]).value
    if one is None or other is None:
        return None
    years = [_present([measure.of_year(year) for year in run.years[world]]) for run in (first, second)]
    return Duel(one, other, *years) if all(years) else None


def _present(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _bankruptcies(match: Match) -> Bankruptcies:
    counts = []
    for entry, worlds in ((match.first, match.first_worlds), (match.second, match.second_worlds)):
        years = [year for world in worlds for year in entry.distinct(world)]
        counts += [sum(bool(year["profitability"]["bankrupt"]) for year in years), len(years)]
    return Bankruptcies(*counts)
