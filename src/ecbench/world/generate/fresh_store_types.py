"""Fresh store types and categories: a published profile of the same tier, dealt at random and moved (docs/world.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from random import Random
from statistics import fmean

from ecbench.formatting import MONTHS
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.fields import CAPACITY
from ecbench.world.generate.sources import (
    ALL_CATEGORIES,
    CATEGORIES,
    PLAIN_WORTH,
    STORE_TYPES,
    WORTH,
    rows,
    stream,
)
from ecbench.world.generate.store_worth import Goods, halfway_price, listings_to_fill, plain_worth, worth
from ecbench.world.model import Category, Elasticity, Overview, StoreType


@dataclass(frozen=True, slots=True)
class Trait:
    """What a merchant has to find out about a category."""

    elasticity: Elasticity
    eta: float
    floor_step: float  # from the mean floor of the store type
    cap_step: float  # from the category's floor to its scam cap


@dataclass(frozen=True, slots=True)
class Profile:
    """What a merchant has to find out about a store type. Capacity and demand scale follow from the first three."""

    worth: float  # the most that a store can earn, in yuan a day
    plain_worth: float  # what it earns with a few goods at about reference prices, in yuan a day
    listings: float  # that fill it, as far as both can be met with them
    floor: float  # over the reference price, on average over its categories
    traits: tuple[Trait, ...]  # one for each category


def published_profile(store_type: StoreType) -> Profile:
    categories = CATEGORIES[store_type.id]
    floor = fmean(category.floor_ratio for category in categories)
    return Profile(
        worth=WORTH[store_type.id],
        plain_worth=PLAIN_WORTH[store_type.id],
        listings=listings_to_fill(store_type, categories, DEFAULT_RULES),
        floor=floor,
        traits=tuple(
            Trait(each.elasticity, each.eta, each.floor_ratio - floor, each.scam_cap_ratio - each.floor_ratio)
            for each in categories
        ),
    )


def deal_profiles(seed: int) -> dict[str, Profile]:
    """To each store type the profile of one of its tier, perhaps its own, with a trait for each of its categories."""
    rng = stream(seed, "profiles")
    dealt: dict[str, Profile] = {}
    for tier in sorted({store_type.tier for store_type in STORE_TYPES}):
        peers = [store_type for store_type in STORE_TYPES if store_type.tier == tier]
        owners = rng.sample(peers, len(peers))
        hands = {peer.id: published_profile(owner) for peer, owner in zip(peers, owners, strict=True)}
        dealt |= _share_traits(rng, hands)
    return dealt


def _share_traits(rng: Random, hands: dict[str, Profile]) -> dict[str, Profile]:
    """A profile brings its own traits; those that find no category go at random to store types that lack some."""
    kept: dict[str, list[Trait]] = {}
    spare: list[Trait] = []
    for store_type, profile in hands.items():
        traits = rng.sample(profile.traits, len(profile.traits))
        room = len(CATEGORIES[store_type])
        kept[store_type] = traits[:room]
        spare += traits[room:]
    rng.shuffle(spare)
    for store_type, traits in kept.items():
        while len(traits) < len(CATEGORIES[store_type]):
            traits.append(spare.pop())
        rng.shuffle(traits)
    return {store_type: replace(hands[store_type], traits=_centred(traits)) for store_type, traits in kept.items()}


def _centred(traits: list[Trait]) -> tuple[Trait, ...]:
    """Whatever traits came together, the floors lie around the profile's."""
    mean = fmean(trait.floor_step for trait in traits)
    return tuple(replace(trait, floor_step=trait.floor_step - mean) for trait in traits)


RICHNESS = 0.2  # most that all store types of a world are richer or poorer together, as a logarithm
JITTER = 0.05  # most that the worth of one moves beside it, as a share
ETA_JITTER = 0.05
FLOOR_JITTER = 0.02  # of the reference price
MONTH_JITTER = 0.1
MEAN_TOLERANCE = 0.03

HIGHEST_CAP = max(category.scam_cap_ratio for category in ALL_CATEGORIES)
FLOOR_RANGE = {
    tier: (min(floors), max(floors))
    for tier in (1, 2, 3)
    if (floors := [c.floor_ratio for s in STORE_TYPES if s.tier == tier for c in CATEGORIES[s.id]])
}
ETA_RANGE = {
    family: (min(etas), max(etas))
    for family in {category.elasticity: None for category in ALL_CATEGORIES}
    if (etas := [c.eta for c in ALL_CATEGORIES if c.elasticity == family])
}


def fresh_profile(seed: int, store_type: StoreType, profile: Profile) -> Profile:
    """As much richer or poorer than the published one as the whole world is, and a little more or less."""
    richness = stream(seed, "richness").uniform(-RICHNESS, RICHNESS)
    factor = exp(richness) * _moved(stream(seed, "profile", store_type.id), JITTER)
    return replace(profile, worth=profile.worth * factor, plain_worth=profile.plain_worth * factor)


def fresh_store_type(seed: int, published: StoreType, attempt: int) -> StoreType:
    """The published store type with a new seasonality."""
    rng = stream(seed, "store type", published.id, str(attempt))
    return replace(published, seasonality=_fresh_seasonality(rng, published.seasonality))


