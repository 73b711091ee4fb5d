"""Store types and categories: the published ones, or fresh ones within the ranges the published figures span.

What a shopper sees of a category (its price, sales and return bands and its parcel size) stays; what a merchant has
to find out by trading is drawn anew.
"""

from random import Random
from statistics import fmean

from ecbench.world.generate.figures import (
    CATEGORIES,
    SEASONALITY,
    STORE_TYPES,
    CategoryFigures,
    StoreTypeFigures,
)
from ecbench.world.generate.streams import stream
from ecbench.world.model import Category, Elasticity, StoreType

SCALE_RANGE = (0.8, 1.25)  # a fresh capacity or demand scale, as a multiple of the published one
MONTH_JITTER = 0.1
MEAN_TOLERANCE = 0.03

_ALL_CATEGORIES = [category for store_type in STORE_TYPES for category in CATEGORIES[store_type.id]]
HIGHEST_CAP = max(category.scam_cap_ratio for category in _ALL_CATEGORIES)
FLOOR_RANGE = {
    tier: (min(floors), max(floors))
    for tier in (1, 2, 3)
    if (floors := [c.floor_ratio for s in STORE_TYPES if s.tier == tier for c in CATEGORIES[s.id]])
}
ETA_RANGE = {
    family: (min(etas), max(etas))
    for family in {category.elasticity: None for category in _ALL_CATEGORIES}
    if (etas := [c.eta for c in _ALL_CATEGORIES if c.elasticity == family])
}


def wholesale_ratio(floor_ratio: float) -> float:
    """Suppliers open midway between their floor and the reference price."""
    return round(0.5 + 0.5 * floor_ratio, 2)


def published_store_type(figures: StoreTypeFigures) -> StoreType:
    return StoreType(
        id=figures.id,
        name=figures.name,
        tier=figures.tier,
        capacity=figures.capacity,
        demand_scale=figures.demand_scale,
        seasonality=SEASONALITY[figures.id],
        categories=tuple(category.name for category in CATEGORIES[figures.id]),
    )


def published_category(store_type: str, figures: CategoryFigures, return_note: str) -> Category:
    return Category(
        name=figures.name,
        store_type=store_type,
        size=figures.size,
        price_min=float(figures.price_min),
        price_max=float(figures.price_max),
        sales_min=float(figures.sales_min),
        sales_max=float(figures.sales_max),
        return_min=figures.return_min,
        return_max=figures.return_max,
        return_note=return_note,
        elasticity=figures.elasticity,
        eta=figures.eta,
        wholesale_ratio=wholesale_ratio(figures.floor_ratio),
        floor_ratio=figures.floor_ratio,
        scam_cap_ratio=figures.scam_cap_ratio,
        price_range=f"{figures.price_min}-{figures.price_max}",
    )


def fresh_store_type(seed: int, figures: StoreTypeFigures, attempt: int) -> StoreType:
    rng = stream(seed, "store type", figures.id, str(attempt))
    return StoreType(
        id=figures.id,
        name=figures.name,
        tier=figures.tier,
        capacity=round(figures.capacity * rng.uniform(*SCALE_RANGE), 3),
        demand_scale=round(figures.demand_scale * rng.uniform(*SCALE_RANGE), 3),
        seasonality=_fresh_seasonality(rng, SEASONALITY[figures.id]),
        categories=tuple(category.name for category in CATEGORIES[figures.id]),
    )


def fresh_category(seed: int, tier: int, published: Category, family: Elasticity, attempt: int) -> Category:
    """The floor may lie anywhere its tier has published one; the scam cap keeps its distance from the floor."""
    rng = stream(seed, "category", published.name, str(attempt))
    floor = round(rng.uniform(*FLOOR_RANGE[tier]), 3)
    gap = published.scam_cap_ratio - published.floor_ratio
    return Category(
        name=published.name,
        store_type=published.store_type,
        size=published.size,
        price_min=published.price_min,
        price_max=published.price_max,
        sales_min=published.sales_min,
        sales_max=published.sales_max,
        return_min=published.return_min,
        return_max=published.return_max,
        return_note=published.return_note,
        elasticity=family,
        eta=round(rng.uniform(*ETA_RANGE[family]), 3),
        wholesale_ratio=wholesale_ratio(floor),
        floor_ratio=floor,
        scam_cap_ratio=round(min(HIGHEST_CAP, floor + gap), 3),
        price_range=published.price_range,
    )


def fresh_families(seed: int) -> dict[str, Elasticity]:
    """The published number of categories of each elasticity family, dealt out again."""
    dealt = [category.elasticity for category in _ALL_CATEGORIES]
    stream(seed, "elasticity families").shuffle(dealt)
    return {category.name: family for category, family in zip(_ALL_CATEGORIES, dealt, strict=True)}


def _fresh_seasonality(rng: Random, published: tuple[float, ...]) -> tuple[float, ...]:
    """The published year begun in another month, each month moved a little within its store type's range."""
    low, high, mean = min(published), max(published), fmean(published)
    while True:
        shift = rng.randrange(1, len(published))
        turned = published[shift:] + published[:shift]
        months = tuple(
            round(min(high, max(low, month + rng.uniform(-MONTH_JITTER, MONTH_JITTER))), 2) for month in turned
        )
        if abs(fmean(months) - mean) <= MEAN_TOLERANCE and len(set(months)) > 1:
            return months
