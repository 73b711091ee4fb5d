"""Return channels and reputation, with numbers worked out from the paper's formulas."""

from dataclasses import replace
from datetime import date
from math import exp

import pytest

from ecbench.market.books import Store
from ecbench.market.reputation import rebuild_reputation
from ecbench.market.return_rates import ReturnLayers, price_curve, return_layers
from ecbench.rules import Rules
from ecbench.world.model import World

RULES = Rules()
KNEES = RULES.price_return_knees


@pytest.mark.parametrize(
    ("ratio", "factor"),
    [(0.1, 0.85), (0.8, 0.85), (0.9, 0.925), (1.0, 1.0), (1.15, 1.25), (1.3, 1.5), (1.55, 1.85), (1.8, 2.2), (9, 2.2)],
)
def test_the_price_curve_is_linear_between_its_knees_and_flat_outside(ratio: float, factor: float) -> None:
    assert price_curve(ratio, KNEES) == pytest.approx(factor)


def test_defective_stock_blends_into_the_rate_by_its_share_of_deliveries(world: World) -> None:
    layers = return_layers(world.products[0], 0.25, 130.0, RULES)
    blended = 0.75 * 0.10 + 0.25 * 0.40  # at least 0.40, since twice the natural 0.10 is less
    assert layers == pytest.approx(ReturnLayers(0.10, blended, blended * 1.5, blended * 1.5))


def test_defective_goods_return_at_twice_the_natural_rate_up_to_the_cap(world: World) -> None:
    for natural, defective in ((0.10, 0.40), (0.30, 0.60), (0.60, 0.95)):
        layers = return_layers(replace(world.products[0], return_rate=natural), 0.5, 100.0, RULES)
        assert layers.blended == pytest.approx(0.5 * natural + 0.5 * defective)


def test_the_rate_is_capped_at_ninety_five_percent(world: World) -> None:
    assert return_layers(world.products[0], 1.0, 500.0, RULES).capped == pytest.approx(0.4 * 2.2)
    dreaded = replace(world.products[0], return_rate=0.9)
    assert return_layers(dreaded, 0.0, 130.0, RULES).priced == pytest.approx(1.35)
    assert return_layers(dreaded, 0.0, 130.0, RULES).capped == 0.95


def store(world: World, **counters: float) -> Store:
    opened = Store("store_001", world.store_types[0], "S", date(2026, 1, 1), 0.5)
    for name, value in counters.items():
        setattr(opened, name, value)
    return opened


def reputation(store: Store) -> float:
    rebuild_reputation([store], RULES)
    return store.reputation


def test_a_new_store_falls_to_0_353_at_its_first_settlement(world: World) -> None:
    assert round(reputation(store(world)), 3) == 0.353


def test_goodwill_is_halfway_at_five_hundred_units(world: World) -> None:
    assert reputation(store(world, shipped=500)) == pytest.approx(0.3 + 0.35)
    assert reputation(store(world, shipped=700)) == pytest.approx(0.3 + 0.7 / (1 + exp(-1)))


def test_a_cancelled_unit_weighs_as_much_as_one_and_two_thirds_returned(world: World) -> None:
    goodwill = reputation(store(world, shipped=900))
    returned = reputation(store(world, shipped=900, recent_sold=100, recent_returned=10))
    cancelled = reputation(store(world, shipped=900, recent_sold=100, recent_cancelled=6))
    assert goodwill - returned == pytest.approx(0.06) == pytest.approx(goodwill - cancelled)


def test_the_service_penalty_stops_at_one_half_and_the_floor_holds(world: World) -> None:
    ruined = {"recent_sold": 1, "recent_cancelled": 50}
    assert reputation(store(world, shipped=5000, **ruined)) == pytest.approx(0.5)
    assert reputation(store(world, shipped=0, **ruined)) == 0.15


def test_no_goodwill_lifts_a_store_above_one(world: World) -> None:
    adored = store(world, shipped=10_000)
    rebuild_reputation([adored], replace(RULES, goodwill_base=1.0, goodwill_span=1.0))
    assert adored.reputation == 1.0


def test_counters_are_read_in_full_and_then_fade_by_fifteen_percent_a_day(world: World) -> None:
    one = store(world, recent_sold=100.0, recent_returned=20.0, recent_cancelled=10.0)
    assert reputation(one) == 0.15  # (0.6 * 20 + 10) / 100 = 0.22 off 0.353
    assert (one.recent_sold, one.recent_returned, one.recent_cancelled) == pytest.approx((85, 17, 8.5))
