"""Fresh worlds deal the published profiles again: every tier has the same ones, and nobody can know who has which."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from ecbench.market.best_shelf import Column
from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate import generate_world
from ecbench.world.generate.fresh_store_types import (
    Profile,
    Trait,
    deal_profiles,
    describe,
    fresh_profile,
    published_profile,
)
from ecbench.world.generate.sources import CATEGORIES, STORE_TYPES, WORTH
from ecbench.world.generate.store_worth import listings_to_fill, plain_worth, worth
from ecbench.world.load import load_world
from ecbench.world.model import StoreType, World

SEEDS = range(1, 21)
PUBLISHED = {figures.id: published_profile(figures) for figures in STORE_TYPES}
TIER_OF = np.array([figures.tier for figures in STORE_TYPES])
TIERS = {tier: [figures.id for figures in STORE_TYPES if figures.tier == tier] for tier in (1, 2, 3)}


@cache
def fresh(seed: int) -> World:
    return generate_world(seed=seed, name=f"fresh-{seed}")


def worth_in(world: World, kind: StoreType) -> float:
    categories = [world.category_by_name[name] for name in kind.categories]
    goods = [world.products_by_category[name] for name in kind.categories]
    return worth(kind, categories, goods, DEFAULT_RULES)


@cache
def optima() -> tuple[Column, Column]:
    """What each store type earns at most on one ordinary day: on default, and on fresh worlds, one in each row."""
    costs = np.array([DEFAULT_RULES.operating_cost[figures.tier] for figures in STORE_TYPES])
    worths = [[worth_in(world, kind) for kind in world.store_types] for world in map(fresh, SEEDS)]
    return np.array([WORTH[figures.id] for figures in STORE_TYPES]) - costs, np.array(worths) - costs


def best_four(earned: Column) -> float:
    return float(np.sort(earned)[-DEFAULT_RULES.max_stores :].sum())


def order_likeness(one: Column, other: Column) -> float:
    """Rank correlation (Spearman's) of the store types of a tier, averaged over the tiers; 0 is chance."""
    ranks = [[np.argsort(np.argsort(earned[tier == TIER_OF])) for tier in TIERS] for earned in (one, other)]
    return float(np.mean([np.corrcoef(left, right)[0, 1] for left, right in zip(*ranks, strict=True)]))


def owner_of(profile: Profile) -> str:
    return next(owner for owner, published in PUBLISHED.items() if published.worth == profile.worth)


def hidden(traits: Iterable[Trait]) -> Counter[tuple[str, float]]:
    return Counter((trait.elasticity, trait.eta) for trait in traits)


def test_fresh_worlds_are_worth_what_default_is() -> None:
    default, fresh_worlds = optima()
    best = np.array([best_four(row) for row in fresh_worlds])
    assert best.mean() == pytest.approx(best_four(default), rel=0.10)
    assert best.std(ddof=1) / best.mean() <= 0.12
    assert best.min() / best.mean() > 0.8 and best.max() / best.mean() < 1.2


def test_the_order_of_a_tiers_store_types_in_one_world_tells_nothing_about_another() -> None:
    """Four types in three tiers: over twenty worlds chance strays by 0.027 between pairs, by 0.071 from default."""
    default, fresh_worlds = optima()
    between = [order_likeness(one, other) for one, other in combinations(fresh_worlds, 2)]
    assert np.mean(between) == pytest.approx(0, abs=3 * 0.027)
    assert np.mean([order_likeness(row, default) for row in fresh_worlds]) == pytest.approx(0, abs=3 * 0.071)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tier_has_its_published_profiles_and_traits(seed: int) -> None:
    dealt = deal_profiles(seed)
    for peers in TIERS.values():
        assert sorted(owner_of(dealt[peer]) for peer in peers) == sorted(peers)
        published = hidden(trait for peer in peers for trait in PUBLISHED[peer].traits)
        assert hidden(trait for peer in peers for trait in dealt[peer].traits) == published


@pytest.mark.parametrize("seed", SEEDS)
def test_a_profile_brings_as_many_of_its_own_traits_as_there_are_categories_for(seed: int) -> None:
    for store_type, profile in deal_profiles(seed).items():
        own = hidden(PUBLISHED[owner_of(profile)].traits)
        assert len(profile.traits) == len(CATEGORIES[store_type])
        assert (hidden(profile.traits) & own).total() == min(own.total(), len(CATEGORIES[store_type]))


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_a_store_type_is_worth_as_much_and_filled_as_soon_as_its_profile_says(seed: int) -> None:
    """Where merchants begin, to one with a few goods at plain prices; elsewhere, to one who knows everything."""
    world, dealt = fresh(seed), deal_profiles(seed)
    for kind in world.store_types:
        categories = [world.category_by_name[name] for name in kind.categories]
        goods = [world.products_by_category[name] for name in kind.categories]
        expected = fresh_profile(seed, kind, dealt[kind.id])
        if kind.tier == 3:
            assert plain_worth(kind, categories, goods, DEFAULT_RULES) == pytest.approx(expected.plain_worth, rel=0.01)
        else:
            assert worth_in(world, kind) == pytest.approx(expected.worth, rel=0.01)
        listings = listings_to_fill(kind, categories, DEFAULT_RULES)
        assert listings == pytest.approx(expected.listings, rel=0.01)


def test_an_overview_follows_the_profile_and_not_the_trade() -> None:
    world = load_world("default")
    kind = world.store_type_by_id["pet"]
    categories = [world.category_by_name["Pet Supplies"]]
    dear = [replace(categories[0], floor_ratio=0.86, wholesale_ratio=0.93)]
    crowded = replace(kind, capacity=kind.capacity / 10)
    assert describe(kind, categories, DEFAULT_RULES).profit_potential.startswith("Good")
    assert describe(kind, dear, DEFAULT_RULES).profit_potential.startswith("Thin")
    for store_type, text in ((kind, "absorb many listings"), (crowded, "competes with itself")):
        overview = describe(store_type, categories, DEFAULT_RULES)
        assert text in " ".join((overview.advantage, *overview.strengths, *overview.challenges))
