"""The Beauty store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Skincare & Beauty": (
        "Moderate returns, mostly shades that look different in person and the odd reaction of sensitive skin."
    ),
    "Beauty Devices": ("Low returns; most go back because a device felt weaker on the skin than its buyer hoped."),
    "Personal Care & Massage": (
        "Very low returns; buyers know what they want and keep grooming and massage goods once unpacked."
    ),
}

OVERVIEW = Overview(
    profit_potential="Good: rich margins on a modest daily volume",
    advantage="Goods sell well above what they cost, and the store itself is cheap to keep open.",
    strengths=(
        "Gross margins are high in every category, so each sale counts.",
        "Daily operating cost is among the lowest on the platform.",
        "Demand is even all year and lifts in spring, at midyear and in late autumn.",
    ),
    challenges=(
        "Only a limited number of units sells in a day, so large stocks sit and cost storage.",
        "Skincare comes back more often than devices and personal care do.",
        "A scandal around a beauty product can cool the whole market for days.",
    ),
    operating_tips=(
        "Stock few but higher-priced goods, since unit count and not price is what the market limits.",
        "Lean on personal care and massage when you want sales that stay sold.",
        "Have stock in the warehouse before the spring, midyear and autumn sales open.",
    ),
)
