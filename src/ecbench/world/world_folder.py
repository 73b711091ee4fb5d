"""Read the files of a world's folder, validate them and build the world."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ecbench.world import schema, validate
from ecbench.world.files import Sheet, read_sheet, read_toml
from ecbench.world.model import Category, Event, Overview, Product, Promotion, StoreType, Supplier, World
from ecbench.world.problems import Problem, WorldError

_OVERVIEW_KEYS = [field.name for field in fields(Overview)]


@dataclass(frozen=True, slots=True)
class WorldSource:
    """A world's content before it is checked: the settings as TOML gives them, and the three sheets."""

    document: Mapping[str, Any] | None
    categories: Sheet | None
    products: Sheet | None
    suppliers: Sheet | None
    table_files: Mapping[str, str]  # the file of each of the schema's tables


def read_world_folder(folder: Path, files: Collection[str] = schema.FILES) -> World:
    """Read, validate and build the world in an existing folder. Raises WorldError with every problem found.

    A world whose products or suppliers are not among the `files` to read has none of them.
    """
    problems: list[Problem] = []
    sheets = {
        file: read_sheet(folder, file, columns, schema.MAX_BYTES[file], problems) if file in files else None
        for file, columns in schema.COLUMNS.items()
    }
    source = WorldSource(
        read_toml(folder, schema.SETTINGS, schema.MAX_BYTES[schema.SETTINGS], problems),
        sheets[schema.CATEGORIES],
        sheets[schema.PRODUCTS],
        sheets[schema.SUPPLIERS],
        dict.fromkeys(schema.TABLES, schema.SETTINGS),
    )
    return build_world(source, f"{folder} is not a valid world", problems)


def build_world(source: WorldSource, subject: str, problems: list[Problem]) -> World:
    """Check everything, then build; `problems` contains what reading the files already found."""
    head, tables, known = _read_settings(source, problems)
    categories = _read(schema.CATEGORIES, source.categories, known, problems)
    if source.categories is not None and all(row[0] is not None for row in categories):
        known["category"] = [row[0] for row in categories]
        if tables["store_types"]:
            file = source.table_files["store_types"]
            validate.check_homes(file, tables["store_types"], source.categories, categories, problems)
    products = _read(schema.PRODUCTS, source.products, known, problems)
    suppliers = _read(schema.SUPPLIERS, source.suppliers, known, problems)
    if source.suppliers is not None:
        validate.check_scams(source.suppliers, suppliers, problems)
        if source.products is not None and not problems:
            validate.check_supply(source.products, products, suppliers, problems)
    if problems or source.categories is None:
        raise WorldError(subject, problems)
    return World(
        **head,
        store_types=tuple(_store_type(table) for table in tables["store_types"]),
        categories=_categories(source.categories, categories),
        products=tuple(Product(*row) for row in products),
        suppliers=tuple(Supplier(*row) for row in suppliers),
        events=tuple(_event(table) for table in tables["events"]),
        promotions=tuple(Promotion(**table) for table in tables["promotions"]),
    )


def _read_settings(
    source: WorldSource, problems: list[Problem]
) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]], dict[str, Sequence[str]]]:
    """The head, the tables by name, and the store types other files may refer to."""
    if source.document is None:
        return {}, {name: [] for name in schema.TABLES}, {}
    head = validate.read_head(schema.SETTINGS, source.document, problems)
    tables = {
        name: validate.read_tables(source.table_files[name], name, source.document, problems) for name in schema.TABLES
    }
    if not source.document.get("store_types"):
        file = source.table_files["store_types"]
        problems.append(Problem(file, "no [[store_types]] table; at least one is needed"))
    store_types = [table["id"] for table in tables["store_types"] if "id" in table]
    if not store_types or len(store_types) < len(tables["store_types"]):
        return head, tables, {}
    validate.check_events(source.table_files["events"], tables["events"], store_types, problems)
    return head, tables, {"store type": store_types}


def _read(table: str, sheet: Sheet | None, known: validate.Known, problems: list[Problem]) -> list[validate.Row]:
    if sheet is None:
        return []
    rows = validate.read_rows(sheet, known, problems)
    validate.check_order(table, sheet, rows, problems)
    return rows


def _categories(sheet: Sheet, rows: Sequence[validate.Row]) -> tuple[Category, ...]:
    names = [column.name for column in schema.COLUMNS[schema.CATEGORIES]]
    low, high = names.index("price_min"), names.index("price_max")
    return tuple(Category(*[*row, f"{cells[low]}-{cells[high]}"]) for row, cells in zip(rows, sheet.rows, strict=True))


def _store_type(table: Mapping[str, Any]) -> StoreType:
    facts = {key: value for key, value in table.items() if key not in _OVERVIEW_KEYS}
    return StoreType(**facts, overview=Overview(**{key: table[key] for key in _OVERVIEW_KEYS if key in table}))


def _event(table: Mapping[str, Any]) -> Event:
    return Event(**{**table, "demand": MappingProxyType(table["demand"])})
