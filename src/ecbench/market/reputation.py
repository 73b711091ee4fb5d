"""A store's reputation, recomputed every morning (app:econ_reputation)."""

from collections.abc import Iterable
from math import exp
from typing import Protocol

from ecbench.rules import Rules


class Service(Protocol):
    """What reputation reads of a store, and writes."""

    shipped: int
    recent_sold: float
    recent_returned: float
    recent_cancelled: float
    reputation: float


def rebuild_reputation(stores: Iterable[Service], rules: Rules) -> None:
    """Volume goodwill less the service penalty, between the floor and 1 (eq:app_reputation).

    The counters decay after they were read, so this morning's returns and cancellations count in full once.
    """
    floor, cap, decay = rules.reputation_floor, rules.penalty_cap, rules.counter_decay
    base, span, midpoint, scale = (
        rules.goodwill_base,
        rules.goodwill_span,
        rules.goodwill_midpoint,
        rules.goodwill_scale,
    )
    return_weight, cancel_weight = rules.return_weight, rules.cancel_weight
    for store in stores:
        sold, returned, cancelled = store.recent_sold, store.recent_returned, store.recent_cancelled
        standing = base + span / (1.0 + exp((midpoint - store.shipped) / scale))
        failures = return_weight * returned
        if cancelled:
            failures += cancel_weight * cancelled
            store.recent_cancelled = cancelled * decay
        if failures:
            penalty = failures / sold if sold > 1.0 else failures
            standing -= penalty if penalty < cap else cap
        if standing < floor:
            standing = floor
        store.reputation = standing if standing < 1.0 else 1.0
        store.recent_sold = sold * decay
        store.recent_returned = returned * decay
