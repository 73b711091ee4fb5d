"""What the rows of a world have to agree on, once every value is what it must be."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from ecbench.ranges import quoted
from ecbench.world.files import RawTable
from ecbench.world.model import Category
from ecbench.world.problems import LIMIT, Problem
from ecbench.world.schema import CATEGORIES, PRODUCTS, SETTINGS, SUPPLIERS, UNIQUE

# In every category the first must not exceed the second.
ORDERED = (
    ("price_min", "price_max"),
    ("sales_min", "sales_max"),
    ("return_min", "return_max"),
    ("floor_ratio", "wholesale_ratio"),
)
_PLAIN_PRICES = re.compile(r"\d+(\.\d+)?-\d+(\.\d+)?", re.ASCII)
_LEVEL = re.compile(r"\b(?:(low|few|little|rare|rarely|seldom|hardly)|moderate|medium|(high|heavy|many|often))\b")
MANY_RETURNS = 0.20  # of the units sold: a band that reaches it is not low
FEW_RETURNS = 0.10  # a band that stays within it is not high
FIRST_YEAR, LAST_YEAR = 1900, 2200


def contradictions(tables: Mapping[str, RawTable]) -> Iterator[Problem]:
    """Every contradiction between rows, up to a limit for each table and rule."""
    [settings], store_types = tables[SETTINGS].objects, {each.id for each in tables["store_types"].objects}
    if not FIRST_YEAR <= settings.start.year <= LAST_YEAR:
        yield Problem(SETTINGS, f"{settings.start} is not within the years {FIRST_YEAR} to {LAST_YEAR}", column="start")
    categories = {each.name for each in tables[CATEGORIES].objects}
    for name, columns in UNIQUE.items():
        for column in columns:
            yield from islice(_repeated(tables[name], column), LIMIT)
    yield from islice(_unknown(tables[CATEGORIES], "store_type", store_types, "store type"), LIMIT)
    yield from islice(_unknown(tables[PRODUCTS], "category", categories, "category"), LIMIT)
    yield from islice(_unknown(tables[SUPPLIERS], "category", categories, "category"), LIMIT)
    yield from _of_categories(tables[CATEGORIES])
    yield from islice(_of_scams(tables[SUPPLIERS]), LIMIT)
    yield from _of_events(tables["events"], store_types)
    yield from _of_homes(tables["store_types"], tables[CATEGORIES])
    yield from _of_supply(tables[PRODUCTS], tables[SUPPLIERS])


def _located(table: RawTable) -> Iterator[tuple[str, Any]]:
    return zip(table.locations, table.objects, strict=True)


def _repeated(table: RawTable, column: str) -> Iterator[Problem]:
    """The case of an address does not tell two suppliers apart."""
    first: dict[str, str] = {}
    for location, row in _located(table):
        value = getattr(row, column).lower() if column == "email" else getattr(row, column)
        if first.setdefault(value, location) != location:
            before = f"row {first[value]}" if first[value].isdigit() else first[value]
            message = f"{quoted(value)} is already in {before}; every {column} must be different"
            yield Problem(table.file, message, location, column)


def _unknown(table: RawTable, column: str, known: Collection[str], kind: str) -> Iterator[Problem]:
    for location, row in _located(table):
        if getattr(row, column) not in known:
            yield Problem(table.file, f"{quoted(getattr(row, column))} is not a {kind} of this world", location, column)


def _of_categories(table: RawTable) -> Iterator[Problem]:
    """In no category is the lower end of a pair of columns above the upper one, and its prices are in plain digits."""
    for location, row in _located(table):
        for low, high in ORDERED:
            least, most = getattr(row, low), getattr(row, high)
            if least > most:
                yield Problem(table.file, f"{least:g} is above {high}, {most:g}; it may not be", location, low)
        if not _PLAIN_PRICES.fullmatch(row.price_range):
            message = f"{row.price_range} is shown to agents, so both prices must be in plain digits"
            yield Problem(table.file, message, location, "price_min")


def _of_scams(table: RawTable) -> Iterator[Problem]:
    """A supplier with a scam negotiates adversarially."""
    for location, row in _located(table):
        if row.scam and row.template != "adversarial":
            message = f"{quoted(row.template)} with the scam {row.scam}; it must then be 'adversarial'"
            yield Problem(table.file, message, location, "template")


def _of_events(table: RawTable, store_types: Collection[str]) -> Iterator[Problem]:
    """Events move the demand and the deliveries of store types that exist."""
    for location, event in _located(table):
        for column in ("demand", "delayed"):
            for name in getattr(event, column) or ():
                if name not in store_types:
                    yield Problem(table.file, f"{quoted(name)} is not a store type of this world", location, column)


def _of_homes(store_types: RawTable, categories: RawTable) -> Iterator[Problem]:
    """Every category is sold by exactly one store type, and both files say the same one."""
    stated = {row.name: row.store_type for row in categories.objects}
    homes: dict[str, str] = {}
    for location, store_type in _located(store_types):
        for name in store_type.categories:
            if name not in stated:
                message = f"{quoted(name)} is not a category of {categories.file}"
            elif name in homes:
                message = f"{quoted(name)} is already in store type {homes[name]}; a category has one store type"
            elif stated[name] != store_type.id:
                message = f"{quoted(name)} belongs to store type {stated[name]} in {categories.file}"
            else:
                homes[name] = store_type.id
                continue
            yield Problem(store_types.file, message, location, "categories")
    for location, row in _located(categories):
        if row.name not in homes:
            message = f"{quoted(row.name)} is in no store type's list of categories in {store_types.file}"
            yield Problem(categories.file, message, location, "name")


def _of_supply(products: RawTable, suppliers: RawTable) -> Iterator[Problem]:
    """Every product can be bought somewhere: its category has a supplier. One problem for each category without."""
    served = {row.category for row in suppliers.objects}
    for location, row in _located(products):
        if row.category not in served:
            served.add(row.category)
            message = f"{quoted(row.category)} has no supplier, so its products cannot be bought; it needs one"
            yield Problem(products.file, message, location, "category")


def contradicts_band(category: Category) -> bool:
    """Whether the sentence about returns reads low or high against the band: a trap for agents, and not a mistake.

    The first word of a level decides how it reads; a sentence without one contradicts nothing.
    """
    found = _LEVEL.search(category.return_note.lower())
    if found is None:
        return False
    low, high = found.groups()
    if low:
        return category.return_max >= MANY_RETURNS
    return high is not None and category.return_max <= FEW_RETURNS
