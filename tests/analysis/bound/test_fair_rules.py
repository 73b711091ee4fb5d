"""The bound under rules that limit prices, listings, supply and what unsold goods bring."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.analysis.bound.tiny import FOUR, PLAIN, fill_shelf, open_stall, sleep, stock_up, tiny_world, wealth

from ecbench.analysis.bound.assets import NoBound, upper_bound
from ecbench.analysis.bound.shelf import Shelves
from ecbench.analysis.bound.supply import supply_worth, unit_cost
from ecbench.market.economy import Economy
from ecbench.rules import RULE_SETS, Rules
from ecbench.world.model import World

RICH = 1e6
LIMITS: dict[str, Any] = {
    "listing_fee": 8.0,
    "price_ceiling": 2.0,
    "lowest_price_ratio": 0.5,
    "price_return_slope": 1.4,
    "closing_stock_share": 0.5,
    "salvage_cap": 1.0,
    "drift_categories": 2,
    "drift_size": 0.6,
    "secret_draws": 1,
}
LIMITED = PLAIN.with_overrides(LIMITS)


@pytest.fixture(scope="module")
def world() -> World:
    return tiny_world(*FOUR, goods=2, returns=0.1, days=40)


@pytest.mark.parametrize(("one", "other"), [("paper", "no-salvage"), ("fair-2", "conduct-1")])
def test_neither_salvage_nor_conduct_changes_a_bound(world: World, one: str, other: str) -> None:
    bounds = [upper_bound(world, rules=RULE_SETS[name].rules).assets for name in (one, other)]
    assert bounds[0] == bounds[1] > RULE_SETS[one].rules.stake


def test_a_demand_that_hardly_minds_prices_is_bounded_below_a_ceiling() -> None:
    stubborn = tiny_world(("constant_elasticity", 0.8), goods=2, days=30)
    rules = PLAIN.with_overrides({"price_ceiling": 5.0})
    assert upper_bound(stubborn, rules=PLAIN).assets == np.inf
    assert upper_bound(stubborn, rules=rules).assets < np.inf


def test_unsold_goods_that_bring_more_than_they_cost_leave_no_bound(world: World) -> None:
    """A floor in whole cents may lie below the share of the reference price that unsold goods bring."""
    rounded = replace(world, categories=tuple(replace(each, floor_ratio=0.333) for each in world.categories))
    with pytest.raises(NoBound, match="closing_stock_share is 1"):
        upper_bound(rounded, rules=PLAIN.with_overrides({"closing_stock_share": 1.0}))


@pytest.mark.parametrize(("rules", "excepted"), [(PLAIN, True), (LIMITED, False), ({"salvage_rate": 0.0}, False)])
def test_the_exception_is_only_where_salvage_can_exceed_cost(world: World, rules: Any, excepted: bool) -> None:
    found = rules if isinstance(rules, Rules) else PLAIN.with_overrides(rules)
    assert upper_bound(world, days=8, rules=found).excepted is excepted


def wandering_year(world: World, rules: Rules, rng: Random) -> float:
    """A year of random habits: ratios around a base for each category, every SKU or some, with full shelves."""
    account = open_stall(Economy.of(world, rules), RICH, world.days)
    chosen = [product for product in world.products if rng.random() < 0.8]
    chosen = rng.sample(chosen, min(len(chosen), rules.most_listings or len(chosen)))
    stock_up(account, {product.sku: rng.randint(5, 40) for product in chosen})
    base = {each.name: rng.choice((0.5, 0.9, 1.0, 1.15, 1.3, 1.6, 2.0)) for each in world.categories}
    while not account.done:
        held = {sku: stock.physical for sku, stock in account.books.stock.items() if stock.physical}
        products = {sku: account.world.product_by_sku[sku] for sku in held}
        prices = {
            sku: base[each.category] * rng.uniform(0.93, 1.0) * each.reference_price for sku, each in products.items()
        }
        fill_shelf(account, held, prices)
        sleep(account)
    return wealth(account) - RICH


@pytest.mark.parametrize("most_listings", [0, 3])
def test_no_random_year_comes_above_the_bound_under_all_limits(most_listings: int) -> None:
    """The best of many habits on each of several sets of draws, the draws and drifts of which differ."""
    rules = LIMITED.with_overrides({"most_listings": most_listings})
    rng, best, bounds = Random(8), [], []
    for seed in range(6):
        world = tiny_world(*FOUR, goods=2, returns=0.1, seed=seed, days=30)
        found = upper_bound(world, stake=RICH, rules=rules)
        earned = [wandering_year(world, rules, rng) for _ in range(25)]
        best.append(max(earned))
        bounds.append(found.assets - RICH)
    assert max(best) > 0
    assert sum(best) <= sum(bounds)


def test_a_limited_supply_costs_at_least_what_filling_it_by_hand_costs() -> None:
    """Prices of supply are a dual: units at their priced cost, less the worth of all supply, never exceed the cost of
    buying them one by one from whoever still has some."""
    rules = PLAIN.with_overrides({"weekly_supply": 5, "floor_spread": 0.4})
    economy = Economy.of(_with_suppliers(tiny_world(("linear", 2.5), goods=6, days=21), 4), rules)
    [(name, goods)] = Shelves(economy).goods.items()
    rng = Random(4)
    for _ in range(200):
        prices = np.array([rng.uniform(0.0, 60.0) for _ in goods.supply])
        left, paid, units = goods.supply.copy(), 0.0, np.zeros(len(goods.skus))
        for _ in range(rng.randint(1, int(goods.supply.sum()))):
            seller = rng.choice(np.flatnonzero(left >= 1).tolist())
            sku = rng.randrange(len(goods.skus))
            left[seller] -= 1
            units[sku] += 1
            paid += goods.floors[seller, sku]
        assert units @ unit_cost(goods, prices) - supply_worth({name: goods}, {name: prices}) <= paid + 1e-9


def _with_suppliers(world: World, count: int) -> World:
    """As many of each category."""
    several = (
        replace(one, id=f"{one.id}{place}", name=f"{one.name}{place}", email=f"{place}{one.email}")
        for one in world.suppliers
        for place in range(count)
    )
    return replace(world, suppliers=tuple(several))


def test_limited_supply_lowers_the_bound_and_never_below_what_plenty_of_it_gives() -> None:
    world = _with_suppliers(tiny_world(("linear", 2.5), ("exponential", 3.0), goods=3, days=60), 3)
    world = replace(world, suppliers=tuple(replace(each, order_limit=99) for each in world.suppliers))
    bounds = [
        upper_bound(world, stake=RICH, rules=PLAIN.with_overrides({"weekly_supply": units})).assets
        for units in (1, 3, 40, 10_000)
    ]
    free = upper_bound(world, stake=RICH, rules=PLAIN).assets
    assert bounds[0] < bounds[1] < free
    assert bounds == sorted(bounds)
    assert bounds[-1] == pytest.approx(free)
