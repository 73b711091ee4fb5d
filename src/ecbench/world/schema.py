"""The layout of a world's folder: every column and key, how it is read and its rule in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from ecbench.world import values
from ecbench.world.model import Elasticity, Scam, Size, Template

SETTINGS = "world.toml"
CATEGORIES = "categories.csv"
PRODUCTS = "products.csv"
SUPPLIERS = "suppliers.csv"
FILES = (SETTINGS, CATEGORIES, PRODUCTS, SUPPLIERS)

MONTHS = 12
MAX_DAYS = 36_525


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a CSV file or a key of a TOML table."""

    name: str
    read: values.Reader
    rule: str
    unique: bool = False
    refers_to: str = ""  # "store type" or "category": the value names one of them
    optional: bool = False


def _choice(name: str, kind: Any) -> Column:
    names = [choice for choice in get_args(kind) if choice]
    rule = f"one of {', '.join(names)}"
    return Column(name, values.one_of(get_args(kind)), f"empty or {rule}" if "" in get_args(kind) else rule)


def _name(name: str, *, unique: bool = False, refers_to: str = "") -> Column:
    rule = f"a {refers_to} of this world" if refers_to else "one line of text without spaces around it"
    return Column(name, values.label, rule, unique=unique, refers_to=refers_to)


def _ratio(name: str) -> Column:
    return Column(name, values.number_text(0.0, 1.0, open_low=True), "a number above 0 and at most 1")


def _rate(name: str) -> Column:
    return Column(name, values.number_text(0.0, 1.0), "a number from 0 to 1")


def _price(name: str) -> Column:
    return Column(name, values.price_text, "a price above 0 in plain digits")


def _sales(name: str) -> Column:
    return Column(name, values.number_text(0.0), "a number, 0 or more")


COLUMNS: Mapping[str, tuple[Column, ...]] = {
    CATEGORIES: (
        _name("name", unique=True),
        _name("store_type", refers_to="store type"),
        _choice("size", Size),
        _price("price_min"),
        _price("price_max"),
        _sales("sales_min"),
        _sales("sales_max"),
        _rate("return_min"),
        _rate("return_max"),
        Column("return_note", values.prose, "text without control characters"),
        _choice("elasticity", Elasticity),
        Column("eta", values.number_text(0.0, open_low=True), "a number above 0"),
        _ratio("wholesale_ratio"),
        _ratio("floor_ratio"),
        _ratio("scam_cap_ratio"),
    ),
    PRODUCTS: (
        _name("sku", unique=True),
        _name("category", refers_to="category"),
        _name("brand"),
        _name("title"),
        _choice("size", Size),
        _price("reference_price"),
        _rate("return_rate"),
    ),
    SUPPLIERS: (
        _name("id", unique=True),
        _name("name", unique=True),
        Column("email", values.email, "an e-mail address", unique=True),
        _choice("template", Template),
        _choice("scam", Scam),
        _name("category", refers_to="category"),
        Column("order_limit", values.whole_text(1, 999_999_999), "a whole number, 1 or more"),
    ),
}

# In every row the first must not exceed the second.
ORDERED: Mapping[str, tuple[tuple[str, str], ...]] = {
    CATEGORIES: (
        ("price_min", "price_max"),
        ("sales_min", "sales_max"),
        ("return_min", "return_max"),
        ("floor_ratio", "wholesale_ratio"),
    ),
    PRODUCTS: (),
    SUPPLIERS: (),
}

_NAMES = values.several(values.label)
_PROSE = values.several(values.prose)
_ABOVE_ZERO = values.number(0.0, open_low=True)


def _demand(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError
    read = values.number(0.0)
    return {values.label(store_type): read(multiplier) for store_type, multiplier in value.items()}


def _delayed(value: Any) -> frozenset[str] | None:
    return None if value == "all" else frozenset(_NAMES(value))


HEAD: tuple[Column, ...] = (
    Column("name", values.label, "one line of text without spaces around it"),
    Column("seed", values.whole(), "a whole number"),
    Column("start", values.calendar_date, f"a date such as 2026-01-01, {values.FIRST_YEAR} to {values.LAST_YEAR}"),
    Column("days", values.whole(1, MAX_DAYS), f"a whole number from 1 to {MAX_DAYS:,}"),
)

TABLES: Mapping[str, tuple[Column, ...]] = {
    "store_types": (
        Column("id", values.label, "one line of text without spaces around it", unique=True),
        Column("name", values.label, "one line of text without spaces around it", unique=True),
        Column("tier", values.whole(1, 3), "1 (hard), 2 (medium) or 3 (easy)"),
        Column("capacity", _ABOVE_ZERO, "a number above 0"),
        Column("demand_scale", _ABOVE_ZERO, "a number above 0"),
        Column(
            "seasonality",
            values.several(_ABOVE_ZERO, MONTHS),
            "a list of 12 numbers above 0, January to December",
        ),
        Column("categories", _NAMES, "a list of category names"),
        Column("profit_potential", values.prose, "text without control characters", optional=True),
        Column("advantage", values.prose, "text without control characters", optional=True),
        Column("strengths", _PROSE, "a list of texts", optional=True),
        Column("challenges", _PROSE, "a list of texts", optional=True),
        Column("operating_tips", _PROSE, "a list of texts", optional=True),
    ),
    "events": (
        Column("name", values.label, "one line of text without spaces around it"),
        Column("start", values.month_day, 'a day of the year as "MM-DD"'),
        Column("days", values.whole(1, 366), "a whole number from 1 to 366"),
        Column("demand", _demand, "a table of store type = multiplier, each 0 or more"),
        Column("delay", _ABOVE_ZERO, "a number above 0"),
        Column("delayed", _delayed, '"all" or a list of store types'),
        Column("news", values.prose, "text without control characters"),
        Column("cost_increase", values.number(0.0), "a number, 0 or more", optional=True),
    ),
    "promotions": (
        Column("name", values.label, "one line of text without spaces around it", unique=True),
        Column(
            "windows",
            values.windows,
            'a list of ["MM-DD", "MM-DD"], first and last day, with at least one of them',
        ),
        Column("max_demand", _ABOVE_ZERO, "a number above 0"),
        Column("elasticity_boost", _ABOVE_ZERO, "a number above 0"),
    ),
}

# Far above any real world, and small enough to refuse a file of something else at once.
MAX_BYTES: Mapping[str, int] = {
    SETTINGS: 1 << 20,
    CATEGORIES: 16 << 20,
    PRODUCTS: 64 << 20,
    SUPPLIERS: 64 << 20,
}