def with_customers(
    store_type: StoreType, categories: Sequence[Category], goods: Goods, profile: Profile, rules: Rules, copies: float
) -> StoreType:
    """With as many customers as make it worth what the profile is, for its categories and these goods.

    For the tier that costs least to run, that is its worth to a beginner with a few goods at plain prices; for others,
    the most that it can earn. A product stands for as many copies as the published catalog had more of.
    """
    fitted = profile.listings / listings_to_fill(store_type, categories, rules)
    sized = replace(store_type, capacity=store_type.capacity * fitted)
    if rules.operating_cost[store_type.tier] == min(rules.operating_cost.values()):
        wanted, found = profile.plain_worth, plain_worth(sized, categories, goods, rules)
    else:
        wanted, found = profile.worth, worth(sized, categories, goods, rules, copies)
    factor = wanted / found if found > 0 else 1.0
    return replace(
        sized,
        capacity=round(min(CAPACITY.most, sized.capacity * factor), 3),
        demand_scale=round(sized.demand_scale * factor, 4),
    )


def fresh_category(seed: int, tier: int, published: Category, profile: Profile, trait: Trait, attempt: int) -> Category:
    rng = stream(seed, "category", published.name, str(attempt))
    floor = profile.floor + trait.floor_step + rng.uniform(-FLOOR_JITTER, FLOOR_JITTER)
    floor = round(_within(FLOOR_RANGE[tier], floor), 3)
    return replace(
        published,
        elasticity=trait.elasticity,
        eta=round(_within(ETA_RANGE[trait.elasticity], trait.eta * _moved(rng, ETA_JITTER)), 3),
        wholesale_ratio=round(0.5 + 0.5 * floor, 2),  # midway between the floor and the reference price
        floor_ratio=floor,
        scam_cap_ratio=round(min(HIGHEST_CAP, floor + trait.cap_step), 3),
    )


def _moved(rng: Random, most: float) -> float:
    return rng.uniform(1 - most, 1 + most)


def _within(ends: tuple[float, float], value: float) -> float:
    low, high = ends
    return min(high, max(low, value))


def _fresh_seasonality(rng: Random, published: tuple[float, ...]) -> tuple[float, ...]:
    """The published year begun in another month, each month moved a little within its store type's range."""
    low, high, mean = min(published), max(published), fmean(published)
    while True:
        shift = rng.randrange(1, len(published))
        turned = published[shift:] + published[:shift]
        months = tuple(
            round(_within((low, high), month + rng.uniform(-MONTH_JITTER, MONTH_JITTER)), 2) for month in turned
        )
        if abs(fmean(months) - mean) <= MEAN_TOLERANCE and len(set(months)) > 1:
            return months


CLEAR_SEASON = 0.15  # a month this far from the year's mean stands out
FEW_BUYERS = 100.0  # units a day
FEW_LISTINGS = 30  # that fill a store
UNDERSTATED = 20  # categories that bring more returns than their notes say (tab:categories)


def describe(store_type: StoreType, categories: Sequence[Category], rules: Rules) -> Overview:
    margin = 1 - fmean(halfway_price(category) for category in categories)
    said = [
        _margin(margin),
        "few listings" if listings_to_fill(store_type, categories, rules) < FEW_LISTINGS else "many listings",
        _season(store_type.seasonality),
        _parcels(categories),
    ]
    season = store_type.seasonality
    extreme = min(season) if "low season" in said else max(season)
    month = MONTHS[season.index(extreme)]
    notes = [
        (good, text.format(month=month), tip.format(month=month)) for good, text, tip in map(_notes().__getitem__, said)
    ]
    strengths = tuple(text for good, text, _ in notes if good)
    challenges = tuple(text for good, text, _ in notes if not good)
    per_unit, volume = said[0].split()[0].capitalize(), "modest" if store_type.capacity < FEW_BUYERS else "large"
    return Overview(
        profit_potential=f"{per_unit} profit per unit, {volume} daily volume",
        advantage=strengths[0] if strengths else "Shoppers come all year and few merchants compete for them.",
        strengths=strengths[1:] or strengths,
        challenges=challenges or ("Success draws attention to every detail: run out of stock and sales are lost.",),
        operating_tips=tuple(tip for _, _, tip in notes),
    )


@cache
def _notes() -> dict[str, tuple[str, str, str]]:
    """By name: `yes` for a strength, a sentence, and a tip."""
    return {name: (strength, text, tip) for name, strength, text, tip in rows("overview.csv")}


def _margin(margin: float) -> str:
    return "good margin" if margin >= 0.45 else "fair margin" if margin >= 0.25 else "thin margin"


def _season(seasonality: tuple[float, ...]) -> str:
    mean, peak, low = fmean(seasonality), max(seasonality), min(seasonality)
    if peak - mean < CLEAR_SEASON and mean - low < CLEAR_SEASON:
        return "steady season"
    return "high season" if peak - mean >= mean - low else "low season"


def _parcels(categories: Sequence[Category]) -> str:
    bulky = sum(category.size in ("Large", "XLarge") for category in categories)
    if 2 * bulky > len(categories):
        return "bulky parcels"
    return "mostly compact parcels" if bulky else "compact parcels"


def fresh_notes(seed: int) -> dict[str, str]:
    """The sentence of every category in a fresh world, with as many understated ones as published, drawn."""
    notes = [(category, note, understating) for category, note, understating in rows("return_notes.csv")]
    candidates = [category for category, _, understating in notes if understating]
    understated = stream(seed, "understated returns").sample(candidates, UNDERSTATED)
    return {category: understating if category in understated else note for category, note, understating in notes}
