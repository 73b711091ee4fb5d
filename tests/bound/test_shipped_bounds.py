"""The bounds that come with the package are those of its world."""

import pytest

from ecbench import load_world
from ecbench.bound.assets import bound_on_average
from ecbench.bound.shipped_bounds import SHIPPED, ShippedBound, shipped_bound
from ecbench.rules import RULE_SETS


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.rule_set)
def test_a_shipped_bound_is_what_its_world_and_rules_give(shipped: ShippedBound) -> None:
    world, rules = load_world("default"), RULE_SETS[shipped.rule_set].rules
    computed = bound_on_average(world, days=shipped.days, stake=rules.stake, rules=rules)
    assert computed == pytest.approx(shipped.bound, rel=1e-9)  # processors differ in the last digits of a logarithm
    assert shipped_bound(world.id, world.days, rules.stake, rules) == shipped.bound


def test_other_terms_have_no_shipped_bound() -> None:
    world, rules = load_world("default"), RULE_SETS["paper"].rules
    assert shipped_bound(world.id, world.days - 1, rules.stake, rules) is None
    assert shipped_bound(world.id, world.days, 2.0 * rules.stake, rules) is None
    assert shipped_bound("another", world.days, rules.stake, rules) is None
