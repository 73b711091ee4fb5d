"""The demand model of the paper, with numbers worked out from its formulas."""

from dataclasses import replace
from datetime import date
from hashlib import md5
from math import exp, inf, isclose
from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from ecbench.market.books import Books, Enrolment, Listing, Lot, Stock, Store
from ecbench.market.demand import (
    NO_OFFER,
    Offer,
    base_demand,
    offer_on,
    price_response,
)
from ecbench.market.draws import demand_rounding
from ecbench.market.economy import Capacity, Economy
from ecbench.market.elasticity import (
    PRICE_CURVES,
    PriceCurve,
    constant_elasticity,
    exponential,
    linear,
    quadratic,
    responses,
)
from ecbench.market.ledger import Purse
from ecbench.market.promotions import drop_finished_enrolment
from ecbench.market.selling import sell, share_demand
from ecbench.rules import DEFAULT_RULES
from ecbench.world.model import Elasticity, Promotion, World

THURSDAY, SATURDAY = date(2026, 2, 5), date(2026, 2, 7)
POT, TIN, SEEDS, NOVEL = "a00000000001", "a00000000002", "a00000000003", "a00000000004"


def listing(world: World, sku: str, quantity: int, price: float) -> Listing:
    demand = Economy.of(world, DEFAULT_RULES).demands[sku]
    stock = Stock(demand, demand.product, [Lot(world.start.toordinal(), quantity, 1.0)], storage=[0.0])
    pull, sales = demand.pulls[price, 1.0, None], demand.sales[price, 0.0]
    return Listing(stock, demand, demand.product.category, quantity, price, pull, sales)


def wished(store: Store, day: date, economy: Economy) -> list[float]:
    """With room for everybody, so that nothing saturates."""
    types = tuple(replace(store_type, capacity=1e18) for store_type in economy.world.store_types)
    return trimmed(store, day, Economy(replace(economy.world, store_types=types), economy.rules))


def trimmed(store: Store, day: date, economy: Economy) -> list[float]:
    """What the categories' crowds leave of the wishes."""
    share_demand({0: store}, day, economy)
    return store.wishes


def store(world: World, type_id: str, **shelf: tuple[int, float]) -> Store:
    listings = {sku: listing(world, sku, quantity, price) for sku, (quantity, price) in shelf.items()}
    return Store("store_001", world.store_type_by_id[type_id], "S", world.start, 0.5, shelf=listings)


def test_base_demand_is_a_store_share_of_the_platform_day(world: World) -> None:
    # (300 + 900) / 2 / 30 = 20 units a day on the platform, a tenth for one store, scaled by 3 and by 2
    def base(category: str) -> float:
        known = world.category_by_name[category]
        return base_demand(known, world.store_type_by_id[known.store_type], DEFAULT_RULES)

    assert base("Pots") == pytest.approx(6.0)
    assert base("Novels") == pytest.approx(4.0)


def test_each_elasticity_family_is_one_at_the_reference_price() -> None:
    assert linear(1, 3) == exponential(1, 3) == constant_elasticity(1, 3) == quadratic(1, 3) == 1.0


def test_elasticity_families_follow_their_closed_forms() -> None:
    assert linear(1.2, 3.0) == pytest.approx(1 - 3 * 0.2)
    assert linear(1.5, 3.0) == 0.0
    assert exponential(0.8, 2.5) == pytest.approx(exp(0.5))
    assert constant_elasticity(2.0, 2.0) == pytest.approx(0.25)
    assert quadratic(0.8, 5.0) == pytest.approx(quadratic(1.2, 5.0)) == pytest.approx(1 - 5 * 0.04)


@pytest.mark.parametrize("family", get_args(Elasticity))
def test_a_column_of_prices_is_answered_like_each_of_them(family: Elasticity) -> None:
    ratios = [0.0, 0.4, 0.9, 1.0, 1.1, 1.3, 2.0]
    expected = [PRICE_CURVES[family](max(1e-9, ratio), 3.0) for ratio in ratios]
    assert responses(family, 3.0, np.array(ratios)).tolist() == pytest.approx(expected)


def test_a_weekend_day_sells_a_third_more(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (50, 100.0)})
    [weekday] = wished(garden, THURSDAY, market)
    [weekend] = wished(garden, SATURDAY, market)
    assert weekday == pytest.approx(6.0 * 0.5)  # base times opening reputation
    assert weekend == pytest.approx(weekday * 1.3)


def test_season_and_events_multiply(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (50, 100.0)})
    [frost] = wished(garden, date(2026, 1, 12), market)  # a Monday under the frost
    [july] = wished(garden, date(2026, 7, 1), market)
    assert frost == pytest.approx(3.0 * 0.5)
    assert july == pytest.approx(3.0 * 1.5)


def test_a_promotion_brings_traffic_up_to_thirty_percent_and_sharpens_the_price_response(
    world: World, market: Economy
) -> None:
    garden = store(world, "garden", **{POT: (50, 100.0)})
    garden.offer = offer_on(world.promotions[0], 0.15, date(2026, 3, 4), market.rules)
    assert garden.offer == Offer(0.15, 1 + 1.5 * 0.5, 1.8)
    [wish] = wished(garden, date(2026, 3, 4), market)
    assert wish == pytest.approx(6.0 * (1 + 2.0 * 1.8 * 0.15) * 1.75 * 0.5)
    assert offer_on(world.promotions[0], 0.45, date(2026, 3, 4), market.rules).traffic == pytest.approx(2.5)


