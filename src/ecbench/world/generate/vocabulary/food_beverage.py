"""The Food & Beverage store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Snacks & Nuts": "High returns; crushed bags, stale batches and disappointing flavors are common.",
    "Groceries & Staples": "High returns, driven by leaking bottles, torn sacks and dates that are too short.",
    "Coffee & Beverages": "High returns; taste is personal, and cartons and bottles suffer on the way.",
    "Fresh Food & Meat": "High returns, since anything that thaws, bruises or wilts on the road is refunded.",
    "Alcoholic Beverages": "High returns; broken or leaking bottles and doubts about origin are the usual reasons.",
    "Health Supplements": "High returns, as buyers change their minds about a course or dislike its taste.",
}

OVERVIEW = Overview(
    profit_potential="Modest: brisk unit sales on small margins",
    advantage="Everyday goods move in volume, and the market has room for a wide shelf.",
    strengths=(
        "Buyers come all year, with the strongest months around the turn of the year and the lunar holiday.",
        "Storms, heat and typhoon warnings tend to send shoppers to the pantry.",
        "Most parcels are small, so freight and storage per unit stay cheap.",
    ),
    challenges=(
        "Unit profits are thin, so a poor purchase price soon shows.",
        "Daily operating cost is among the highest on the platform.",
        "Late autumn is quiet, unlike in most other store types.",
    ),
    operating_tips=(
        "Lean toward the higher-priced goods in alcohol and supplements, where each sale carries more money.",
        "Build stock ahead of the winter holidays and let it run down before November.",
        "Sell in volume: one unit earns little against the daily cost.",
    ),
)
