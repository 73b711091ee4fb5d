"""The return notes and market overviews, gathered from the store types' modules."""

from ecbench.world.generate.vocabulary import (
    appliance_digital,
    auto_hardware,
    beauty,
    daily_office,
    fashion,
    food_beverage,
    home_living,
    mother_baby,
    pet,
    shoes_bags,
    sports_outdoor,
    toys_entertainment,
)
from ecbench.world.model import Overview

_TRADES = {
    "appliance_digital": appliance_digital,
    "fashion": fashion,
    "shoes_bags": shoes_bags,
    "food_beverage": food_beverage,
    "beauty": beauty,
    "sports_outdoor": sports_outdoor,
    "mother_baby": mother_baby,
    "home_living": home_living,
    "daily_office": daily_office,
    "pet": pet,
    "auto_hardware": auto_hardware,
    "toys_entertainment": toys_entertainment,
}

RETURN_NOTES: dict[str, str] = {
    category: note for trade in _TRADES.values() for category, note in trade.RETURN_NOTES.items()
}

OVERVIEWS: dict[str, Overview] = {store_type: trade.OVERVIEW for store_type, trade in _TRADES.items()}
