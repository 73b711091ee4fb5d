"""The figures of the default world that the paper prints of its own; prices in yuan, shares out of 1."""

from collections import Counter
from collections.abc import Iterable
from statistics import fmean, median

import pytest
from tests.world.return_notes import contradicts_band

from ecbench.market.calendar import promotion_windows
from ecbench.world.load import load_world

WORLD = load_world("default")
HONEST = [supplier for supplier in WORLD.suppliers if supplier.honest]
CHEATS = [supplier for supplier in WORLD.suppliers if not supplier.honest]
# By family of curves: categories, lowest and highest parameter.
FAMILIES = {
    "linear": (11, 2.185, 3.949),
    "exponential": (16, 2.583, 4.944),
    "constant_elasticity": (17, 1.352, 2.898),
    "quadratic": (16, 2.795, 5.779),
}
# Opening ratio, floor ratio, and the lowest and highest month of each store type (tab:store_types).
STORE_TYPES = {
    "Auto & Hardware": (0.93, 0.86, 0.90, 1.10),
    "Daily & Office": (0.77, 0.54, 1.00, 1.20),
    "Food & Beverage": (0.78, 0.55, 0.60, 1.60),
    "Home & Living": (0.86, 0.72, 0.90, 1.30),
    "Appliance & Digital": (0.79, 0.58, 0.90, 1.40),
    "Fashion": (0.70, 0.39, 0.70, 1.55),
    "Mother & Baby": (0.70, 0.40, 1.00, 1.20),
    "Shoes & Bags": (0.80, 0.60, 0.80, 1.40),
    "Beauty": (0.69, 0.38, 1.00, 1.30),
    "Pet Supplies": (0.61, 0.22, 1.00, 1.10),
    "Sports & Outdoor": (0.58, 0.18, 0.80, 1.30),
    "Toys & Entertainment": (0.65, 0.29, 1.00, 1.70),
}


def ends(values: Iterable[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def test_the_default_world_has_the_published_numbers_of_everything() -> None:
    assert (len(WORLD.products), len(WORLD.categories), len(WORLD.suppliers)) == (6_886, 60, 576)
    assert (len(WORLD.store_types), len(WORLD.events), len(WORLD.promotions)) == (12, 10, 8)
    breadths = [len(rows) for rows in WORLD.products_by_category.values()]
    assert (min(breadths), median(breadths), max(breadths)) == pytest.approx((10, 100, 260), abs=10)


def test_the_roster_has_the_published_kinds_of_suppliers() -> None:
    kinds = {"expressive": 102, "candid": 106, "stochastic": 58, "taciturn": 56, "strategic": 54, "adversarial": 48}
    scams = {"vip_fee": 31, "future_discount": 31, "fake_urgency": 30, "qty_bait": 30, "quality_downgrade": 30}
    assert Counter(supplier.template for supplier in HONEST) == kinds
    assert Counter(supplier.scam for supplier in CHEATS) == scams
    assert ends(Counter(supplier.category for supplier in HONEST).values()) == (7, 8)
    assert ends(Counter(supplier.category for supplier in CHEATS).values()) == (2, 3)
    assert ends(supplier.order_limit for supplier in WORLD.suppliers) == (10, 20)


def test_the_categories_have_the_published_curves_and_ratios() -> None:
    for family, (count, *parameters) in FAMILIES.items():
        etas = [category.eta for category in WORLD.categories if category.elasticity == family]
        assert (len(etas), *ends(etas)) == (count, *parameters)
    assert ends(category.floor_ratio for category in WORLD.categories) == (0.17, 0.90)
    assert all(each.wholesale_ratio == round(0.5 + 0.5 * each.floor_ratio, 2) for each in WORLD.categories)


def test_the_goods_have_the_published_prices_returns_and_sizes() -> None:
    """What only the release's sample of 688 goods shows holds as nearly as such a sample can tell."""
    by_name, products = WORLD.category_by_name, WORLD.products
    bands = [by_name[product.category] for product in products]
    prices = [(p.reference_price - c.price_min) / (c.price_max - c.price_min) for p, c in zip(products, bands)]
    assert fmean(prices) == pytest.approx(0.5, abs=3 / (12 * 6_886) ** 0.5)
    assert median(product.reference_price for product in products) == pytest.approx(134.4, abs=10)
    assert ends(product.return_rate for product in products) == pytest.approx((0.0, 0.55), abs=0.0025)
    understated = {category.name for category in WORLD.categories if contradicts_band(category)}
    assert len(understated) == 20
    assert fmean(product.category in understated for product in products) == pytest.approx(0.255, abs=0.0005)
    assert fmean(p.size != c.size for p, c in zip(products, bands)) == pytest.approx(0.3, abs=0.017)


@pytest.mark.parametrize("name", STORE_TYPES)
def test_a_store_type_has_the_published_ratios_and_season(name: str) -> None:
    [kind] = [each for each in WORLD.store_types if each.name == name]
    categories = [WORLD.category_by_name[each] for each in kind.categories]
    ratios = fmean(each.wholesale_ratio for each in categories), fmean(each.floor_ratio for each in categories)
    assert ratios == pytest.approx(STORE_TYPES[name][:2], abs=0.005 + 1e-9)
    assert ends(kind.seasonality) == STORE_TYPES[name][2:]


def test_store_types_have_the_published_capacities_and_peaks() -> None:
    kinds = WORLD.store_types
    assert ends(kind.capacity for kind in kinds) == (13.959, 19_862.16)
    assert ends(kind.demand_scale for kind in kinds) == (0.2, 9.0)
    assert sum(kind.seasonality[10] == max(kind.seasonality) for kind in kinds) == 9  # peak in November
    assert sum(all(abs(month - 1) <= 0.2 + 1e-9 for month in kind.seasonality) for kind in kinds) == 4
    food = WORLD.store_type_by_id["food_beverage"].seasonality
    assert food.index(max(food)) == 1  # February


def test_the_calendar_has_the_published_effects() -> None:
    late = [event.delay for event in WORLD.events if event.delay > 1]
    assert (len(late), *ends(late)) == (8, 2.0, 5.0)
    assert ends(factor for event in WORLD.events for factor in event.demand.values()) == (0.2, 3.0)
    assert ends(promotion.max_demand for promotion in WORLD.promotions) == (1.8, 3.5)
    assert ends(promotion.elasticity_boost for promotion in WORLD.promotions) == (1.5, 2.0)
    windows = [window for promotion in WORLD.promotions for window in promotion_windows(promotion, 2026)]
    assert sum((window.last - window.first).days + 1 for window in windows) == 66
