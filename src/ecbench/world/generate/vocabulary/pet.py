"""The Pet Supplies store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Pet Supplies": ("Very low returns; pet owners know their animal's size and taste and seldom send anything back."),
}

OVERVIEW = Overview(
    profit_potential="Good: a steady trade with high margins and hardly any returns",
    advantage="Owners buy for their animals in every month of the year and almost never send goods back.",
    strengths=(
        "Returns are very low, so revenue that settles stays yours.",
        "Margins are high and parcels are small.",
        "Demand hardly changes with the season.",
    ),
    challenges=(
        "There is a single category, so the store cannot spread its risk.",
        "Prices are modest, and buyers notice when they stray far from reference.",
    ),
    operating_tips=(
        "Keep a regular reorder rhythm, for demand is easy to foresee.",
        "Price at reference and earn the margin in bargaining with suppliers.",
        "Offer several products at once, since one product alone cannot fill the store's demand.",
    ),
)
