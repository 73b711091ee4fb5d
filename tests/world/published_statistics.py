"""The figures of a world that the paper prints of its own, each under a name, beside what the paper prints.

A figure is a tuple of numbers: one, the two ends of a range, or one per kind. Shares are out of 1, prices in yuan.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple

from ecbench.market.calendar import promotion_windows
from ecbench.world.model import Category, Elasticity, StoreType, World
from ecbench.world.supplier_kinds import Scam, Template
from ecbench.world.world_folder import contradicts_band

Numbers = tuple[float, ...]

# What the paper counts, in its order.
FAMILIES: tuple[Elasticity, ...] = ("linear", "exponential", "constant_elasticity", "quadratic")
TEMPLATES: tuple[Template, ...] = ("expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial")
SCAMS: tuple[Scam, ...] = ("vip_fee", "future_discount", "fake_urgency", "qty_bait", "quality_downgrade")
STEADY_SEASON = 0.2
NOVEMBER = 10


class Published(NamedTuple):
    """A published figure, and how far from it a world with the published figures may lie.

    What the paper states holds to the digits it prints. What only the release's sample of 688 goods shows holds as
    nearly as such a sample can tell.
    """

    numbers: Numbers
    within: float = 0.0


def statistics(world: World) -> dict[str, Numbers]:
    return {
        **_counts(world),
        **_roster(world),
        **_categories(world.categories),
        **_catalog(world),
        **_store_types(world),
        **_calendar(world),
    }


def _counts(world: World) -> dict[str, Numbers]:
    return {
        "products": (len(world.products),),
        "categories": (len(world.categories),),
        "suppliers": (len(world.suppliers),),
        "store types": (len(world.store_types),),
        "events": (len(world.events),),
        "promotions": (len(world.promotions),),
    }


def _roster(world: World) -> dict[str, Numbers]:
    honest = [supplier for supplier in world.suppliers if supplier.honest]
    cheats = [supplier for supplier in world.suppliers if not supplier.honest]
    templates = Counter(supplier.template for supplier in honest)
    scams = Counter(supplier.scam for supplier in cheats)
    return {
        "honest and fraudulent suppliers": (len(honest), len(cheats)),
        "honest suppliers of a category": _ends(Counter(supplier.category for supplier in honest).values()),
        "fraudulent suppliers of a category": _ends(Counter(supplier.category for supplier in cheats).values()),
        f"honest suppliers: {', '.join(TEMPLATES)}": tuple(templates[template] for template in TEMPLATES),
        f"fraudulent suppliers: {', '.join(SCAMS)}": tuple(scams[scam] for scam in SCAMS),
        "orders a supplier takes": _ends(supplier.order_limit for supplier in world.suppliers),
    }


def _categories(categories: Sequence[Category]) -> dict[str, Numbers]:
    figures: dict[str, Numbers] = {}
    for family in FAMILIES:
        etas = [category.eta for category in categories if category.elasticity == family]
        figures[f"{family}: categories"] = (len(etas),)
        figures[f"{family}: parameter"] = _ends(etas)
    midway = sum(category.wholesale_ratio == round(0.5 + 0.5 * category.floor_ratio, 2) for category in categories)
    return figures | {
        "floor over reference price": _ends(category.floor_ratio for category in categories),
        "categories that open midway between floor and reference": (midway,),
    }


def _catalog(world: World) -> dict[str, Numbers]:
    by_name, products = world.category_by_name, world.products
    breadths = [len(rows) for rows in world.products_by_category.values()]
    places = [_place(p.reference_price, by_name[p.category].price_min, by_name[p.category].price_max) for p in products]
    understated = {category.name for category in world.categories if contradicts_band(category)}
    rates = [_place(p.return_rate, by_name[p.category].return_min, by_name[p.category].return_max) for p in products]
    return {
        "products of a category: fewest, median, most": (min(breadths), median(breadths), max(breadths)),
        "categories whose note understates their returns": (len(understated),),
        "share of products in those categories": (fmean(product.category in understated for product in products),),
        "place of a price in its band, mean": (fmean(places),),
        "place of a price in its band, distance from uniform": (_distance_from_uniform(places),),
        "place of a return rate in its band, distance from uniform": (_distance_from_uniform(rates),),
        "natural return rate": _ends(product.return_rate for product in products),
        "median price": (median(product.reference_price for product in products),),
        "share of products one size off": (fmean(p.size != by_name[p.category].size for p in products),),
    }


def _store_types(world: World) -> dict[str, Numbers]:
    types = world.store_types
    peaks = sum(kind.seasonality[NOVEMBER] == max(kind.seasonality) for kind in types)
    steady = sum(all(abs(month - 1) <= STEADY_SEASON + 1e-9 for month in kind.seasonality) for kind in types)
    food = world.store_type_by_id["food_beverage"].seasonality
    figures: dict[str, Numbers] = {
        "capacity of a store type, units a day": _ends(kind.capacity for kind in types),
        "demand scale of a store type": _ends(kind.demand_scale for kind in types),
        "store types at their peak in November": (peaks,),
        "store types within 0.2 of neutral all year": (steady,),
        "peak month of food and beverage": (1 + food.index(max(food)),),
    }
    for kind in types:
        figures |= _store_type(kind, [world.category_by_name[name] for name in kind.categories])
    return figures


def _store_type(kind: StoreType, categories: Sequence[Category]) -> dict[str, Numbers]:
    openings, floors = [c.wholesale_ratio for c in categories], [c.floor_ratio for c in categories]
    return {
        f"{kind.name}: opening and floor over reference": (fmean(openings), fmean(floors)),
        f"{kind.name}: season": _ends(kind.seasonality),
    }


def _calendar(world: World) -> dict[str, Numbers]:
    late = [event.delay for event in world.events if event.delay > 1]
    windows = [window for promotion in world.promotions for window in promotion_windows(promotion, world.start.year)]
    return {
        "demand in an event": _ends(factor for event in world.events for factor in event.demand.values()),
        "events that delay deliveries": (len(late),),
        "delay of deliveries": _ends(late),
        "demand in a promotion": _ends(promotion.max_demand for promotion in world.promotions),
        "elasticity boost of a promotion": _ends(promotion.elasticity_boost for promotion in world.promotions),
        "days with a promotion": (sum((window.last - window.first).days + 1 for window in windows),),
    }


def _ends(values: Iterable[float]) -> Numbers:
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def _place(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low)


def _distance_from_uniform(values: Sequence[float]) -> float:
    """The Kolmogorov-Smirnov statistic against the uniform distribution on 0 to 1."""
    ordered, n = sorted(values), len(values)
    return max(max((i + 1) / n - value, value - i / n) for i, value in enumerate(ordered))


PRINTED = 0.005 + 1e-9  # half the last place of a figure printed with two decimals
CRITICAL = 1.63 / 6_886**0.5  # a distance that only one uniform sample of this size in a hundred exceeds
# Opening ratio, floor ratio, and the lowest and highest month of each store type (tab:store_types).
_STORE_TYPES = {
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

PUBLISHED: Mapping[str, Published] = {
    "products": Published((6_886,)),
    "categories": Published((60,)),
    "suppliers": Published((576,)),
    "store types": Published((12,)),
    "events": Published((10,)),
    "promotions": Published((8,)),
    "honest and fraudulent suppliers": Published((424, 152)),
    "honest suppliers of a category": Published((7, 8)),
    "fraudulent suppliers of a category": Published((2, 3)),
    f"honest suppliers: {', '.join(TEMPLATES)}": Published((102, 106, 58, 56, 54, 48)),
    f"fraudulent suppliers: {', '.join(SCAMS)}": Published((31, 31, 30, 30, 30)),
    "orders a supplier takes": Published((10, 20)),
    "linear: categories": Published((11,)),
    "linear: parameter": Published((2.185, 3.949)),
    "exponential: categories": Published((16,)),
    "exponential: parameter": Published((2.583, 4.944)),
    "constant_elasticity: categories": Published((17,)),
    "constant_elasticity: parameter": Published((1.352, 2.898)),
    "quadratic: categories": Published((16,)),
    "quadratic: parameter": Published((2.795, 5.779)),
    "floor over reference price": Published((0.17, 0.90)),
    "categories that open midway between floor and reference": Published((60,)),
    "products of a category: fewest, median, most": Published((10, 100, 260), 10),
    "categories whose note understates their returns": Published((20,)),
    "share of products in those categories": Published((0.255,), 0.0005),
    "place of a price in its band, mean": Published((0.5,), 3 / (12 * 6_886) ** 0.5),
    "place of a price in its band, distance from uniform": Published((0.0,), CRITICAL),
    "place of a return rate in its band, distance from uniform": Published((0.0,), CRITICAL),
    "natural return rate": Published((0.0, 0.55), 0.0025),
    "median price": Published((134.4,), 10.0),
    "share of products one size off": Published((0.3,), 3 * (0.3 * 0.7 / 6_886) ** 0.5),
    "capacity of a store type, units a day": Published((13.959, 19_862.16)),
    "demand scale of a store type": Published((0.2, 9.0)),
    "store types at their peak in November": Published((9,)),
    "store types within 0.2 of neutral all year": Published((4,)),
    "peak month of food and beverage": Published((2,)),
    **{f"{name}: opening and floor over reference": Published(row[:2], PRINTED) for name, row in _STORE_TYPES.items()},
    **{f"{name}: season": Published(row[2:]) for name, row in _STORE_TYPES.items()},
    "demand in an event": Published((0.2, 3.0)),
    "events that delay deliveries": Published((8,)),
    "delay of deliveries": Published((2.0, 5.0)),
    "demand in a promotion": Published((1.8, 3.5)),
    "elasticity boost of a promotion": Published((1.5, 2.0)),
    "days with a promotion": Published((66,)),
}
