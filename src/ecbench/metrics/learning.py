"""Learning over the horizon, read by halves of the year: do later sessions go better? (app:metrics_d6)

Positive is the improving direction in every figure.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ecbench.metrics.negotiation import group_by_family
from ecbench.metrics.rounding import figure
from ecbench.metrics.session_scores import SessionScore, by_day
from ecbench.sums import ordered_sum

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
        "rounds_half_improvement": rounds_improvement(honest_deals),
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


def rounds_improvement(timed_deals: Sequence[SessionScore]) -> float | None:
    """How many fewer turns a deal takes in the later half."""
    if len(timed_deals) < FEWEST:
        return None
    return figure(-half_lift(timed_deals, lambda s: s.session.turns), 2)


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
