"""A store's standing, rebuilt every morning from what it shipped and how it served (app:econ_reputation)."""

from math import exp

from ecbench.market.books import Store
from ecbench.rules import Rules


def reputation(store: Store, rules: Rules) -> float:
    """Volume goodwill less the service penalty, between the floor and 1 (eq:app_reputation)."""
    shortfall = (rules.goodwill_midpoint - store.shipped) / rules.goodwill_scale
    standing = rules.goodwill_base + rules.goodwill_span / (1.0 + exp(shortfall))
    failures = rules.return_weight * store.recent_returned + rules.cancel_weight * store.recent_cancelled
    if failures:
        penalty = failures / store.recent_sold if store.recent_sold > 1.0 else failures
        standing -= penalty if penalty < rules.penalty_cap else rules.penalty_cap
    if standing < rules.reputation_floor:
        return rules.reputation_floor
    return standing if standing < 1.0 else 1.0
