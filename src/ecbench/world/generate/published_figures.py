"""The published figures: store types, categories, events and promotions, as the files of the default world give them.

The default world uses them as they are; a fresh world deals those that are hidden from merchants to other trades.
"""

from ecbench.world.schema import CATEGORIES as CATEGORIES_FILE
from ecbench.world.schema import SETTINGS, SHIPPED
from ecbench.world.world_folder import read_world_folder

_PUBLISHED = read_world_folder(SHIPPED / "default", (SETTINGS, CATEGORIES_FILE))

STORE_TYPES = _PUBLISHED.store_types
ALL_CATEGORIES = _PUBLISHED.categories
CATEGORIES = {s.id: tuple(_PUBLISHED.category_by_name[name] for name in s.categories) for s in STORE_TYPES}
EVENTS = _PUBLISHED.events
PROMOTIONS = _PUBLISHED.promotions

# What `store_worth.worth` finds for each store type of the default world, in yuan a day.
WORTH = {
    "appliance_digital": 35_141,
    "fashion": 10_117,
    "shoes_bags": 9_640,
    "food_beverage": 13_116,
    "beauty": 32_446,
    "sports_outdoor": 8_456,
    "mother_baby": 5_888,
    "home_living": 157_299,
    "daily_office": 58_396,
    "pet": 6_518,
    "auto_hardware": 92_214,
    "toys_entertainment": 11_470,
}

# What `store_worth.plain_worth` finds there.
PLAIN_WORTH = {
    "appliance_digital": 4_940,
    "fashion": 4_096,
    "shoes_bags": 1_406,
    "food_beverage": 2_838,
    "beauty": 3_132,
    "sports_outdoor": 2_344,
    "mother_baby": 2_604,
    "home_living": 20_139,
    "daily_office": 7_332,
    "pet": 602,
    "auto_hardware": 3_101,
    "toys_entertainment": 1_386,
}

# Twenty categories bring more returns than their notes say (tab:categories); the paper gives their share of all goods.
UNDERSTATED_RETURNS = frozenset(
    category.name
    for category in ALL_CATEGORIES
    if category.store_type in ("food_beverage", "home_living", "daily_office") and category.name != "Furniture"
)
UNDERSTATED_SHARE = 0.255
MEDIAN_PRICE = 134.4  # of the goods in the release's sample


def wholesale_ratio(floor_ratio: float) -> float:
    """Suppliers open midway between their floor and the reference price."""
    return round(0.5 + 0.5 * floor_ratio, 2)
