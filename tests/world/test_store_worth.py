"""What a store type is worth: the exact optimum of the market's own formulas."""

from dataclasses import replace
from itertools import product as choices

import numpy as np
import pytest

from ecbench.market.best_shelf import best_shelf
from ecbench.market.demand import PRICE_CURVES, base_demand, category_capacity
from ecbench.market.returns import return_layers
from ecbench.rules import DEFAULT_RULES, SPEEDS
from ecbench.world.generate.sources import PLAIN_WORTH, WORTH
from ecbench.world.generate.store_worth import (
    WAREHOUSE_DAYS,
    lay_out,
    listings_to_fill,
    plain_worth,
    worth,
)
from ecbench.world.load import load_world
from ecbench.world.model import Category, Elasticity, Product, StoreType

FEW_PRICES = np.array([0.9, 1.1, 1.5, 3.0])
TRAFFIC = 1.2


def category(name: str, elasticity: Elasticity, eta: float, floor: float, sales: tuple[float, float]) -> Category:
    ordinary = load_world("default").category_by_name["Skincare & Beauty"]
    return replace(
        ordinary, name=name, elasticity=elasticity, eta=eta, floor_ratio=floor, sales_min=sales[0], sales_max=sales[1]
    )


CREAMS = category("Creams", "constant_elasticity", 1.6, 0.4, (500, 1_500))
SOAPS = category("Soaps", "exponential", 2.4, 0.55, (100, 300))
COMBS = category("Combs", "quadratic", 3.5, 0.3, (0, 50))
PARLOUR = StoreType("parlour", "Parlour", 3, 9.0, 2.0, (1.0,) * 12, ("Creams", "Soaps", "Combs", "Oils"))
GOODS = (
    (
        Product("a1", "Creams", "Ya", "Ya Cream", "Small", 80.0, 0.1),
        Product("a2", "Creams", "Ya", "Ya Rich Cream", "Medium", 240.0, 0.2),
    ),
    (Product("b1", "Soaps", "Ya", "Ya Soap", "Small", 60.0, 0.05),),
    (Product("c1", "Combs", "Ya", "Ya Comb", "Small", 90.0, 0.0),),
)


def profit_of_a_sale(good: Product, kind: Category, ratio: float) -> float:
    """Revenue less commission, refunds, freight, storage and the goods that stay sold, by the best speed."""
    price, rules = ratio * good.reference_price, DEFAULT_RULES
    by_speed = []
    for speed in SPEEDS:
        layers = return_layers(good, 0.0, price, rules)
        returned = min(rules.return_cap, layers.capped * rules.speed_return_factor[speed])
        freight = rules.freight_cost[good.size] * rules.freight_factor[speed]
        storage = WAREHOUSE_DAYS * rules.storage_rate[good.size]
        goods = (1 - returned) * kind.floor_ratio * good.reference_price
        by_speed.append(price - rules.commission * price - returned * price - freight - storage - goods)
    return max(by_speed)


def profit_of_a_day(listed: dict[str, float]) -> float:
    """By the market's formulas, for the price ratios of what is listed."""
    ceiling = category_capacity(PARLOUR, DEFAULT_RULES)
    assert ceiling is not None
    sold = earned = 0.0
    for kind, goods in zip((CREAMS, SOAPS, COMBS), GOODS, strict=True):
        on_shelf = [(good, listed[good.sku]) for good in goods if good.sku in listed]
        base = base_demand(kind, PARLOUR, DEFAULT_RULES) * TRAFFIC
        wanted = [base * PRICE_CURVES[kind.elasticity](ratio, kind.eta) for _, ratio in on_shelf]
        share = ceiling / (ceiling + sum(wanted))
        sold += share * sum(wanted)
        earned += share * sum(
            units * profit_of_a_sale(good, kind, ratio) for units, (good, ratio) in zip(wanted, on_shelf, strict=True)
        )
    return earned * PARLOUR.capacity / (PARLOUR.capacity + sold)


SKUS = [good.sku for goods in GOODS for good in goods]
OFFERS = choices([None, *FEW_PRICES], repeat=len(SKUS))
DAYS = [{sku: ratio for sku, ratio in zip(SKUS, offer, strict=True) if ratio is not None} for offer in OFFERS]
SHELF = lay_out(PARLOUR, (CREAMS, SOAPS, COMBS), GOODS, DEFAULT_RULES, prices=FEW_PRICES)


def test_the_best_day_is_the_best_of_all_choices_of_goods_and_prices() -> None:
    best = max(map(profit_of_a_day, DAYS))
    assert best > profit_of_a_day(dict.fromkeys(SKUS, 1.1))
    assert best_shelf(SHELF, TRAFFIC).earned == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("fee", [0.0, 5.0, 20.0, 60.0])
def test_a_shelf_earns_what_the_market_pays_for_it_and_with_a_fee_nearly_the_most(fee: float) -> None:
    filled = best_shelf(SHELF, TRAFFIC, fee)
    chosen = zip(SKUS, FEW_PRICES[filled.columns], filled.units, strict=True)
    listed = {sku: float(ratio) for sku, ratio, units in chosen if units}
    assert filled.earned == pytest.approx(profit_of_a_day(listed) - fee * len(listed), rel=1e-9)
    best = max(profit_of_a_day(day) - fee * len(day) for day in DAYS)
    assert 0.97 * best <= filled.earned <= best * (1 + 1e-9)


def test_a_store_is_filled_by_as_many_listings_as_its_capacity_holds() -> None:
    """Creams sell 1,000 a month on the platform, soaps 200: a tenth and twice of it is 6.67 and 1.33 a day."""
    assert listings_to_fill(PARLOUR, (CREAMS, SOAPS), DEFAULT_RULES) == pytest.approx(9.0 / 4.0)


@pytest.mark.parametrize("store_type", WORTH)
def test_the_worths_in_the_table_are_those_of_the_default_world(store_type: str) -> None:
    world = load_world("default")
    kind = world.store_type_by_id[store_type]
    categories = [world.category_by_name[name] for name in kind.categories]
    goods = [world.products_by_category[name] for name in kind.categories]
    assert worth(kind, categories, goods, DEFAULT_RULES) == pytest.approx(WORTH[store_type], abs=0.5)
    assert plain_worth(kind, categories, goods, DEFAULT_RULES) == pytest.approx(PLAIN_WORTH[store_type], abs=0.5)
