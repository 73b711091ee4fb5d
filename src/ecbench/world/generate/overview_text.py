"""What a market says in words: the overview of a store type, which is true of its figures, and each category's returns.

The published sentences read low or very low in twenty categories whose band is 20% to 35% (app:data_artifacts). Only
`trace_return_sources`, on goods already owned, shows the gap. A fresh world understates as many categories.
"""

from collections.abc import Sequence
from functools import cache
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
    """The sentence of every category in a fresh world, with as many understated ones as published, drawn.

    Only a category whose band begins where that of the published twenty does has an understating sentence.
    """
    notes = [(category, note, understating) for category, note, understating in rows("return_notes.csv")]
    candidates = [category for category, _, understating in notes if understating]
    understated = stream(seed, "understated returns").sample(candidates, UNDERSTATED)
    return {category: understating if category in understated else note for category, note, understating in notes}
