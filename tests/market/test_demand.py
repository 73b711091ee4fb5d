"""The demand model of the paper, with numbers worked out from its formulas."""

from dataclasses import replace
from datetime import date
from hashlib import md5
from math import inf
from random import Random
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.market.best_shelf import best_ratio, responses
from ecbench.market.books import Enrolment, Listing, Stock, Store
from ecbench.market.day_demand import drop_finished_enrolment
from ecbench.market.demand import (
    PRICE_CURVES,
    PriceCurve,
    constant_elasticity,
    exponential,
    linear,
    price_response,
    quadratic,
)
from ecbench.market.draws import demand_rounding
from ecbench.market.economy import Economy
from ecbench.market.marketplace import open_marketplace
from ecbench.market.sales import sell, sold_goods
from ecbench.market.sharing import share_demand
from ecbench.rules import DEFAULT_RULES
from ecbench.world.fields import MonthDay
from ecbench.world.model import Elasticity, Promotion, World

THURSDAY = date(2026, 2, 5)
POT, TIN = "a00000000001", "a00000000002"


def listing(world: World, sku: str, quantity: int, price: float) -> Listing:
    goods = Economy.of(world, DEFAULT_RULES).demands[sku]
    stock = Stock(goods, goods.product, [world.start.toordinal()], [quantity], [1.0], [0.0])
    return Listing(stock, quantity, goods.priced[price, 0.0])


def trimmed(store: Store, day: date, economy: Economy) -> list[float]:
    """The demand after the saturation of each category."""
    return share_demand({0: store}, day, economy)[0].claims


def store(world: World, type_id: str, **shelf: tuple[int, float]) -> Store:
    listings = {sku: listing(world, sku, quantity, price) for sku, (quantity, price) in shelf.items()}
    return Store("store_001", world.store_type_by_id[type_id], "S", world.start, 0.5, shelf=listings)


@pytest.mark.parametrize("family", get_args(Elasticity))
@pytest.mark.parametrize("eta", [2.3, 3.0])
def test_a_column_of_prices_is_answered_like_each_of_them(family: Elasticity, eta: float) -> None:
    ratios = [0.0, 0.01, 0.4, 0.5, 0.9, 1.0, 1.1, 1.3, 2.0, 7.0]
    expected = [PRICE_CURVES[family](max(1e-9, ratio), eta) for ratio in ratios]
    assert responses(family, eta, np.array(ratios)).tolist() == pytest.approx(expected, rel=1e-14)


@given(st.sampled_from(get_args(Elasticity)), st.floats(1.05, 8.0), st.floats(0.001, 3.0))
def test_no_price_earns_more_than_the_best_one(family: Elasticity, eta: float, cost: float) -> None:
    others = np.concatenate([np.linspace(1e-6, 3.0, 4_001), np.geomspace(3.0, 1e4, 2_001)])
    best = best_ratio(family, eta, np.array([cost]))
    earned = max(0.0, float((responses(family, eta, best) * (best - cost))[0]))
    assert (responses(family, eta, others) * (others - cost)).max() <= earned * (1 + 1e-9) + 1e-12


def test_an_enrolment_outlasts_the_gap_between_two_windows_of_its_promotion(world: World) -> None:
    garden = store(world, "garden")
    twice = Promotion("Twice", ((MonthDay(3, 4), MonthDay(3, 8)), (MonthDay(6, 1), MonthDay(6, 2))), 2.0, 1.5)
    garden.enrolment = Enrolment(twice, 0.3)
    drop_finished_enrolment(garden, date(2026, 4, 2), date(2026, 4, 1))
    drop_finished_enrolment(garden, date(2026, 6, 3), date(2026, 6, 2))
    assert garden.enrolment is not None
    drop_finished_enrolment(garden, date(2026, 6, 4), date(2026, 6, 3))
    assert garden.enrolment is None


def test_one_joined_in_december_for_january_is_lost_the_next_morning(world: World) -> None:
    garden = store(world, "garden")
    garden.enrolment = Enrolment(world.promotions[1], 0.3)
    drop_finished_enrolment(garden, date(2026, 12, 21), date(2026, 12, 20))
    assert garden.enrolment is None


def test_a_sold_out_sku_draws_nobody_and_takes_no_capacity(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (0, 100.0), TIN: (50, 50.0)})
    alone = store(world, "garden", **{TIN: (50, 50.0)})
    assert trimmed(garden, THURSDAY, market) == trimmed(alone, THURSDAY, market) != []
    assert sold(garden, market) == sold(alone, market)


def test_the_rounding_draw_is_named_by_sku_and_date() -> None:
    digest = int(md5(b"demanda000000000012026-02-05").hexdigest()[:8], 16)
    assert demand_rounding(7, POT, "2026-02-05") == Random(7 + digest).random()


def sold(garden: Store, market: Economy) -> int:
    account = open_marketplace(market, days=365, stake=1_000.0).accounts[0]
    demand = share_demand({0: garden}, THURSDAY, market)[0]
    sell(account.books, garden, demand, THURSDAY, sold_goods(market))
    return sum(sales.units for sales in account.books.pending)


@pytest.mark.parametrize("curve", [linear, exponential, constant_elasticity, quadratic])
@pytest.mark.parametrize("ratio", [1e160, 1e308, inf])
def test_nobody_buys_at_an_extreme_price(curve: PriceCurve, ratio: float) -> None:
    assert curve(ratio, 3.0) == 0.0


def test_every_elasticity_family_of_the_files_has_its_curve_and_no_other_is_taken(world: World) -> None:
    assert set(PRICE_CURVES) == set(get_args(Elasticity))
    unknown: Any = "logistic"
    with pytest.raises(KeyError, match="logistic"):
        price_response(replace(world.categories[0], elasticity=unknown), 1.0, 1.0, 1.0)
