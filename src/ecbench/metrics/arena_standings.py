"""Standings of an arena over its finished rounds: means, wins, mean ranks, shares of meetings won, and ratings.

The interval of a mean is Student's, over rounds. Ratings are Bradley and Terry's on the scale of chess: 400 points more
mean odds of ten to one to end a round richer. Their intervals follow from the curvature of the likelihood, in which a
round of n seats counts as n - 1 comparisons. Rounds that end alike for every entry, to the yuan, are one observation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf, log
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.quantiles import NORMAL, mean_interval

STEPS = 200  # of the fit of ratings, far more than it needs
POINTS = 400 / log(10)  # of a rating, in the logarithm of odds
MIDDLE = 1_000.0  # what ratings average
PRIOR_WINS = 0.5  # of each entry over each other, so that one that never lost has a rating too


class Rating(NamedTuple):
    """A Bradley-Terry rating and half of its 95% interval; None with one observation."""

    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry over all finished rounds."""

    label: str
    agent: str
    rounds: int
    assets: float  # mean final assets, in yuan
    interval: tuple[float, float] | None  # of the mean, 95%; None with one observation
    wins: float  # rounds won; a shared first rank is shared here too, and a bankrupt business has none
    rank: float | None  # mean; 1 is best; None if the entry left a round before it was over
    unranked_reason: str  # why there is none; empty if there is one
    bankruptcies: int
    rating: Rating


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
    observed, found = different(rounds), []
    ratings = rate(observed)
    for entry, (label, agent) in enumerate(zip(labels, agents, strict=True)):
        assets, left = [played[entry].assets for played in observed], _unranked_reason(rounds, entry)
        standing = Standing(
            label=label,
            agent=agent,
            rounds=len(rounds),
            assets=fmean(assets),
            interval=mean_interval(assets),
            wins=sum(_share_of_first(played, entry) for played in rounds),
            rank=None if left else fmean(mid_rank(played, entry) for played in rounds),
            unranked_reason=left,
            bankruptcies=sum(played[entry].ending == "bankruptcy" for played in rounds),
            rating=ratings[entry],
        )
        found.append(standing)
    return sorted(found, key=lambda standing: (standing.rank is None, -standing.assets))


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


def rate(rounds: Sequence[Round]) -> list[Rating]:
    """Bradley-Terry ratings by entry."""
    entries = len(rounds[0])
    if entries == 1:
        return [Rating(MIDDLE, None)]
    wins = PRIOR_WINS * (1.0 - np.eye(entries))
    for played in rounds:
        for one, other in permutations(range(entries), 2):
            wins[one, other] += _beats(played, one, other)
    met, strengths = wins + wins.T, np.zeros(entries)
    for _ in range(STEPS):  # Hunter's minorization; strengths keep a mean of zero
        powers = np.exp(strengths)
        strengths = np.log(wins.sum(axis=1) / (met / np.add.outer(powers, powers)).sum(axis=1))
        strengths -= strengths.mean()
    chances = 1.0 / (1.0 + np.exp(np.subtract.outer(strengths, strengths)))
    weights = met * chances * (1.0 - chances)
    # The sum of strengths is fixed: what is added makes the information invertible, and is taken away again.
    information = np.diag(weights.sum(axis=1)) - weights + 1.0 / entries
    variances = np.diag(np.linalg.inv(information)) - 1.0 / entries
    errors = POINTS * NORMAL * np.sqrt(variances * entries / 2)
    return [
        Rating(MIDDLE + POINTS * float(strength), float(error) if len(rounds) > 1 else None)
        for strength, error in zip(strengths, errors, strict=True)
    ]


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
