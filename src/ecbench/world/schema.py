"""The layout of a world's folder: every column and key, how it is read and written, and its rule in words.

Reading, checking, saving and importing a world and its reference page follow from these declarations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from ecbench.ranges import DAYS, Range
from ecbench.world import parsers
from ecbench.world.model import Elasticity, MonthDay, Size
from ecbench.world.supplier_kinds import Scam, Template

SETTINGS = "world.toml"
CATEGORIES = "categories.csv"
PRODUCTS = "products.csv"
SUPPLIERS = "suppliers.csv"
FILES = (SETTINGS, CATEGORIES, PRODUCTS, SUPPLIERS)
SHIPPED = Path(__file__).parent / "data"  # the folders of the worlds that the package contains

MONTHS = 12
RELEASE = "release"  # the origin of an imported world
ONE_LINE = "one line of text without spaces around it or hidden characters in it"

# Published worlds keep to a small part of each; see `ranges.py` for what decides the ends.
SEED = Range(0, 2**63 - 1, whole=True)  # up to the largest whole number that every reader of TOML takes
CAPACITY = Range(0.01, 100_000)  # units a day
DEMAND_SCALE = Range(0, 1_000, above=True)
SEASON = Range(0, 100, above=True)
EVENT_DAYS = Range(1, 366, whole=True)
EVENT_DEMAND = Range(0, 20)
DELAY = Range(0, 100, above=True)
PROMOTION_DEMAND = Range(0, 100, above=True)
BOOST = Range(0, 3, above=True)
YUAN = Range(0.01, 10_000_000)
MONTHLY_SALES = Range(0, 1_000_000)
SHARE = Range(0, 1)
RATIO = Range(0, 1, above=True)
ETA = Range(0, 10, above=True)
ORDERS = Range(1, 999_999_999, whole=True)
MOST_TABLES: Mapping[str, int] = {"store_types": 1_000, "events": 100, "promotions": 100}
MOST_WINDOWS = 24


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a CSV file or a key of a TOML table."""

    name: str
    read: parsers.Reader
    rule: str
    unique: bool = False
    refers_to: str = ""  # "store type" or "category": the value names one of them
    optional: bool = False
    write: Callable[[Any], object] = lambda value: value  # as TOML has it


def _choice(name: str, kind: Any) -> Column:
    names = [choice for choice in get_args(kind) if choice]
    rule = f"one of {', '.join(names)}"
    return Column(name, parsers.one_of(get_args(kind)), f"empty or {rule}" if "" in get_args(kind) else rule)


def _name(name: str, *, unique: bool = False, refers_to: str = "") -> Column:
    rule = f"a {refers_to} of this world" if refers_to else ONE_LINE
    return Column(name, parsers.label, rule, unique=unique, refers_to=refers_to)


def _cell(name: str, range_: Range) -> Column:
    """A number in a CSV file."""
    return Column(name, parsers.cell(range_), str(range_))


def _price(name: str) -> Column:
    """A price is written as tools show it, so without a sign or an exponent."""
    return Column(name, parsers.cell(YUAN, parsers.PRICE), f"a price {YUAN.bounds} in plain digits")


def _figure(name: str, range_: Range) -> Column:
    """A number in a TOML table."""
    return Column(name, parsers.number(range_), str(range_))


COLUMNS: Mapping[str, tuple[Column, ...]] = {
    CATEGORIES: (
        _name("name", unique=True),
        _name("store_type", refers_to="store type"),
        _choice("size", Size),
        _price("price_min"),
        _price("price_max"),
        _cell("sales_min", MONTHLY_SALES),
        _cell("sales_max", MONTHLY_SALES),
        _cell("return_min", SHARE),
        _cell("return_max", SHARE),
        Column("return_note", parsers.prose, "text without hidden characters"),
        _choice("elasticity", Elasticity),
        _cell("eta", ETA),
        _cell("wholesale_ratio", RATIO),
        _cell("floor_ratio", RATIO),
        _cell("scam_cap_ratio", RATIO),
    ),
    PRODUCTS: (
        Column(
            "sku",
            parsers.matching(parsers.SKU),
            "1 to 40 lower-case letters, digits, dots, dashes and underscores",
            unique=True,
        ),
        _name("category", refers_to="category"),
        _name("brand"),
        _name("title"),
        _choice("size", Size),
        _price("reference_price"),
        _cell("return_rate", SHARE),
    ),
    SUPPLIERS: (
        _name("id", unique=True),
        _name("name", unique=True),
        Column(
            "email",
            parsers.matching(parsers.EMAIL),
            "an e-mail address in plain letters, without spaces or commas",
            unique=True,
        ),
        _choice("template", Template),
        _choice("scam", Scam),
        _name("category", refers_to="category"),
        _cell("order_limit", ORDERS),
    ),
}

