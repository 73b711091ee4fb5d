"""The ladder of anchors, those that come with the package, and skill: -1 for ruin, 0 for the stake, 1 for the bound."""

from math import inf

import pytest

from ecbench import load_world
from ecbench.analysis.bound.assets import upper_bound
from ecbench.metrics.anchors import (
    Rung,
    TermsAnchors,
    WorldAnchors,
    ladder,
    shipped_anchors,
    shipped_file,
    skill,
    with_skill,
)
from ecbench.players.merchants.registry import merchant_names
from ecbench.rules import RULE_SETS
from ecbench.runs.manifest import BEHAVIOUR
from ecbench.runs.results.anchors_file import anchor_assets

CHEAP = ("idle", "first-quote", "haggler")
OWN = Rung("mine", "run", 300.0, 3.0, 0.5)
MEASURED = WorldAnchors({"idle": -10.0, "steady": 900.0}, bound=1_000.0)


def test_the_shipped_anchors_are_of_this_world_and_this_behaviour_under_every_rule_set() -> None:
    assert (shipped_file().world, shipped_file().behaviour) == (load_world("default").id, BEHAVIOUR)
    assert {each.rule_set for each in shipped_file().terms} == set(RULE_SETS)
    assert {tuple(each.assets) for each in shipped_file().terms} == {merchant_names()}


@pytest.mark.parametrize(
    "shipped", {each.bound: each for each in shipped_file().terms}.values(), ids=lambda shipped: shipped.rule_set
)
def test_a_shipped_bound_is_what_its_world_and_rules_give(shipped: TermsAnchors) -> None:
    """Salvage and conduct do not change a bound, so two rule sets have that of another (`bound/test_fair_rules.py`)."""
    world, rules = load_world("default"), RULE_SETS[shipped.rule_set].rules
    computed = upper_bound(world, days=shipped.days, stake=rules.stake, rules=rules).assets
    assert computed == pytest.approx(shipped.bound, rel=1e-9)  # processors differ in the last digits of a logarithm


@pytest.mark.parametrize("shipped", shipped_file().terms, ids=lambda shipped: shipped.rule_set)
def test_a_cheap_anchor_ends_with_the_shipped_assets(shipped: TermsAnchors) -> None:
    world, rules = load_world("default"), RULE_SETS[shipped.rule_set].rules
    played = {name: anchor_assets(name, world, shipped.days, rules.stake, rules) for name in CHEAP}
    assert played == {name: shipped.assets[name] for name in CHEAP}


def test_anchors_are_shipped_for_these_terms_and_no_others() -> None:
    world, rules = load_world("default"), RULE_SETS["paper"].rules
    for shipped in shipped_file().terms:
        own = RULE_SETS[shipped.rule_set].rules
        assert shipped_anchors(world.id, world.days, own.stake, own) == shipped
    assert shipped_anchors(world.id, world.days - 1, rules.stake, rules) is None
    assert shipped_anchors(world.id, world.days, 2.0 * rules.stake, rules) is None
    assert shipped_anchors("another", world.days, rules.stake, rules) is None


def test_a_ladder_is_ordered_by_assets_with_multiple_and_skill() -> None:
    rungs = ladder(OWN, [MEASURED], 100.0)
    assert [rung.name for rung in rungs] == ["upper bound", "steady", "mine", "idle"]
    assert [rung.multiplier for rung in rungs] == [10.0, 9.0, 3.0, -0.1]
    assert [rung.skill for rung in rungs] == [1.0, pytest.approx(0.9542, abs=1e-4), 0.5, -1.0]


def test_over_several_worlds_an_anchor_is_its_mean_and_one_that_a_world_lacks_is_left_out() -> None:
    other = WorldAnchors({"idle": -30.0}, bound=None)
    assert ladder(OWN, [MEASURED, other], 100.0) == [OWN, Rung("idle", "anchor", -20.0, -0.2, None)]


def test_a_run_of_an_anchor_with_the_same_assets_stands_once() -> None:
    same, changed = OWN._replace(name="steady", final_assets=900.0), OWN._replace(name="steady")
    assert [rung.kind for rung in ladder(same, [MEASURED], 100.0) if rung.name == "steady"] == ["run"]
    assert [rung.kind for rung in ladder(changed, [MEASURED], 100.0) if rung.name == "steady"] == ["anchor", "run"]


@pytest.mark.parametrize(
    ("final", "expected"),
    [(-5.0, -1.0), (0.0, -1.0), (1.0, -1.0), (10.0, -0.5), (100.0, 0.0), (1e4, 0.5), (1e6, 1.0), (1e9, 1.0)],
)
def test_skill_is_logarithmic_from_ruin_over_the_stake_to_the_bound(final: float, expected: float) -> None:
    assert skill(final, 100.0, 1e6) == pytest.approx(expected)
    assert final > 100.0 or skill(final, 100.0, 200.0) == pytest.approx(expected), "a loss does not depend on the bound"


@pytest.mark.parametrize(("stake", "bound"), [(100.0, inf), (100.0, 100.0), (100.0, 50.0), (0.0, 100.0)])
def test_a_bound_that_is_no_limit_or_leaves_no_room_gives_no_skill(stake: float, bound: float) -> None:
    assert skill(1_000.0, stake, bound) is None


def test_a_report_without_a_bound_stays_as_it_is() -> None:
    report = {"profitability": {"final_balance": 1_000.0, "initial_balance": 100.0}}
    assert with_skill(report, None) is report
    assert with_skill(report, 10_000.0)["bound"] == {"assets": 10_000.0, "skill": pytest.approx(0.5)}
