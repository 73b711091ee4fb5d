"""A world's folder: the layout of its files, reading and checking them, and building the world."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from msgspec import ValidationError, convert

from ecbench.ranges import quoted
from ecbench.world.fields import decode, rule_of
from ecbench.world.files import Problem, RawTable, WorldError, read_sheet, read_toml
from ecbench.world.model import Category, Event, Overview, Product, Promotion, StoreType, Supplier, World, WorldSettings

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

OVERVIEW = [field.name for field in fields(Overview)]
# In every category the first must not exceed the second.
ORDERED = (
    ("price_min", "price_max"),
    ("sales_min", "sales_max"),
    ("return_min", "return_max"),
    ("floor_ratio", "wholesale_ratio"),
)
FIRST_YEAR, LAST_YEAR = 1900, 2200


def read_world_folder(folder: Path, files: Collection[str] = FILES) -> World:
    """Read, check and build the world in an existing folder; what is not among the `files` to read is empty.

    Raises WorldError with every wrong value in it, or else with every contradiction between its rows.
    """
    problems: list[Problem] = []
    sheets = {
        file: read_sheet(folder, file, [column.name for column in COLUMNS[file]], problems)
        for file in SHEETS
        if file in files
    }
    document = read_toml(folder, SETTINGS, problems)
    tables = settings_tables(document, dict.fromkeys(TABLES, SETTINGS), problems)
    return build_world({**tables, **sheets}, f"{folder} is not a valid world", problems)


def settings_tables(
    document: Mapping[str, Any] | None, files: Mapping[str, str], problems: list[Problem]
) -> dict[str, RawTable | None]:
    """The tables of `world.toml` by name; `files` is where each of them was read."""
    if document is None:
        return {}
    head = {key: value for key, value in document.items() if key not in TABLES}
    found: dict[str, RawTable | None] = {SETTINGS: RawTable(SETTINGS, [head], [""])}
    for name, file in files.items():
        rows = document.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            problems.append(Problem(file, f"must be written as [[{name}]] tables", column=name))
        elif len(rows) > MOST_TABLES[name]:
            message = f"{len(rows):,} tables; a world has at most {MOST_TABLES[name]:,}"
            problems.append(Problem(file, message, column=name))
        elif not rows and name == "store_types":
            problems.append(Problem(file, "no [[store_types]] table; at least one is needed"))
        else:
            one = name.removesuffix("s").replace("_", " ")
            found[name] = RawTable(file, rows, [f"{one} {number}" for number in range(1, len(rows) + 1)])
    return found


def build_world(found: Mapping[str, RawTable | None], subject: str, problems: list[Problem]) -> World:
    """Check everything, then build; a table that could not be read is None or not there, and among the problems."""
    tables = {name: found.get(name) or RawTable(name, [], []) for name in KINDS}
    for name, table in tables.items():
        _read_objects(name, table, problems)
    if not problems:
        problems += _contradictions(tables)
    if problems:
        raise WorldError(subject, problems)
    [settings] = tables[SETTINGS].objects
    return World(
        **vars(settings),
        store_types=tuple(tables["store_types"].objects),
        categories=tuple(tables[CATEGORIES].objects),
        products=tuple(tables[PRODUCTS].objects),
        suppliers=tuple(tables[SUPPLIERS].objects),
        events=tuple(tables["events"].objects),
        promotions=tuple(tables["promotions"].objects),
    )


def _read_objects(name: str, table: RawTable, problems: list[Problem]) -> None:
    """All rows at once, or else one by one for what is wrong with each."""
    kind, known = KINDS[name], len(problems)
    rows = [_shaped(kind, row) for row in table.rows]
    if name not in SHEETS:
        problems += _unknown_keys(name, table)
    try:
        table.objects = convert(rows, list[kind], strict=False, dec_hook=decode)  # type: ignore[valid-type]
    except (ValidationError, RecursionError) as error:
        for location, row in zip(table.locations, rows, strict=True):
            problems += _mistakes(name, table.file, location, row)
        if len(problems) == known:
            problems.append(Problem(table.file, str(error)))


def _shaped(kind: type, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row as its kind has it, where a file has it in another way."""
    if kind is Category:
        return {**row, "price_range": f"{row['price_min']}-{row['price_max']}"}
    if kind is StoreType:
        return {**row, "overview": {key: row[key] for key in OVERVIEW if key in row}}
    if kind is Event and row.get("delayed") == "all":
        return {**row, "delayed": None}
    return row


