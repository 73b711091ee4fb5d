"""What a player's strategy is, and what the engine makes of a year under the same limits."""

from dataclasses import replace
from pathlib import Path

import pytest

from ecbench.analysis.review.engine import FREE, VARIANTS, EngineLimits, final_assets
from ecbench.analysis.review.recorded_year import Business
from ecbench.analysis.review.strategy import StrategyPart, idle_share, plans_of
from ecbench.episode import Episode
from ecbench.rules import DEFAULT_RULES
from ecbench.world.load import load_world

DAYS = 60
PLAYED = Business(
    sales=(0.0,) * DAYS,
    bought=(0.0,) * DAYS,
    assets=(1_000.0,) * DAYS,
    bank=(600.0,) * DAYS,
    stores=(1,) * DAYS,
    listings=(12,) * DAYS,
    store_types=("toys",),
)


def test_a_player_is_compared_in_what_it_had_less_of_than_the_engine() -> None:
    plans = {plan.key: plan for plan in plans_of(PLAYED, DEFAULT_RULES, types=12)}
    assert list(plans) == ["stores", "trades", "assortment", "capital", "together"]
    assert plans["stores"].limited == EngineLimits(stores=1) and plans["stores"].freer == FREE
    assert plans["trades"].freer == EngineLimits(stores=1), "the choice of store types, not their number"
    assert plans["capital"].limited == EngineLimits(idle_share=0.6)
    assert plans["together"].limited == EngineLimits(1, ("toys",), 12, 0.6)
    limited = {plan.key: plan.had for plan in plans_of(PLAYED, replace(DEFAULT_RULES, most_listings=60), types=12)}
    assert limited["assortment"] == "12 at most, the engine up to 60"


def test_who_did_everything_has_no_strategy_to_blame() -> None:
    busy = replace(PLAYED, bank=(0.0,) * DAYS, stores=(4,) * DAYS, listings=(300,) * DAYS, store_types=tuple("abcd"))
    assert plans_of(busy, DEFAULT_RULES, types=4) == []
    assert plans_of(Business((), (), (), (), (), (), ()), DEFAULT_RULES, types=4) == []


def test_money_is_idle_that_the_bank_did_not_need_for_a_month() -> None:
    """900 lie there, but every three weeks all but 100 of them are spent."""
    spent = tuple(100.0 if day % 21 == 20 else 900.0 for day in range(DAYS))
    assert idle_share(replace(PLAYED, bank=spent)) == pytest.approx(0.1)


def test_a_part_costs_what_each_variant_loses_by_it() -> None:
    part = StrategyPart("stores", "1 of 4", free=(100.0, 120.0), limited=(60.0, 100.0))
    assert part.loss == 30.0 and part.band == pytest.approx(12.706 * 10.0, rel=1e-3)


@pytest.mark.parametrize(
    "limits",
    [EngineLimits(stores=0), EngineLimits(store_types=()), EngineLimits(listings=1), EngineLimits(idle_share=0.99)],
)
def test_a_limited_engine_makes_less_of_a_year(small_world: Path, limits: EngineLimits) -> None:
    year = Episode(load_world(str(small_world)), days=DAYS)
    free = final_assets(year, VARIANTS[0])
    assert final_assets(year, VARIANTS[0], limits) < free
    assert final_assets(year, VARIANTS[0], FREE) == free
