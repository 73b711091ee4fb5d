"""How a store's reputation moves with what it ships, and with what comes back or is cancelled (fig:reputation)."""

from dataclasses import dataclass

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced
from ecbench.market.reputation import standing
from ecbench.rules import Rules

MANY = 1_000_000  # units shipped: goodwill is complete
WEEKS = 6


@dataclass(slots=True)
class ServiceCounters:
    """The counters of a store that its reputation reads, as a store has them."""

    shipped: int = 0
    recent_sold: float = 0.0
    recent_returned: float = 0.0
    recent_cancelled: float = 0.0


def reputation_of(rules: Rules, counters: ServiceCounters) -> float:
    """The reputation of the next morning."""
    sold, returned, cancelled = counters.recent_sold, counters.recent_returned, counters.recent_cancelled
    return standing(counters.shipped, sold, returned, cancelled, rules)


def explain_reputation(rules: Rules, counters: ServiceCounters) -> Explanation:
    """The reputation of a store with these counters, and what moves it."""
    shipped = reputation_of(rules, ServiceCounters(counters.shipped))
    found = reputation_of(rules, counters)
    sold = max(1.0, counters.recent_sold)
    steps = [
        Fact("a new store opens with", rules.opening_reputation, "", "until its first morning"),
        Fact("units shipped", counters.shipped, "units", "since it opened"),
        Fact("goodwill", shipped, "", "rises with the units shipped", True),
        Fact(
            "returned",
            counters.recent_returned / sold,
            "share of recent sales",
            f"weight {rules.return_weight:g}",
            True,
        ),
        Fact(
            "cancelled",
            counters.recent_cancelled / sold,
            "share of recent sales",
            f"weight {rules.cancel_weight:g}",
            True,
        ),
        Fact("penalty", shipped - found, "", f"at most {rules.penalty_cap:g}", True),
        Fact("reputation", found, "factor of demand", f"between {rules.reputation_floor:g} and 1"),
        Fact("decay", rules.counter_decay, "a day", "what is left of the recent counters each morning", True),
    ]
    panels = [_goodwill(rules), _penalty(rules), _recovery(rules)]
    return Explanation("reputation", "How a store's reputation comes about", "fig:reputation", steps, panels)


def _goodwill(rules: Rules) -> Panel:
    most = int(4 * max(rules.goodwill_midpoint, rules.goodwill_scale, 1))
    shipped = map(round, evenly_spaced(0, most))
    points = [Dot(units, reputation_of(rules, ServiceCounters(units))) for units in shipped]
    return Panel("Goodwill", "units shipped", "reputation", points)


def _penalty(rules: Rules) -> Panel:
    best = reputation_of(rules, ServiceCounters(MANY))
    points = [
        Dot(
            share,
            best - reputation_of(rules, ServiceCounters(MANY, 100.0, 100 * share, 100 * cancelled)),
            f"{cancelled:.0%} cancelled",
        )
        for cancelled in (0.0, 0.1, 0.2)
        for share in evenly_spaced(0.0, 0.6)
    ]
    return Panel("Penalty", "returned share of recent units", "reputation lost", points)


def _recovery(rules: Rules) -> Panel:
    """Ten units a day: a fifth of one day's orders cancelled once, and a fifth cancelled every day."""
    points = []
    for name, failing in (("one bad day", range(7, 8)), ("every day from then", range(7, 7 * WEEKS))):
        store = ServiceCounters(MANY)
        for day in range(7 * WEEKS):
            store.recent_sold += 10
            store.recent_cancelled += 2.0 if day in failing else 0.0
            points.append(Dot(day, reputation_of(rules, store), name))
            store.recent_sold *= rules.counter_decay
            store.recent_cancelled *= rules.counter_decay
    return Panel("A shock decays, a chronic failure does not", "day", "reputation", points)
