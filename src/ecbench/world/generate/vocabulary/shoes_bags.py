"""The Shoes & Bags store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Women's Shoes": "Very high returns, nearly always a matter of fit, heel height or width.",
    "Men's Shoes": "Moderate returns, chiefly pairs that are too narrow or half a size off.",
    "Sneakers": "High to very high returns, because sizing differs between makers and models.",
    "Bags & Luggage": "Very low returns; measurements are plain from the listing and no size has to fit.",
}

OVERVIEW = Overview(
    profit_potential="Fair: four quite different trades under one roof, so the choice of goods decides",
    advantage="Bags and luggage sell at good prices and almost never come back.",
    strengths=(
        "Shoes for women and men leave a wide gross margin.",
        "Bags reach the highest prices of the store and stay sold.",
        "Spring, midyear and above all late autumn bring more buyers.",
    ),
    challenges=(
        "Sneakers leave only a thin margin and still come back often.",
        "Shoes for women have some of the heaviest returns on the platform.",
        "A typhoon or gloomy economic news cuts demand sharply, and late winter is slow.",
    ),
    operating_tips=(
        "Build the store on bags and on shoes for men, and add the rest with care.",
        "Take sneakers only at a quote close to the bottom, and never chase them with discounts.",
        "Watch the warehouse: bags take room, so reorder them in measured lots.",
    ),
)
