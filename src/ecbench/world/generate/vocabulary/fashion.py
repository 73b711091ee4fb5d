"""The Fashion store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Women's Fashion": "Very high returns, because cut, size and color often differ from what the photos promised.",
    "Men's Clothing": "Very high returns, driven by sizes that run small and fabrics that feel different in the hand.",
    "Underwear & Loungewear": "High to very high returns, mostly sizes that do not sit right once tried on.",
    "Fashion Accessories": (
        "High to very high returns, as many pieces are bought on impulse and look different when worn."
    ),
    "Sportswear & Casual": (
        "High to very high returns, since sizes vary from maker to maker and many order two to keep one."
    ),
}

OVERVIEW = Overview(
    profit_potential="Fair to good: wide margins and real volume, with returns taking back a large part",
    advantage="Suppliers leave plenty of room in every category, and the market takes a good number of pieces a day.",
    strengths=(
        "Gross margins are high across the whole wardrobe.",
        "Prices are modest, so a small budget fills a varied shelf.",
        "Late autumn is by far the best season, and a cold spell brings another rush.",
    ),
    challenges=(
        "Returns are among the heaviest of any trade, and clothing for women and men suffers most.",
        "The first weeks of the year and the summer are slow.",
        "Storms, scandals and bad economic news all empty the shop for days.",
    ),
    operating_tips=(
        "Allow for the pieces that will come back before you agree to a quote.",
        "Do not price above the usual level: expensive clothes come back even more often.",
        "Build stock in early autumn for the big season, and keep little of it through the winter lull.",
    ),
)
