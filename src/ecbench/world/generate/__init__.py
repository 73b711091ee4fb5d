"""Worlds made from a seed: the default one with the published figures, and fresh ones within their ranges."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate.breadth import draw_counts, published_deal
from ecbench.world.generate.calendar import fresh_events, fresh_promotions
from ecbench.world.generate.catalog import draw_catalog
from ecbench.world.generate.figures import STORE_TYPES, StoreTypeFigures
from ecbench.world.generate.playable import is_profitable
from ecbench.world.generate.profiles import Profile, deal_profiles
from ecbench.world.generate.prose import describe
from ecbench.world.generate.published import published_categories, published_store_type
from ecbench.world.generate.published_calendar import EVENTS, PROMOTIONS
from ecbench.world.generate.redraw import fresh_category, fresh_profile, fresh_store_type, with_customers
from ecbench.world.generate.roster import draw_roster
from ecbench.world.generate.vocabulary import OVERVIEWS, VOCABULARIES
from ecbench.world.model import Category, Product, StoreType, World

DEFAULT_SEED = 20260122
START = date(2026, 1, 1)
DAYS = 365
PRODUCTS = 6_886
SUPPLIERS = 576
FRAUD_SHARE = 152 / 576
TRIES = 100

__all__ = ["DEFAULT_SEED", "default_world", "generate_world"]


def default_world() -> World:
    """The published figures with our own goods, suppliers and prose."""
    categories = _all_categories()
    counts = draw_counts(DEFAULT_SEED, len(categories), PRODUCTS, published_deal)
    return World(
        name="default",
        seed=DEFAULT_SEED,
        start=START,
        days=DAYS,
        store_types=tuple(
            replace(published_store_type(figures), overview=OVERVIEWS[figures.id]) for figures in STORE_TYPES
        ),
        categories=categories,
        products=draw_catalog(DEFAULT_SEED, categories, VOCABULARIES, counts),
        suppliers=draw_roster(DEFAULT_SEED, [c.name for c in categories], SUPPLIERS, FRAUD_SHARE),
        events=EVENTS,
        promotions=PROMOTIONS,
    )


def generate_world(
    *,
    seed: int,
    name: str,
    products: int = PRODUCTS,
    suppliers: int = SUPPLIERS,
    fraud_share: float = FRAUD_SHARE,
) -> World:
    """A fresh world: the same trades and bands, everything else drawn anew; every store type can pay for itself.

    Raises `ValueError` when the counts asked for cannot be met.
    """
    published = _all_categories()
    catalog = draw_catalog(seed, published, VOCABULARIES, draw_counts(seed, len(published), products))
    roster = draw_roster(seed, [category.name for category in published], suppliers, fraud_share)
    profiles = deal_profiles(seed)
    trades = [_fresh_trade(seed, figures, profiles[figures.id], catalog) for figures in STORE_TYPES]
    return World(
        name=name,
        seed=seed,
        start=START,
        days=DAYS,
        store_types=tuple(store_type for store_type, _ in trades),
        categories=tuple(category for _, categories in trades for category in categories),
        products=catalog,
        suppliers=roster,
        events=fresh_events(seed),
        promotions=fresh_promotions(seed),
    )


def _all_categories() -> tuple[Category, ...]:
    return tuple(category for figures in STORE_TYPES for category in published_categories(figures.id))


def _fresh_trade(
    seed: int, figures: StoreTypeFigures, dealt: Profile, catalog: Sequence[Product]
) -> tuple[StoreType, tuple[Category, ...]]:
    """A store type and its categories, drawn again until some shelf of the catalog pays for the store."""
    own = published_categories(figures.id)
    goods = [[product for product in catalog if product.category == category.name] for category in own]
    profile = fresh_profile(seed, figures, dealt)
    for attempt in range(TRIES):
        categories = tuple(
            fresh_category(seed, figures.tier, category, profile, trait, attempt)
            for category, trait in zip(own, profile.traits, strict=True)
        )
        drawn = fresh_store_type(seed, figures, attempt)
        store_type = with_customers(drawn, categories, goods, profile, DEFAULT_RULES, PRODUCTS / len(catalog))
        if is_profitable(store_type, categories, catalog, DEFAULT_RULES):
            return replace(store_type, overview=describe(store_type, categories, DEFAULT_RULES)), categories
    raise ValueError(
        f"no {figures.name} store can pay for itself with so few goods ({len(catalog):,} products in the world); "
        "ask for more products"
    )
