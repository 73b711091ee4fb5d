"""Bounds on average of the shipped world under the named sets of rules, which take seconds to compute.

`tests/bound/test_shipped_bounds.py` computes each of them; `ecbench verify` does not use them.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ecbench.rules import RULE_SETS, Rules

METHOD = 1  # of the computation; a change that gives other numbers gets the next number


class ShippedBound(NamedTuple):
    """Of the full year of a world with the stake of the rules."""

    world: str  # its id
    rule_set: str
    days: int
    bound: float


DEFAULT_WORLD = "5af899dc609c093b275f0d437f0243126614906231d383abe8cfb4f85a27c1f0"
SHIPPED = (
    ShippedBound(DEFAULT_WORLD, "paper", 365, 146_018_651.11387864),
    ShippedBound(DEFAULT_WORLD, "no-salvage", 365, 146_018_651.11387864),
    ShippedBound(DEFAULT_WORLD, "fair-1", 365, 114_022_471.39030275),
)
_BY_TERMS: Mapping[tuple[str, int, float, Rules], float] = {
    (each.world, each.days, RULE_SETS[each.rule_set].rules.stake, RULE_SETS[each.rule_set].rules): each.bound
    for each in SHIPPED
}


def shipped_bound(world_id: str, days: int, stake: float, rules: Rules) -> float | None:
    """None for all other terms."""
    return _BY_TERMS.get((world_id, days, stake, rules))
