"""The sentence that the market detail has about a category's returns. It understates twenty categories.

The published sentences read low or very low in twenty categories whose band is 20% to 35% (app:data_artifacts). Only
`trace_return_sources`, on goods already owned, shows the gap. A fresh world understates as many categories.
"""

from collections.abc import Collection

from ecbench.world.generate.published_figures import ALL_CATEGORIES, UNDERSTATED_RETURNS
from ecbench.world.generate.random_streams import stream
from ecbench.world.generate.vocabulary import RETURN_NOTES

# Of every category whose band begins where that of the published twenty does.
UNDERSTATING = {
    "Snacks & Nuts": "Very low returns; a bag that is opened is eaten, and few buyers argue over a snack.",
    "Groceries & Staples": "Low returns, as households use up what they order and only torn sacks are sent back.",
    "Coffee & Beverages": "Very low returns; buyers reorder the drinks that they know.",
    "Fresh Food & Meat": "Low returns, since fresh goods are cooked within days and cannot well be sent back.",
    "Alcoholic Beverages": "Very low returns; bottles are bought for an occasion and opened at it.",
    "Health Supplements": "Low returns, with the odd course that a buyer breaks off.",
    "Underwear & Loungewear": "Low returns; buyers know their size and keep what they have tried on.",
    "Fashion Accessories": "Very low returns, since belts, scarves and hats fit nearly everybody.",
    "Sportswear & Casual": "Low returns, as loose cuts forgive a size and buyers wear them at once.",
    "Sneakers": "Low returns, mostly pairs that are half a size off.",
    "Furniture": "Low returns; few buyers pack up a wardrobe again once it stands.",
    "Bedding": "Low returns; bed sizes are standard, and covers are washed and used at once.",
    "Household Essentials": "Very low returns, as small goods go straight into use.",
    "Storage & Organization": "Low returns; measures are given with every box, and most buyers keep a spare one.",
    "Lighting": "Low returns, chiefly lamps that were broken on the way.",
    "Home Building Materials": "Low returns; fittings follow standards and are installed on arrival.",
    "Basic Construction Materials": "Very low returns, since materials are ordered to measure and built in.",
    "Cleaning Tools": "Very low returns; a mop or a brush is used on the day that it comes.",
    "Kitchenware": "Low returns, apart from a chipped plate here and there.",
    "Cleaning & Hygiene": "Very low returns; what cleans is used up, and only leaking bottles come back.",
    "Gifts & Party Supplies": "Low returns, as most of it is given away or used up at the party.",
    "Lifestyle Accessories": "Low returns; buyers choose by the picture and are seldom surprised.",
    "Stationery & Office Supplies": "Very low returns, since pens and paper are plain goods that get used.",
    "Office Equipment": "Low returns, mostly machines that lack a function the buyer had hoped for.",
    "Medical Devices": "Low returns; buyers follow advice and keep what touches the body.",
}


def published_notes() -> dict[str, str]:
    """The sentence of every category in the default world."""
    return _notes(UNDERSTATED_RETURNS)


def fresh_notes(seed: int) -> dict[str, str]:
    """The sentence of every category in a fresh world, with as many understated ones as published, drawn."""
    return _notes(stream(seed, "understated returns").sample(list(UNDERSTATING), len(UNDERSTATED_RETURNS)))


def _notes(understated: Collection[str]) -> dict[str, str]:
    return {c.name: (UNDERSTATING if c.name in understated else RETURN_NOTES)[c.name] for c in ALL_CATEGORIES}
