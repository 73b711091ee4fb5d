"""Sequential price discipline: does the next order benefit from the price already won? (app:metrics_d6)

Re-orders of honest (supplier, SKU) pairs are compared with the best price of the same pair before, and both
statistics with a null that reshuffles the order of each pair's own prices.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from ecbench.metrics.rounding import figure
from ecbench.sums import ordered_sum
from ecbench.suppliers.records import Session

REPLICATES = 400
NULL_SEED = 20260101
NEW_LOW_MARGIN = 0.01  # epsilon of eq:d6_newlow


class Discipline(NamedTuple):
    """Summed over re-orders: what was overpaid against the running best, and how often it was undercut."""

    regret: float
    new_lows: int


class Moments(NamedTuple):
    """Mean and variance of regret under the null of no memory."""

    mean: float
    spread: float  # population standard deviation


def anchoring(sessions: Sequence[Session]) -> dict[str, Any] | None:
    """Null where no pair was bought from twice."""
    pairs = repeat_pairs(sessions)
    reorders = sum(len(positions) - 1 for positions in pairs)
    if not reorders:
        return None
    observed = discipline(pairs)
    regret, new_lows = observed.regret / reorders, observed.new_lows / reorders
    regret_null, new_low_null = null_moments(pairs, reorders)
    return {
        "anchor_regret_ratio": _ratio(regret, regret_null),
        "new_low_rate_ratio": _ratio(new_lows, new_low_null),
        "anchor_regret": figure(regret),
        "anchor_regret_null": figure(regret_null.mean),
        "anchor_regret_z": _z(regret_null.mean - regret, regret_null),  # low regret is the good direction
        "new_low_rate": figure(new_lows),
        "new_low_rate_null": figure(new_low_null.mean),
        "new_low_rate_z": _z(new_lows - new_low_null.mean, new_low_null),
        "sample_size": {"repeat_pairs": len(pairs), "reorders": reorders},
    }


def repeat_pairs(sessions: Sequence[Session]) -> list[list[float]]:
    """Price positions of each honest pair dealt with at least twice, pairs in order of their first deal."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for session in sorted(sessions, key=lambda s: s.day_concluded):
        price, width = session.final_price, session.reference_price - session.floor
        if session.honest and session.outcome == "Agreement" and price is not None and width > 0:
            position = min(1.0, max(0.0, (price - session.floor) / width))
            pairs.setdefault((session.supplier, session.sku), []).append(position)
    return [positions for positions in pairs.values() if len(positions) > 1]


def discipline(pairs: Iterable[Sequence[float]]) -> Discipline:
    """Each deal of a pair after its first, against the best before it (eq:d6_regret, eq:d6_newlow)."""
    regret, new_lows = 0.0, 0
    for positions in pairs:
        best = positions[0]
        for position in positions:
            if position > best:
                regret += position - best
            elif position < best:
                if position < best - NEW_LOW_MARGIN:
                    new_lows += 1
                best = position
    return Discipline(regret, new_lows)


def null_moments(pairs: Sequence[Sequence[float]], reorders: int) -> tuple[Moments, Moments]:
    """Both statistics over the replicates, each shuffling every pair in turn from one stream (eq:d6_null)."""
    rng = Random(NULL_SEED)
    decks = [(list(positions), draws(len(positions))) for positions in pairs]
    regrets, new_low_rates = [], []
    for _ in range(REPLICATES):
        replicate = discipline(shuffled(decks, rng))
        regrets.append(replicate.regret / reorders)
        new_low_rates.append(replicate.new_lows / reorders)
    return _moments(regrets), _moments(new_low_rates)


def shuffled(decks: Sequence[tuple[list[float], Sequence[tuple[int, int]]]], rng: Random) -> Iterator[list[float]]:
    """A copy of every deck as `rng.shuffle` would order it; written out because a year shuffles 400,000 decks."""
    bits = rng.getrandbits
    for positions, places in decks:
        deck = positions[:]
        for last, width in places:
            chosen = bits(width)
            while chosen > last:
                chosen = bits(width)
            deck[last], deck[chosen] = deck[chosen], deck[last]
        yield deck


def draws(cards: int) -> Sequence[tuple[int, int]]:
    """The places that a shuffle fills, from the last to the second, and the bits that a choice among so many takes."""
    return [(last, (last + 1).bit_length()) for last in range(cards - 1, 0, -1)]


def _moments(values: Sequence[float]) -> Moments:
    mean = ordered_sum(values) / len(values)
    return Moments(mean, sqrt(ordered_sum((value - mean) ** 2 for value in values) / len(values)))


def _ratio(observed: float, null: Moments) -> float | None:
    return figure(observed / null.mean) if null.mean > 0 else None


def _z(improvement: float, null: Moments) -> float | None:
    return figure(improvement / null.spread, 3) if null.spread > 0 else None
