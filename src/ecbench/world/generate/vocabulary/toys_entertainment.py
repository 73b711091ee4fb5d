"""The Toys & Entertainment store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Collectibles & Figures": "Very low returns; collectors know the piece they are after and keep it.",
    "Gaming & Accessories": "Low returns, mostly controllers and headsets that do not suit a player's setup.",
}

OVERVIEW = Overview(
    profit_potential="Strong: rich margins, light parcels and few returns on a limited volume",
    advantage="Small goods with a wide margin that are cheap to ship, cheap to store and rarely sent back.",
    strengths=(
        "Gross margins are high in both categories and reward bargaining.",
        "Daily operating cost is among the lowest on the platform.",
        "No month is weak, and the weeks from late autumn to the new year are excellent.",
    ),
    challenges=(
        "Only a limited number of units sells in a day, so the shelf has to be chosen well.",
        "With two categories there is little to fall back on when one of them slows.",
        "An outbreak of illness dampens the appetite for play, and a factory accident can hold up deliveries.",
    ),
    operating_tips=(
        "Prefer the higher-priced pieces, since the market limits units rather than money.",
        "Order well ahead of late autumn, when demand rises more than in any other season.",
        "Keep gaming goods near their reference price, where their buyers expect them.",
    ),
)