# What a column may refer to, and the column that names it.
REFERRED_TO: Mapping[str, tuple[str, str]] = {"store_types": ("store type", "id"), CATEGORIES: ("category", "name")}

# In every row of a category the first must not exceed the second.
ORDERED = (
    ("price_min", "price_max"),
    ("sales_min", "sales_max"),
    ("return_min", "return_max"),
    ("floor_ratio", "wholesale_ratio"),
)

_NAMES = parsers.several(parsers.label)
_PROSE = parsers.several(parsers.prose)


def _demand(value: Any) -> Mapping[str, float]:
    if not isinstance(value, dict):
        raise ValueError
    read = parsers.number(EVENT_DEMAND)
    return MappingProxyType({parsers.label(store_type): read(factor) for store_type, factor in value.items()})


def _delayed(value: Any) -> frozenset[str] | None:
    return None if value == "all" else frozenset(_NAMES(value))


def _written_delayed(store_types: frozenset[str] | None) -> object:
    return "all" if store_types is None else sorted(store_types)


def _written_windows(windows: tuple[tuple[MonthDay, MonthDay], ...]) -> object:
    return [[parsers.written_month_day(day) for day in window] for window in windows]


def _origin(value: Any) -> str:
    if value != RELEASE:
        raise ValueError
    return RELEASE


HEAD: tuple[Column, ...] = (
    Column("name", parsers.label, ONE_LINE),
    _figure("seed", SEED),
    Column(
        "start",
        parsers.calendar_date,
        f"a date such as 2026-01-01, {parsers.FIRST_YEAR} to {parsers.LAST_YEAR}",
        write=date.isoformat,
    ),
    _figure("days", DAYS),
    Column("salt", parsers.matching(parsers.SALT), "16 to 128 digits of 0-9 and a-f", optional=True),
    Column("origin", _origin, f"{RELEASE}, which `ecbench world import` writes", optional=True),
)

TABLES: Mapping[str, tuple[Column, ...]] = {
    "store_types": (
        Column("id", parsers.label, ONE_LINE, unique=True),
        Column("name", parsers.label, ONE_LINE, unique=True),
        Column("tier", parsers.number(Range(1, 3, whole=True)), "1 (hard), 2 (medium) or 3 (easy)"),
        _figure("capacity", CAPACITY),
        _figure("demand_scale", DEMAND_SCALE),
        Column(
            "seasonality",
            parsers.several(parsers.number(SEASON), MONTHS, MONTHS),
            f"a list of {MONTHS} numbers, January to December, each {SEASON.bounds}",
        ),
        Column("categories", parsers.several(parsers.label, 1), "a list of category names, with at least one of them"),
        Column("profit_potential", parsers.prose, "text without hidden characters", optional=True),
        Column("advantage", parsers.prose, "text without hidden characters", optional=True),
        Column("strengths", _PROSE, "a list of texts", optional=True),
        Column("challenges", _PROSE, "a list of texts", optional=True),
        Column("operating_tips", _PROSE, "a list of texts", optional=True),
    ),
    "events": (
        Column("name", parsers.label, ONE_LINE),
        Column("start", parsers.month_day, 'a day of the year as "MM-DD"', write=parsers.written_month_day),
        _figure("days", EVENT_DAYS),
        Column("demand", _demand, f"a table of store type = multiplier, each {EVENT_DEMAND.bounds}"),
        _figure("delay", DELAY),
        Column("delayed", _delayed, '"all" or a list of store types', write=_written_delayed),
        Column("news", parsers.prose, "text without hidden characters"),
    ),
    "promotions": (
        Column(
            "name",
            parsers.announced_label,
            f"{ONE_LINE}, of {parsers.LONGEST_ANNOUNCED} characters at most",
            unique=True,
        ),
        Column(
            "windows",
            parsers.several(parsers.several(parsers.month_day, 2, 2), 1, MOST_WINDOWS),
            f'a list of ["MM-DD", "MM-DD"], first and last day, 1 to {MOST_WINDOWS} of them',
            write=_written_windows,
        ),
        _figure("max_demand", PROMOTION_DEMAND),
        _figure("elasticity_boost", BOOST),
    ),
}

# Keys of the published files that would promise something no rule keeps.
UNREAD: Mapping[str, str] = {"cost_increase": "no rule of the economy reads a cost increase; leave it out"}

# Far above any real world, and small enough to refuse a file of something else at once.
MAX_BYTES: Mapping[str, int] = {
    SETTINGS: 1 << 20,
    CATEGORIES: 16 << 20,
    PRODUCTS: 64 << 20,
    SUPPLIERS: 64 << 20,
}
