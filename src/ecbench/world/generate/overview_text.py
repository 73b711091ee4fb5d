"""What a market says in words: the overview of a store type, which is true of its figures, and each category's returns.

The published sentences read low or very low in twenty categories whose band is 20% to 35% (app:data_artifacts). Only
`trace_return_sources`, on goods already owned, shows the gap. A fresh world understates as many categories.
"""

from collections.abc import Sequence
from statistics import fmean

from ecbench.formatting import MONTHS
from ecbench.rules import Rules
from ecbench.world.generate.random_streams import stream
from ecbench.world.generate.store_worth import halfway_price, listings_to_fill
from ecbench.world.generate.word_files import rows
from ecbench.world.model import Category, Overview, StoreType

CLEAR_SEASON = 0.15  # a month this far from the year's mean stands out
FEW_BUYERS = 100.0  # units a day
FEW_LISTINGS = 30  # that fill a store
UNDERSTATED = 20  # categories that bring more returns than their notes say (tab:categories)


def describe(store_type: StoreType, categories: Sequence[Category], rules: Rules) -> Overview:
    margin = 1 - fmean(halfway_price(category) for category in categories)
    notes = (
        _on_margin(margin),
        _on_volume(listings_to_fill(store_type, categories, rules)),
        _on_season(store_type.seasonality),
        _on_parcels(categories),
    )
    strengths = tuple(text for good, text, _ in notes if good)
    challenges = tuple(text for good, text, _ in notes if not good)
    return Overview(
        profit_potential=_potential(margin, store_type.capacity),
        advantage=strengths[0] if strengths else "Shoppers come all year and few merchants compete for them.",
        strengths=strengths[1:] or strengths,
        challenges=challenges or ("Success draws attention to every detail: run out of stock and sales are lost.",),
        operating_tips=tuple(tip for _, _, tip in notes),
    )


def _potential(margin: float, capacity: float) -> str:
    per_unit = "Good" if margin >= 0.45 else "Fair" if margin >= 0.25 else "Thin"
    return f"{per_unit} profit per unit, {'modest' if capacity < FEW_BUYERS else 'large'} daily volume"


def _on_margin(margin: float) -> tuple[bool, str, str]:
    if margin >= 0.45:
        return (
            True,
            "Suppliers sell far below what shoppers pay, which leaves room for mistakes.",
            "Keep negotiating: every step below the opening quote stays with the store.",
        )
    if margin >= 0.25:
        return (
            True,
            "A patient buyer can earn a fair margin on most goods.",
            "Compare several suppliers before the first large order.",
        )
    return (
        False,
        "Supplier prices sit close to retail, so a poor deal sells at a loss.",
        "Never accept an opening quote; only prices near a supplier's limit pay.",
    )


def _on_volume(listings: float) -> tuple[bool, str, str]:
    if listings < FEW_LISTINGS:
        return (
            False,
            "A few goods are all that the circle of buyers takes up, and a wide shelf soon competes with itself.",
            "List a few goods that earn most per sale rather than many that earn little.",
        )
    return (
        True,
        "The circle of buyers can absorb many listings at once.",
        "Widen the range step by step while sales still grow with it.",
    )


def _on_season(seasonality: tuple[float, ...]) -> tuple[bool, str, str]:
    mean, peak, low = fmean(seasonality), max(seasonality), min(seasonality)
    best, worst = MONTHS[seasonality.index(peak)], MONTHS[seasonality.index(low)]
    if peak - mean < CLEAR_SEASON and mean - low < CLEAR_SEASON:
        return True, "Demand is steady through the year.", "Restock in even, regular orders."
    if peak - mean >= mean - low:
        return (
            True,
            f"Demand has a clear high point in {best}.",
            f"Order early enough to have stock in the warehouse before {best}.",
        )
    return (
        False,
        f"Demand sags clearly in {worst}.",
        f"Let stock run down before {worst} so that it does not age in the warehouse.",
    )


def _on_parcels(categories: Sequence[Category]) -> tuple[bool, str, str]:
    bulky = sum(category.size in ("Large", "XLarge") for category in categories)
    if 2 * bulky > len(categories):
        return False, "Bulky parcels make storage and freight expensive.", "Buy bulky goods in small, frequent lots."
    if bulky == 0:
        return True, "Parcels are compact and cheap to store and send.", "Fast shipping costs little here."
    return True, "Most parcels are compact and cheap to store and send.", "Mind storage on the bulky goods."


def fresh_notes(seed: int) -> dict[str, str]:
    """The sentence of every category in a fresh world, with as many understated ones as published, drawn.

    Only a category whose band begins where that of the published twenty does has an understating sentence.
    """
    notes = [(category, note, understating) for category, note, understating in rows("return_notes.csv")]
    candidates = [category for category, _, understating in notes if understating]
    understated = stream(seed, "understated returns").sample(candidates, UNDERSTATED)
    return {category: understating if category in understated else note for category, note, understating in notes}
