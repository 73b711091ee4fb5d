"""The Home & Living store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Furniture": "High returns; many pieces turn out wrong for the room in color or size.",
    "Bedding": "High returns, because feel, thickness and color are hard to judge from a listing.",
    "Household Essentials": "High returns; cheap goods that feel flimsy or do not fit are readily sent back.",
    "Storage & Organization": "High returns, mostly boxes and racks that do not fit the space they were bought for.",
    "Lighting": "High returns; brightness, color tone and broken shades are the common complaints.",
    "Home Building Materials": "High returns, as fittings turn out not to match the pipes, doors or walls at home.",
    "Basic Construction Materials": "High returns; wrong gauges and left-over packs come back once the job is done.",
    "Cleaning Tools": "High returns, since tools that bend, shed or scratch are quickly given up.",
    "Kitchenware": "High returns; chips and cracks in transit and disappointing coatings are the main causes.",
}

OVERVIEW = Overview(
    profit_potential="Thin: a vast market with narrow margins",
    advantage="Demand is deep enough that a store rarely runs out of buyers for a well-priced shelf.",
    strengths=(
        "The market absorbs far more units than most store types do.",
        "Many categories give plenty of room to spread a range.",
        "Demand is even through the year, with lifts at midyear and in November.",
    ),
    challenges=(
        "Suppliers hold their prices high, so little is left between cost and retail.",
        "Furniture is often sent back.",
        "Bulky furniture, bedding and building goods add freight and storage to a high daily cost.",
    ),
    operating_tips=(
        "Negotiate hard on every order, because a small saving is a large part of the profit here.",
        "Prefer compact goods from the busy categories over bulky ones that wait in the warehouse.",
        "Stock up before cold spells, which lift demand, and expect delays when materials run short.",
    ),
)
