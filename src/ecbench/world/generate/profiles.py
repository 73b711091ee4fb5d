"""What makes a store type pay, apart from what it sells: the published profiles, and dealing them out anew.

Each profile is dealt at random to a store type of the same tier. So every tier has the published profiles in every
world, and a merchant must find out which trade has which.
"""

from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate.published_figures import CATEGORIES, PLAIN_WORTH, STORE_TYPES, WORTH
from ecbench.world.generate.random_streams import stream
from ecbench.world.generate.store_worth import listings_to_fill
from ecbench.world.model import Category, Elasticity, StoreType


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
        traits=tuple(_published_trait(category, floor) for category in categories),
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


def _published_trait(category: Category, floor: float) -> Trait:
    return Trait(
        elasticity=category.elasticity,
        eta=category.eta,
        floor_step=category.floor_ratio - floor,
        cap_step=category.scam_cap_ratio - category.floor_ratio,
    )
