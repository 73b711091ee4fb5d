"""Standings of an arena over its finished rounds: means, wins, shares of meetings won, and ratings.

The interval of a mean is Student's, over rounds. Ratings are Bradley and Terry's on the scale of chess: 400 points more
mean odds of ten to one to end a round richer. Half a win for each side and pair is added to what was seen, so that an
entry that never lost has a rating too. Their intervals follow from the curvature of the likelihood, in which a round
of n seats counts as the n - 1 comparisons that make up an order and not as the n(n - 1)/2 pairs read from it.

Rounds that end alike for every entry, to the yuan, are one observation: means and ratings count them once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf, log
from statistics import fmean

import numpy as np

from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.quantiles import NORMAL, mean_interval

STEPS = 200  # of the fit, far more than it needs
POINTS = 400 / log(10)  # of a rating, in the logarithm of odds
MIDDLE = 1_000.0  # what ratings average
SEEN_BEFORE = 0.5  # wins of each over each


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and its 95% interval; None where there is one observation."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry over all finished rounds."""

    label: str
    agent: str
    rounds: int
    assets: Interval  # mean final assets, in yuan
    wins: float  # rounds won; a shared first rank is shared here too, and a bankrupt business has none
    rank: float | None  # mean; 1 is best; None if the entry left a round before it was over
    unranked_reason: str  # why there is none; empty if there is one
    bankruptcies: int
    rating: Interval


@dataclass(frozen=True, slots=True)
class EntryResult:
    """One entry in one round."""

    entry: int
    assets: float
    ending: str


Round = Sequence[EntryResult]  # in the order of entries


def standings(labels: Sequence[str], agents: Sequence[str], rounds: Sequence[Round]) -> list[Standing]:
    """Best mean first, behind them entries that left a round before it was over; none before a round is finished."""
    if not rounds:
        return []
    observed = different(rounds)
    ratings = rate(observed)
    left = [_unranked_reason(rounds, entry) for entry in range(len(labels))]
    found = [
        Standing(
            label=labels[entry],
            agent=agents[entry],
            rounds=len(rounds),
            assets=_mean([played[entry].assets for played in observed]),
            wins=sum(_share_of_first(played, entry) for played in rounds),
            rank=None if left[entry] else fmean(mid_rank(played, entry) for played in rounds),
            unranked_reason=left[entry],
            bankruptcies=sum(played[entry].ending == "bankruptcy" for played in rounds),
            rating=ratings[entry],
        )
        for entry in range(len(labels))
    ]
    return sorted(found, key=lambda standing: (standing.rank is None, -standing.assets.value))


def different(rounds: Sequence[Round]) -> list[Round]:
    """The rounds without those that repeat another: every entry ended alike, with the same assets to the yuan."""
    first: dict[tuple[tuple[int, str], ...], Round] = {}
    for played in rounds:
        first.setdefault(tuple((round(own.assets), own.ending) for own in played), played)
    return list(first.values())


def _unranked_reason(rounds: Sequence[Round], entry: int) -> str:
    """An entry is ranked if each of its rounds ended by the calendar or by bankruptcy, as a year alone must."""
    left = [number for number, played in enumerate(rounds) if played[entry].ending not in ENDED_BY_MARKET]
    return f"left round {left[0]} before it was over" if left else ""


def head_to_head(rounds: Sequence[Round]) -> list[list[float | None]]:
    """By entry and rival: the share of rounds that the entry ended richer; equal assets count half."""
    entries = len(rounds[0]) if rounds else 0
    return [
        [None if one == other else fmean(_beats(played, one, other) for played in rounds) for other in range(entries)]
        for one in range(entries)
    ]


def rate(rounds: Sequence[Round]) -> list[Interval]:
    """Bradley-Terry ratings by entry; a single round gives no interval."""
    entries = len(rounds[0])
    if entries == 1:
        return [Interval(MIDDLE, None, None)]
    wins = SEEN_BEFORE * (1.0 - np.eye(entries))
    for played in rounds:
        for one, other in permutations(range(entries), 2):
            wins[one, other] += _beats(played, one, other)
    met, strengths = wins + wins.T, np.zeros(entries)
    for _ in range(STEPS):  # Hunter's minorization; strengths keep a mean of zero
        powers = np.exp(strengths)
        strengths = np.log(wins.sum(axis=1) / (met / np.add.outer(powers, powers)).sum(axis=1))
        strengths -= strengths.mean()
    values = [float(value) for value in MIDDLE + POINTS * strengths]
    if len(rounds) == 1:
        return [Interval(value, None, None) for value in values]
    chances = 1.0 / (1.0 + np.exp(np.subtract.outer(strengths, strengths)))
    weights = met * chances * (1.0 - chances)
    # The sum of strengths is fixed: what is added makes the information invertible, and is taken away again.
    information = np.diag(weights.sum(axis=1)) - weights + 1.0 / entries
    variances = np.diag(np.linalg.inv(information)) - 1.0 / entries
    errors = [float(error) for error in POINTS * NORMAL * np.sqrt(variances * entries / 2)]
    return [Interval(value, value - error, value + error) for value, error in zip(values, errors, strict=True)]


def mid_rank(played: Round, entry: int) -> float:
    """1 for the richest of those that stayed; those with equal assets share the mean of their ranks."""
    own = played[entry].assets
    stayed = [other.assets for other in played if other.ending in ENDED_BY_MARKET]
    above = sum(assets > own for assets in stayed)
    equal = sum(assets == own for assets in stayed)
    return above + (equal + 1) / 2


def _beats(played: Round, one: int, other: int) -> float:
    difference = played[one].assets - played[other].assets
    return 0.5 if difference == 0 else float(difference > 0)


def _share_of_first(played: Round, entry: int) -> float:
    """Those who share the first rank share the win; who went bankrupt or left is never first."""
    assets = [each.assets if each.ending == "year_end" else -inf for each in played]
    return 1 / assets.count(max(assets)) if assets[entry] == max(assets) > -inf else 0.0


def _mean(values: Sequence[float]) -> Interval:
    low, high = mean_interval(values) or (None, None)
    return Interval(fmean(values), low, high)
