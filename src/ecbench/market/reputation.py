"""A store's standing, rebuilt every morning from what it shipped and how it served (app:econ_reputation)."""

from math import exp

from ecbench.market.books import Store
from ecbench.rules import Rules


def reputation(store: Store, rules: Rules) -> float:
    """Volume goodwill less the service penalty, between the floor and 1 (eq:app_reputation)."""
    progress = (store.shipped - rules.goodwill_midpoint) / rules.goodwill_scale
    goodwill = rules.goodwill_base + rules.goodwill_span / (1.0 + exp(-progress))
    if store.recent_returned or store.recent_cancelled:
        sold = max(1.0, store.recent_sold)
        failures = rules.return_weight * store.recent_returned + rules.cancel_weight * store.recent_cancelled
        goodwill -= min(rules.penalty_cap, failures / sold)
    return min(1.0, max(rules.reputation_floor, goodwill))


def fade_counters(store: Store, rules: Rules) -> None:
    store.recent_sold *= rules.counter_decay
    store.recent_returned *= rules.counter_decay
    store.recent_cancelled *= rules.counter_decay
