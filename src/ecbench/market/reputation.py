"""A store's reputation, recomputed every morning (app:econ_reputation)."""

from math import exp

from ecbench.market.books import Store
from ecbench.rules import Rules


def rebuild_reputation(stores: list[Store], rules: Rules) -> None:
    """Set the reputation of each store.

    The counters decay after they were read, so this morning's returns and cancellations count in full once.
    """
    decay = rules.counter_decay
    for store in stores:
        sold, returned, cancelled = store.recent_sold, store.recent_returned, store.recent_cancelled
        store.reputation = standing(store.shipped, sold, returned, cancelled, rules)
        store.recent_sold = sold * decay
        store.recent_returned = returned * decay
        store.recent_cancelled = cancelled * decay


def standing(shipped: int, sold: float, returned: float, cancelled: float, rules: Rules) -> float:
    """Volume goodwill less the service penalty, between the floor and 1 (eq:app_reputation)."""
    volume = exp((rules.goodwill_midpoint - shipped) / rules.goodwill_scale)
    goodwill = rules.goodwill_base + rules.goodwill_span / (1.0 + volume)
    failures = rules.return_weight * returned + rules.cancel_weight * cancelled
    penalty = min(rules.penalty_cap, failures / max(1.0, sold))
    return min(1.0, max(rules.reputation_floor, goodwill - penalty))
