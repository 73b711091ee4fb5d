"""Learning by halves of the year, where positive is better, and sequential price discipline (app:metrics_d6)."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from random import Random
from typing import Any

from ecbench.metrics.estimators import figure
from ecbench.metrics.negotiation import SessionScore, by_day, group_by_family
from ecbench.sums import ordered_sum
from ecbench.suppliers.records import Session

FEWEST = 4  # sessions below which halves say nothing


def learning_speed(scores: Sequence[SessionScore]) -> dict[str, Any] | None:
    """Null below four honest sessions."""
    timed = by_day(scores)
    honest = [s for s in timed if s.honest]
    if len(honest) < FEWEST:
        return None
    fallen_for = [s for s in timed if s.agreed and not s.honest]
    honest_deals = [s for s in honest if s.agreed]
    return {
        "se_half_lift": figure(half_lift(honest, lambda s: s.efficiency)),
        "se_slope_per_day": figure(slope_per_day(honest), 6),
        "agr_half_lift": figure(half_lift(honest, lambda s: s.agreed)),
        "fraud_avoidance_lift": figure(-half_lift(timed, lambda s: s.agreed and not s.honest)),
        "time_to_zero_bad": max((s.day for s in fallen_for), default=0),
        "rounds_half_improvement": (
            figure(-half_lift(honest_deals, lambda s: s.session.turns), 2) if len(honest_deals) >= FEWEST else None
        ),
        "by_family_learning": _by_family(honest),
        "sample_size": {
            "good_negotiations": len(honest),
            "good_deals": len(honest_deals),
            "bad_deals": len(fallen_for),
            "total_timed": len(timed),
        },
    }


def half_lift(timed: Sequence[SessionScore], value: Callable[[SessionScore], float]) -> float:
    """Mean of the later half less mean of the earlier; an odd count leaves the extra session late (eq:d6_halflift)."""
    middle = len(timed) // 2
    early, late = timed[:middle], timed[middle:]
    return ordered_sum(map(value, late)) / len(late) - ordered_sum(map(value, early)) / len(early)


def slope_per_day(timed: Sequence[SessionScore]) -> float:
    """Least squares of surplus on the day; 0 where every session concluded on one day (eq:d6_slope)."""
    mean_day = sum(s.day for s in timed) / len(timed)
    mean_surplus = ordered_sum(s.efficiency for s in timed) / len(timed)
    spread = ordered_sum((s.day - mean_day) ** 2 for s in timed)
    if spread == 0:
        return 0.0
    return ordered_sum((s.day - mean_day) * (s.efficiency - mean_surplus) for s in timed) / spread


def _by_family(honest: Sequence[SessionScore]) -> dict[str, dict[str, float]] | None:
    """Families with enough honest sessions; null where none has."""
    lifts = {
        name: {
            "se_half_lift": figure(half_lift(group, lambda s: s.efficiency)),
            "agr_half_lift": figure(half_lift(group, lambda s: s.agreed)),
            "count": len(group),
        }
        for name, group in group_by_family(honest).items()
        if len(group) >= FEWEST
    }
    return lifts or None


REPLICATES = 400
NULL_SEED = 20260101
NEW_LOW_MARGIN = 0.01  # epsilon of eq:d6_newlow


def anchoring(sessions: Sequence[Session]) -> dict[str, Any] | None:
    """Null where no pair was bought from twice. Low regret and many new lows are the good direction of z."""
    pairs = repeat_pairs(sessions)
    reorders = sum(len(positions) - 1 for positions in pairs)
    if not reorders:
        return None
    found: dict[str, Any] = {}
    names = zip(("anchor_regret", "new_low_rate"), (-1, 1), strict=True)
    for (name, good), total, (mean, spread) in zip(
        names, discipline(pairs), null_moments(pairs, reorders), strict=True
    ):
        rate = total / reorders
        found |= {
            f"{name}_ratio": figure(rate / mean) if mean > 0 else None,
            name: figure(rate),
            f"{name}_null": figure(mean),
            f"{name}_z": figure(good * (rate - mean) / spread, 3) if spread > 0 else None,
        }
    return found | {"sample_size": {"repeat_pairs": len(pairs), "reorders": reorders}}


def repeat_pairs(sessions: Sequence[Session]) -> list[list[float]]:
    """Price positions of each honest pair dealt with at least twice, pairs in order of their first deal."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for session in sorted(sessions, key=lambda s: s.day_concluded):
        price, width = session.final_price, session.reference_price - session.floor
        if session.honest and session.outcome == "Agreement" and price is not None and width > 0:
            position = min(1.0, max(0.0, (price - session.floor) / width))
            pairs.setdefault((session.supplier, session.sku), []).append(position)
    return [positions for positions in pairs.values() if len(positions) > 1]


def discipline(pairs: Iterable[Sequence[float]]) -> tuple[float, int]:
    """Of all re-orders: yuan above the best price before, and how many undercut it (eq:d6_regret, eq:d6_newlow)."""
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
    return regret, new_lows


def null_moments(pairs: Sequence[Sequence[float]], reorders: int) -> list[tuple[float, float]]:
    """Mean and deviation of both rates over the replicates, each shuffling every pair from one stream (eq:d6_null)."""
    rng, replicates = Random(NULL_SEED), []
    for _ in range(REPLICATES):
        decks = [list(positions) for positions in pairs]
        for deck in decks:
            rng.shuffle(deck)
        replicates.append([total / reorders for total in discipline(decks)])
    means = [ordered_sum(values) / REPLICATES for values in zip(*replicates, strict=True)]
    columns = zip(means, zip(*replicates, strict=True), strict=True)
    return [(mean, sqrt(ordered_sum((each - mean) ** 2 for each in values) / REPLICATES)) for mean, values in columns]
