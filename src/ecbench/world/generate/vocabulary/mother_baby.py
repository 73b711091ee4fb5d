"""The Mother & Baby store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Children's Clothing": "Low returns; parents buy a size up and keep what a child will grow into.",
    "Children's Shoes": "Low returns, with the occasional pair sent back for size.",
    "Baby Products": "Very low returns; careful parents choose slowly and keep what they choose.",
    "Maternity Products": "Low returns, mainly garments and supports that did not fit as hoped.",
    "Toys & Educational": "Moderate returns; some toys prove wrong for a child's age or lack a part.",
}

OVERVIEW = Overview(
    profit_potential="Solid: fair margins that mostly stay earned",
    advantage="Parents buy with care and seldom send things back, so a sale usually remains a sale.",
    strengths=(
        "Baby products combine lively demand with very few returns.",
        "Suppliers leave a comfortable gap below retail prices once negotiated.",
        "Demand is steady all year and rises gently in early summer and in November.",
    ),
    challenges=(
        "The market takes only a limited number of units a day, so a broad range competes with itself.",
        "Toys are bulky to ship and store and come back more often than the rest.",
        "Maternity goods find few buyers.",
    ),
    operating_tips=(
        "Build the range around baby products and the higher-priced toys rather than many cheap garments.",
        "Keep few listings in each category, so that they do not take sales from one another.",
        "Stock up for children's season in early summer and for the autumn sales.",
    ),
)
