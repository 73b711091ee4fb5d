"""The quirks that the page names are there, and lie where it says."""

import pytest
from quirks import crowded_store, revalued_stock, toothless_scam, unannounced_sale, unwelcome_discounts
from revaluation import revalue_and_liquidate

from ecbench import Episode, load_world
from ecbench.world.model import World


@pytest.fixture(scope="module")
def world() -> World:
    return load_world("default")


def yuan(size: str) -> float:
    return float(size.split(maxsplit=1)[0].replace("¥", "").replace(",", ""))


def test_selling_off_revalued_stock_brings_a_multiple_of_the_stake_within_a_month(world: World) -> None:
    assert yuan(revalued_stock(world).size) > 100 * 100_000


def test_without_salvage_the_same_play_brings_nothing(world: World) -> None:
    found = revalue_and_liquidate(world, "no-salvage")
    assert found.units == 3_000 and found.proceeds == 0.0


def test_the_sale_of_the_first_days_is_never_announced(world: World) -> None:
    quirk = unannounced_sale(world)
    year = Episode(world, days=8)
    waited = [year.act([{"name": "wait_for_next_day", "arguments": {}}])[0] for _ in range(7)]
    assert "New Year Kickoff Sale" in quirk.fact and yuan(quirk.size) > 0
    assert not any("New Year Kickoff Sale" in reply for reply in waited)


def test_dearer_goods_earn_more_where_the_crowd_is_dense(world: World) -> None:
    assert yuan(crowded_store(world).size) > 0


def test_a_deep_discount_costs_revenue_where_demand_is_quadratic(world: World) -> None:
    assert yuan(unwelcome_discounts(world).size) < 0


def test_a_scam_capped_below_the_honest_floor_overcharges_nobody(world: World) -> None:
    assert "pays 0% of reference above the floor, against 12%" in toothless_scam(world).fact
