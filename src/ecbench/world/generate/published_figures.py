"""The published figures: store types, categories, events and promotions, as the files of the default world give them.

A fresh world deals those that are hidden from merchants to other store types.
"""

from ecbench.world.generate.word_files import rows
from ecbench.world.schema import CATEGORIES as CATEGORIES_FILE
from ecbench.world.schema import SETTINGS, SHIPPED
from ecbench.world.world_folder import read_world_folder

_PUBLISHED = read_world_folder(SHIPPED / "default", (SETTINGS, CATEGORIES_FILE))

STORE_TYPES = _PUBLISHED.store_types
ALL_CATEGORIES = _PUBLISHED.categories
CATEGORIES = {s.id: tuple(_PUBLISHED.category_by_name[name] for name in s.categories) for s in STORE_TYPES}
EVENTS = _PUBLISHED.events
PROMOTIONS = _PUBLISHED.promotions

# What `store_worth.worth` and `store_worth.plain_worth` find for each store type of the default world, in yuan a day.
WORTH, PLAIN_WORTH = (
    {store_type: int(figures[index]) for store_type, *figures in rows("published_worth.csv")} for index in (0, 1)
)


def wholesale_ratio(floor_ratio: float) -> float:
    """Suppliers open midway between their floor and the reference price."""
    return round(0.5 + 0.5 * floor_ratio, 2)
