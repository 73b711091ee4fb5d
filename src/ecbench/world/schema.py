"""The layout of a world's folder: its files, and the columns and keys that each kind of row has.

What a value must be stands with its type in `model.py` and `fields.py`. Reading, saving and importing a world and its
reference page follow from these declarations.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from ecbench.world.fields import rule_of
from ecbench.world.model import Category, Event, Overview, Product, Promotion, StoreType, Supplier, WorldSettings

SETTINGS = "world.toml"
CATEGORIES = "categories.csv"
PRODUCTS = "products.csv"
SUPPLIERS = "suppliers.csv"
FILES = (SETTINGS, CATEGORIES, PRODUCTS, SUPPLIERS)
SHIPPED = Path(__file__).parent / "data"  # the folders of the worlds that the package contains

# The kinds of rows in the tables of world.toml and in the sheets beside it.
TABLES: Mapping[str, type] = {"store_types": StoreType, "events": Event, "promotions": Promotion}
SHEETS: Mapping[str, type] = {CATEGORIES: Category, PRODUCTS: Product, SUPPLIERS: Supplier}
KINDS: Mapping[str, type] = {SETTINGS: WorldSettings, **TABLES, **SHEETS}
MOST_TABLES: Mapping[str, int] = {"store_types": 1_000, "events": 100, "promotions": 100}

# Columns in which no value may come twice.
UNIQUE: Mapping[str, tuple[str, ...]] = {
    "store_types": ("id", "name"),
    "promotions": ("name",),
    CATEGORIES: ("name",),
    PRODUCTS: ("sku",),
    SUPPLIERS: ("id", "name", "email"),
}
_NOT_WRITTEN = ("price_range", "cost_increase")


class Column(NamedTuple):
    """A column of a CSV file or a key of a TOML table."""

    name: str
    type: Any
    optional: bool

    @property
    def rule(self) -> str:
        """What a value must be, in words."""
        return rule_of(self.type)


def _columns(kind: type) -> Iterator[Column]:
    """What the market overview says of a store type is among the keys of the store type."""
    types = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        if types[field.name] is Overview:
            yield from _columns(Overview)
        elif field.name not in _NOT_WRITTEN:
            yield Column(field.name, types[field.name], field.default is not MISSING)


COLUMNS: Mapping[str, tuple[Column, ...]] = {name: tuple(_columns(kind)) for name, kind in KINDS.items()}
"""Of the settings above the first table of world.toml, of its tables, and of the sheets."""
