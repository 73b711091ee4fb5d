"""The Daily & Office store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Cleaning & Hygiene": (
        "High returns for the price; leaking bottles, crushed packs and scents that disappoint all come back."
    ),
    "Gifts & Party Supplies": (
        "High returns, because what misses the day or the color of the party goes straight back."
    ),
    "Lifestyle Accessories": (
        "High returns, since style, fit on the face or wrist and color seldom match the picture for everyone."
    ),
    "Stationery & Office Supplies": (
        "High returns; paper, ink and color often differ from what the listing led buyers to expect."
    ),
    "Office Equipment": ("High returns; machines that jam, crowd the desk or lack a needed function are sent back."),
    "Medical Devices": (
        "High returns; many buyers send back supports that do not fit and meters they find hard to read or use."
    ),
}

OVERVIEW = Overview(
    profit_potential="Fair: everyday volume at a moderate margin",
    advantage="Cheap, light goods that households and offices buy every week sell in large numbers.",
    strengths=(
        "The market takes many units a day, all year round.",
        "Most parcels are small, so freight and storage stay cheap.",
        "Illness, storms and lean times raise demand instead of cutting it.",
    ),
    challenges=(
        "Low prices and the highest daily operating cost mean that a quiet store loses money.",
        "Deliveries slow down just when an outbreak makes the shelves run empty.",
    ),
    operating_tips=(
        "Bargain over every order: the margin is moderate to begin with.",
        "Stock many products across categories, for volume pays the daily cost.",
        "Fill the warehouse before the school term starts in early autumn.",
    ),
)
