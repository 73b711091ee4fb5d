"""The Sports & Outdoor store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Sports & Fitness": (
        "Low returns, chiefly goods of a weight or resistance that did not suit the buyer's training."
    ),
    "Sports Bags & Accessories": (
        "Moderate returns; capacity, strap length and protective sizes are hard to judge from pictures."
    ),
    "Outdoor & Camping": ("Very low returns; campers plan ahead and keep gear that has been out in the field."),
}

OVERVIEW = Overview(
    profit_potential="Strong: the widest gross margins of any trade, on a moderate volume",
    advantage="Suppliers leave a great deal of room between opening quotes and what they will accept.",
    strengths=(
        "Gross margins are high in every category and reward patient bargaining.",
        "Daily operating cost is among the lowest on the platform.",
        "Camping and fitness goods rarely come back.",
    ),
    challenges=(
        "Demand is slow in the winter months and follows the weather.",
        "Bulky goods make freight and storage costly when stock sits.",
        "Storms, heatwaves, cold spells and illness all keep buyers indoors for days.",
    ),
    operating_tips=(
        "Build stock in spring and run it down before the year ends.",
        "Reorder little and often, so that large parcels do not age in the warehouse.",
        "Bags come back more than the rest, so keep their prices close to reference.",
    ),
)
