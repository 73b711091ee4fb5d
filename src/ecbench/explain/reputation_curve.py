"""How a store's reputation moves with what it ships, and with what comes back or is cancelled (fig:reputation)."""

from ecbench.errors import RunError
from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced
from ecbench.market.storefronts import standing
from ecbench.rules import Rules
from ecbench.world.model import World

MANY = 1_000_000  # units shipped: goodwill is complete
DAYS = 42
BAD_DAY = 7


def explain_reputation(
    _world: World, rules: Rules, *, shipped: int = 0, sold: int = 0, returned: int = 0, cancelled: int = 0
) -> Explanation:
    """The reputation of a store with these counters, and what moves it."""
    if returned + cancelled > sold:
        raise RunError("--returned and --cancelled count units of --sold; they cannot be more than that together")
    goodwill, found = standing(shipped, 0, 0, 0, rules), standing(shipped, sold, returned, cancelled, rules)
    recent, weights = max(1, sold), (f"weight {rules.return_weight:g}", f"weight {rules.cancel_weight:g}")
    facts = [
        Fact("a new store opens with", rules.opening_reputation, "", "until its first morning"),
        Fact("units shipped", shipped, "units", "since it opened"),
        Fact("goodwill", goodwill, "", "rises with the units shipped", True),
        Fact("returned", returned / recent, "share of recent sales", weights[0], True),
        Fact("cancelled", cancelled / recent, "share of recent sales", weights[1], True),
        Fact("penalty", goodwill - found, "", f"at most {rules.penalty_cap:g}", True),
        Fact("reputation", found, "factor of demand", f"between {rules.reputation_floor:g} and 1"),
        Fact("decay", rules.counter_decay, "a day", "what is left of the recent counters each morning", True),
    ]
    panels = [_goodwill(rules), _penalty(rules), _recovery(rules)]
    return Explanation("reputation", "How a store's reputation comes about", "fig:reputation", facts, panels)


def _goodwill(rules: Rules) -> Panel:
    most = int(4 * max(rules.goodwill_midpoint, rules.goodwill_scale, 1))
    dots = [Dot(units, standing(units, 0, 0, 0, rules)) for units in map(round, evenly_spaced(0, most))]
    return Panel("Goodwill", "units shipped", "reputation", dots)


def _penalty(rules: Rules) -> Panel:
    best = standing(MANY, 0, 0, 0, rules)
    dots = [
        Dot(share, best - standing(MANY, 1.0, share, cancelled, rules), f"{cancelled:.0%} cancelled")
        for cancelled in (0.0, 0.1, 0.2)
        for share in evenly_spaced(0.0, 0.6)
    ]
    return Panel("Penalty", "returned share of recent units", "reputation lost", dots)


def _recovery(rules: Rules) -> Panel:
    """Ten units a day: a fifth of one day's orders cancelled once, and a fifth cancelled every day."""
    dots = []
    for name, last in (("one bad day", BAD_DAY), ("every day from then", DAYS)):
        sold = cancelled = 0.0
        for day in range(DAYS):
            sold, cancelled = sold + 10, cancelled + (2.0 if BAD_DAY <= day <= last else 0.0)
            dots.append(Dot(day, standing(MANY, sold, 0.0, cancelled, rules), name))
            sold, cancelled = sold * rules.counter_decay, cancelled * rules.counter_decay
    return Panel("A shock decays, a chronic failure does not", "day", "reputation", dots)
