"""Ranks of entries by the tests of `ecbench compare`, with the ranks that chance leaves open and tied groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, product
from math import exp
from statistics import fmean
from string import ascii_uppercase

from ecbench.analysis.compare.comparison import Comparison, compare
from ecbench.analysis.compare.entries import is_known
from ecbench.analysis.compare.verdict import primary_of, year_score
from ecbench.metrics.measures import ALL_AXES, ASSETS, SKILL, Axis
from ecbench.metrics.ranks import Entrant, ranked_by, ranks
from ecbench.quantiles import mean_interval
from ecbench.season.site.submissions import VerifiedEntry


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An entry and its rank; without one it is listed, and not ranked."""

    entry: VerifiedEntry
    score: float  # mean skill over fresh worlds, or the geometric mean of final assets there
    interval: tuple[float, float] | None  # its 95% over fresh worlds, by Student's t; None if no two of them differ
    rank: int | None = None
    best: int | None = None  # rank that chance leaves open
    worst: int | None = None
    groups: str = ""  # letters; entries that share one cannot be told apart


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Entries, the best first and those that are not ranked last, and every pair of those that are ranked."""

    axis: Axis  # that ranks
    lines: Sequence[RankedEntry]
    comparison: Comparison


def rank_entries(entries: Sequence[VerifiedEntry]) -> Leaderboard:
    """Rank the entries that played the whole season; one that stopped early is listed behind them."""
    whole = [entry for entry in entries if not entry.proof.stopped_early]
    axis = primary_of(*(entry.compared for entry in whole)) if whole else ASSETS
    entrants = {_entrant(line, axis): line for line in (_scored(entry, axis) for entry in whole)}
    found = dict(zip(entrants, ranks(list(entrants), axis), strict=True))
    ranked = [(found[who], entrants[who]) for who in ranked_by(axis, list(entrants))]
    comparison = compare([line.entry.compared for _, line in ranked])
    beats = _shown(comparison)
    letters = groups(len(ranked), beats)
    lines = []
    for number, (shared, line) in enumerate(ranked):
        rank = shared or number + 1
        best = min(rank, 1 + sum(loser == number for _, loser in beats))
        worst = max(rank, len(ranked) - sum(winner == number for winner, _ in beats))
        lines.append(replace(line, rank=rank, best=best, worst=worst, groups=letters[number]))
    early = [_scored(entry, axis) for entry in entries if entry.proof.stopped_early]
    return Leaderboard(axis, [*lines, *early], comparison)


def _scored(entry: VerifiedEntry, axis: Axis) -> RankedEntry:
    """A ruined year counts as if a hundredth of the stake were left."""
    run, stake = entry.compared, entry.compared.run.terms.stake
    known = {site.id for site in run.run.worlds if is_known(site)}
    fresh = [world for world in run.years if world not in known] or list(run.years)
    scores = [fmean(year_score(year, axis, stake) for year in run.distinct(world)) for world in fresh]
    ends = mean_interval(scores) if len(set(scores)) > 1 else None
    if axis is SKILL:
        return RankedEntry(entry, fmean(scores), ends)
    return RankedEntry(entry, exp(fmean(scores)), ends and (exp(ends[0]), exp(ends[1])))


def _entrant(line: RankedEntry, axis: Axis) -> Entrant:
    entry, values = line.entry, {each.name: line.entry.values.get(each.name) for each in ALL_AXES}
    return Entrant(entry.name, values | {axis.name: line.score}, entry.compared.count, bankrupt=entry.bankrupt)


def _shown(comparison: Comparison) -> list[tuple[int, int]]:
    """The pairs that can be told apart, by number: the better one and the other.

    A pair whose verdict is against their order is not one of them: the order counts money that ruin has cost.
    """
    numbers = combinations(range(len(comparison.entries)), 2)
    pairs = zip(numbers, comparison.pairs, strict=True)
    return [both for both, pair in pairs if pair.verdict.shown and pair.verdict.first_is_better]


def groups(size: int, apart: Sequence[tuple[int, int]]) -> list[str]:
    """The letters of each, in the order of ranks: neighbours share one as long as no two of them can be told apart."""
    pairs, found = {frozenset(pair) for pair in apart}, list[range]()
    for first in range(size):
        end = first + 1
        while end < size and not any(frozenset((each, end)) in pairs for each in range(first, end)):
            end += 1
        if not found or end > found[-1].stop:
            found.append(range(first, end))
    letters = ("".join(signs) for length in count(1) for signs in product(ascii_uppercase, repeat=length))
    named = list(zip(found, letters, strict=False))
    return [" ".join(letter for group, letter in named if index in group) for index in range(size)]