def _unknown_keys(name: str, table: RawTable) -> Iterator[Problem]:
    known = [column.name for column in COLUMNS[name]]
    for location, row in zip(table.locations, table.rows, strict=True):
        for key in row:
            if key not in known:
                message = f"unknown key; the keys are {', '.join(known)}"
                yield Problem(table.file, message, location, quoted(key))


def _mistakes(name: str, file: str, location: str, row: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with each value of a row by itself."""
    for column in COLUMNS[name]:
        if column.name in row:
            value = row[column.name]
            try:
                convert(value, column.type, strict=False, dec_hook=decode)
            except (ValidationError, RecursionError):
                yield Problem(file, f"{quoted(value)} is not {column.rule}", location, column.name)
        elif not column.optional:
            yield Problem(file, f"missing; it must be {column.rule}", location, column.name)


def _contradictions(tables: Mapping[str, RawTable]) -> Iterator[Problem]:
    """What rows do not agree on, once every value is what it must be."""
    [settings], store_types = tables[SETTINGS].objects, {each.id for each in tables["store_types"].objects}
    if not FIRST_YEAR <= settings.start.year <= LAST_YEAR:
        yield Problem(SETTINGS, f"{settings.start} is not within the years {FIRST_YEAR} to {LAST_YEAR}", column="start")
    categories = {each.name for each in tables[CATEGORIES].objects}
    for name, columns in UNIQUE.items():
        for column in columns:
            yield from _repeated(tables[name], column)
    yield from _unknown(tables[CATEGORIES], "store_type", store_types)
    yield from _unknown(tables[PRODUCTS], "category", categories)
    yield from _unknown(tables[SUPPLIERS], "category", categories)
    yield from _unknown(tables["events"], "demand", store_types)
    yield from _unknown(tables["events"], "delayed", store_types)
    for location, row in _located(tables[CATEGORIES]):
        for low, high in ORDERED:
            least, most = getattr(row, low), getattr(row, high)
            if least > most:
                message = f"{least:g} is above {high}, {most:g}; it may not be"
                yield Problem(tables[CATEGORIES].file, message, location, low)
    for location, row in _located(tables[SUPPLIERS]):
        if row.scam and row.template != "adversarial":
            message = f"{quoted(row.template)} with the scam {row.scam}; it must then be 'adversarial'"
            yield Problem(tables[SUPPLIERS].file, message, location, "template")
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


def _unknown(table: RawTable, column: str, known: Collection[str]) -> Iterator[Problem]:
    """A cell has one name of a store type or category, an event several or None for all."""
    kind = "category" if column == "category" else "store type"
    for location, row in _located(table):
        value = getattr(row, column)
        for name in [value] if isinstance(value, str) else value or ():
            if name not in known:
                yield Problem(table.file, f"{quoted(name)} is not a {kind} of this world", location, column)


def _of_homes(store_types: RawTable, categories: RawTable) -> Iterator[Problem]:
    """Every category is sold by exactly one store type, and both files say the same one."""
    stated, homes = {row.name: row.store_type for row in categories.objects}, set[str]()
    for location, store_type in _located(store_types):
        for name in store_type.categories:
            if name in homes or stated.get(name) != store_type.id:
                reason = "is listed twice" if name in homes else f"does not belong to it in {categories.file}"
                yield Problem(store_types.file, f"{quoted(name)} {reason}", location, "categories")
            homes.add(name)
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
