"""Ranks of entries, with the ranks that chance leaves open and the groups that cannot be told apart.

The tests are those of `ecbench compare`: paired by fresh world, of ruin and of the primary score, corrected over all
pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, product
from math import exp
from statistics import fmean
from string import ascii_uppercase

from ecbench.analysis.compare.comparison import Comparison, compare
from ecbench.analysis.compare.entries import is_known
from ecbench.analysis.compare.verdict import primary_of, year_score
from ecbench.metrics.axes import ALL_AXES, ASSETS, SKILL, Axis
from ecbench.metrics.ranks import Entrant, ranked_by, ranks
from ecbench.quantiles import mean_interval
from ecbench.season.site.submissions import VerifiedEntry


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """An entry and its rank; without one it is listed, and not ranked."""

    entry: VerifiedEntry
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
    entrants = {_entrant(entry, axis): entry for entry in whole}
    best_first = ranked_by(axis, list(entrants))
    found = dict(zip(entrants, ranks(list(entrants), axis), strict=True))
    ranked = [entrants[who] for who in best_first]
    comparison = compare([entry.compared for entry in ranked])
    beats = _shown(ranked, comparison)
    letters = groups(len(ranked), beats)
    lines = []
    for number, who in enumerate(best_first):
        rank = found[who] or number + 1
        better = sum(loser == number for _, loser in beats)
        worse = sum(winner == number for winner, _ in beats)
        possible = (min(rank, 1 + better), max(rank, len(ranked) - worse))
        lines.append(RankedEntry(ranked[number], rank, *possible, letters[number]))
    early = [RankedEntry(entry) for entry in entries if entry.proof.stopped_early]
    return Leaderboard(axis, [*lines, *early], comparison)


def season_score(entry: VerifiedEntry, axis: Axis) -> float:
    """What ranks an entry: its mean skill over fresh worlds, or the geometric mean of its final assets there.

    A ruined year counts as if a hundredth of the stake were left.
    """
    score = fmean(_world_scores(entry, axis))
    return score if axis is SKILL else exp(score)


def score_interval(entry: VerifiedEntry, axis: Axis) -> tuple[float, float] | None:
    """Its 95% interval over fresh worlds, by Student's t; None where no two of them differ."""
    scores = _world_scores(entry, axis)
    ends = mean_interval(scores) if len(set(scores)) > 1 else None
    return ends if ends is None or axis is SKILL else (exp(ends[0]), exp(ends[1]))


def _world_scores(entry: VerifiedEntry, axis: Axis) -> list[float]:
    run, stake = entry.compared, entry.compared.run.terms.stake
    known = {site.id for site in run.run.worlds if is_known(site)}
    fresh = [world for world in run.years if world not in known] or list(run.years)
    return [fmean(year_score(year, axis, stake) for year in run.distinct(world)) for world in fresh]


def _entrant(entry: VerifiedEntry, axis: Axis) -> Entrant:
    values = {each.name: entry.values.get(each.name) for each in ALL_AXES}
    return Entrant(
        entry.name, values | {axis.name: season_score(entry, axis)}, entry.compared.count, bankrupt=entry.bankrupt
    )


def _shown(ranked: Sequence[VerifiedEntry], comparison: Comparison) -> list[tuple[int, int]]:
    """The pairs that can be told apart, by number: the better one and the other.

    A pair whose verdict is against their order is not one of them: the order counts money that ruin has cost.
    """
    number = {id(entry.compared): rank for rank, entry in enumerate(ranked)}
    found = []
    for pair in comparison.pairs:
        first, second = number[id(pair.first)], number[id(pair.second)]
        better, worse = (first, second) if pair.verdict.first_is_better else (second, first)
        if pair.verdict.shown and better < worse:
            found.append((better, worse))
    return found


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
