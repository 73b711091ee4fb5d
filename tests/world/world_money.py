"""How much money lies in fresh worlds, and how like the published one their order of store types is."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecbench.market.best_shelf import Column
from ecbench.rules import DEFAULT_RULES


class Money(NamedTuple):
    """Static optima of store types in yuan a day: on default, and on fresh worlds, one in each row."""

    default: Column
    fresh: Column
    tiers: NDArray[np.int_]  # of the store types


class Spread(NamedTuple):
    """The static optima of fresh worlds, best four store types together."""

    mean: float  # yuan a year
    variation: float  # standard deviation over mean
    lowest: float  # over the mean
    highest: float  # over the mean


class Recall(NamedTuple):
    """What store types that are best on default earn on fresh worlds, over what the best there do."""

    remembered: float
    by_lot: float  # types of the same tiers, whichever they are


def spread(money: Money) -> Spread:
    optima = np.array([best_four(row) for row in money.fresh])
    mean = float(optima.mean())
    return Spread(mean, float(optima.std(ddof=1)) / mean, float(optima.min()) / mean, float(optima.max()) / mean)


def order_likeness(one: Column, other: Column, tiers: NDArray[np.int_]) -> float:
    """Rank correlation of the store types of a tier between two worlds, averaged over the tiers; 0 is chance."""
    return float(np.mean([rank_correlation(one[tiers == tier], other[tiers == tier]) for tier in np.unique(tiers)]))


def likeness_between(money: Money) -> float:
    """Averaged over all pairs of fresh worlds."""
    return float(np.mean([order_likeness(one, other, money.tiers) for one, other in combinations(money.fresh, 2)]))


def likeness_to_default(money: Money) -> float:
    return float(np.mean([order_likeness(row, money.default, money.tiers) for row in money.fresh]))


def recall(money: Money) -> Recall:
    """Whether it helps to open the stores that were best on default."""
    best = np.array([best_four(row, days=1) for row in money.fresh])
    known = np.argsort(money.default)[-DEFAULT_RULES.max_stores :]
    of_same_tiers = np.array([money.fresh[:, money.tiers == money.tiers[kind]].mean(axis=1) for kind in known])
    return Recall(
        float((money.fresh[:, known].sum(axis=1) / best).mean()), float((of_same_tiers.sum(axis=0) / best).mean())
    )


def rank_correlation(one: Column, other: Column) -> float:
    """Spearman's, of values that all differ."""
    return float(np.corrcoef(np.argsort(np.argsort(one)), np.argsort(np.argsort(other)))[0, 1])


def best_four(optima: Column, days: int = 365) -> float:
    """Yuan in a year."""
    return float(np.sort(optima)[-DEFAULT_RULES.max_stores :].sum()) * days
