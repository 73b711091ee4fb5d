"""Fresh worlds made from a seed, within the ranges of the published figures."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate.fresh_calendar import fresh_events, fresh_promotions
from ecbench.world.generate.fresh_store_types import (
    Profile,
    deal_profiles,
    describe,
    fresh_category,
    fresh_notes,
    fresh_profile,
    fresh_store_type,
    with_customers,
)
from ecbench.world.generate.products import draw_catalog, draw_counts
from ecbench.world.generate.sources import ALL_CATEGORIES, CATEGORIES, STORE_TYPES
from ecbench.world.generate.store_worth import is_profitable
from ecbench.world.generate.supplier_roster import draw_roster
from ecbench.world.model import Category, Product, StoreType, World

START = date(2026, 1, 1)
DAYS = 365
PRODUCTS = 6_886
SUPPLIERS = 576
FRAUD_SHARE = 152 / 576
TRIES = 100


def generate_world(
    *,
    seed: int,
    name: str,
    products: int = PRODUCTS,
    suppliers: int = SUPPLIERS,
    fraud_share: float = FRAUD_SHARE,
) -> World:
    """A fresh world in which every store type can pay for itself; raises ValueError if the counts cannot be met."""
    counts = draw_counts(seed, len(ALL_CATEGORIES), products)
    catalog = draw_catalog(seed, ALL_CATEGORIES, counts)
    names = [category.name for category in ALL_CATEGORIES]
    roster = draw_roster(seed, names, suppliers, fraud_share)
    profiles, notes = deal_profiles(seed), fresh_notes(seed)
    drawn = [_fresh_store_type(seed, published, profiles[published.id], catalog) for published in STORE_TYPES]
    return World(
        name=name,
        seed=seed,
        start=START,
        days=DAYS,
        store_types=tuple(store_type for store_type, _ in drawn),
        categories=tuple(
            replace(category, return_note=notes[category.name]) for _, categories in drawn for category in categories
        ),
        products=catalog,
        suppliers=roster,
        events=fresh_events(seed),
        promotions=fresh_promotions(seed),
    )


def _fresh_store_type(
    seed: int, published: StoreType, dealt: Profile, catalog: Sequence[Product]
) -> tuple[StoreType, tuple[Category, ...]]:
    """A store type and its categories, drawn again until some shelf of the catalog pays for the store."""
    own = CATEGORIES[published.id]
    goods = [[product for product in catalog if product.category == category.name] for category in own]
    profile = fresh_profile(seed, published, dealt)
    for attempt in range(TRIES):
        categories = tuple(
            fresh_category(seed, published.tier, category, profile, trait, attempt)
            for category, trait in zip(own, profile.traits, strict=True)
        )
        drawn = fresh_store_type(seed, published, attempt)
        store_type = with_customers(drawn, categories, goods, profile, DEFAULT_RULES, PRODUCTS / len(catalog))
        if is_profitable(store_type, categories, catalog, DEFAULT_RULES):
            return replace(store_type, overview=describe(store_type, categories, DEFAULT_RULES)), categories
    raise ValueError(
        f"no {published.name} store can pay for itself with so few goods ({len(catalog):,} products in the world); "
        "ask for more products"
    )