def test_an_enrolment_does_nothing_outside_its_window(world: World, market: Economy) -> None:
    assert offer_on(world.promotions[0], 0.3, date(2026, 3, 3), market.rules) == NO_OFFER


def test_an_enrolment_is_dropped_on_the_second_morning_after_its_last_window(world: World) -> None:
    garden = store(world, "garden")
    garden.enrolment = Enrolment(world.promotions[0], 0.3)
    drop_finished_enrolment(garden, date(2026, 3, 9), date(2026, 3, 8))
    assert garden.enrolment is not None
    drop_finished_enrolment(garden, date(2026, 3, 10), date(2026, 3, 9))
    assert garden.enrolment is None


def test_an_enrolment_outlasts_the_gap_between_two_windows_of_its_promotion(world: World) -> None:
    garden = store(world, "garden")
    twice = Promotion("Twice", (((3, 4), (3, 8)), ((6, 1), (6, 2))), 2.0, 1.5)
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


def test_a_category_may_claim_more_of_a_store_with_few_categories(world: World) -> None:
    garden, books = world.store_types
    nine = replace(garden, categories=tuple("abcdefghi"))
    assert Capacity(nine, DEFAULT_RULES).category == pytest.approx(0.35 * 100)
    assert Capacity(garden, DEFAULT_RULES).category == pytest.approx(0.6 * 100)
    assert Capacity(books, DEFAULT_RULES).category is None
    roomy = replace(DEFAULT_RULES, category_spread=5.0)  # more than the whole store there is not
    assert Capacity(garden, roomy).category is None


def test_the_stacked_demand_of_a_category_saturates(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (50, 100.0), TIN: (50, 50.0), SEEDS: (50, 20.0)})
    pots, seeds = 60 / (60 + 6.0), 60 / (60 + 3.0)  # ceiling 0.6 of capacity 100; stacked 3 + 3 and 3
    assert trimmed(garden, THURSDAY, market) == pytest.approx([3 * pots, 3 * pots, 3 * seeds])


def test_a_single_category_store_has_no_category_ceiling(world: World, market: Economy) -> None:
    books = store(world, "books", **{NOVEL: (50, 40.0)})
    assert trimmed(books, THURSDAY, market) == [2.0]


def test_a_sold_out_sku_draws_nobody_and_takes_no_capacity(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (0, 100.0), TIN: (50, 50.0)})
    alone = store(world, "garden", **{TIN: (50, 50.0)})
    assert trimmed(garden, THURSDAY, market) == trimmed(alone, THURSDAY, market) != []
    assert sold(garden, market) == sold(alone, market)


def test_the_rounding_draw_is_named_by_sku_and_date() -> None:
    digest = int(md5(b"demanda000000000012026-02-05").hexdigest()[:8], 16)
    assert demand_rounding(7, POT, "2026-02-05") == Random(7 + digest).random()


def sold(garden: Store, market: Economy) -> int:
    books = Books(Purse(stake=0.0, bank=0.0))
    share_demand({0: garden}, THURSDAY, market)
    sell(books, garden, THURSDAY)
    return sum(sales.units for sales in books.pending)


def test_the_last_fraction_is_sold_if_the_draw_falls_below_it(world: World, market: Economy) -> None:
    draw = demand_rounding(7, POT, "2026-02-05")
    garden = store(world, "garden", **{POT: (10, 100.0)})
    # One SKU of wish w sells w * 60 / (60 + w) * 100 / (100 + that); find the standing that makes it 2 + draw
    wanted = 2 + draw
    before_store = 100 * wanted / (100 - wanted)
    wish = 60 * before_store / (60 - before_store)
    garden.reputation = (wish + 1e-6) / 6.0
    assert sold(garden, market) == 3
    garden.reputation = (wish - 1e-6) / 6.0
    assert sold(garden, market) == 2


def test_a_store_that_everybody_wants_to_visit_saturates(world: World, market: Economy) -> None:
    books = store(world, "books", **{NOVEL: (500, 40.0)})
    books.reputation = 20.0  # a wish of 80 units against a capacity of 40
    assert int(80 * 40 / (40 + 80)) <= sold(books, market) <= 1 + int(80 * 40 / (40 + 80))


def test_sales_never_exceed_the_shelf(world: World, market: Economy) -> None:
    assert sold(store(world, "garden", **{POT: (1, 60.0)}), market) == 1


@pytest.mark.parametrize("curve", [linear, exponential, constant_elasticity, quadratic])
@pytest.mark.parametrize("ratio", [1e160, 1e308, inf])
def test_nobody_buys_at_a_price_beyond_all_measure(curve: PriceCurve, ratio: float) -> None:
    assert curve(ratio, 3.0) == 0.0


def test_a_price_of_almost_nothing_stays_finite(world: World, market: Economy) -> None:
    garden = store(world, "garden", **{POT: (50, 5e-324)})
    found = wished(garden, THURSDAY, market)
    assert isclose(found[0], 6.0 * 3.0 * 0.5, rel_tol=1e-6)  # 1 + eta at a ratio of zero


def test_every_elasticity_family_of_the_files_has_its_curve_and_no_other_is_taken(world: World) -> None:
    assert set(PRICE_CURVES) == set(get_args(Elasticity))
    unknown: Any = "logistic"
    with pytest.raises(KeyError, match="logistic"):
        price_response(replace(world.categories[0], elasticity=unknown), 1.0, 1.0)
