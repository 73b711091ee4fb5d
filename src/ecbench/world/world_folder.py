"""Read the files of a world's folder, validate them and build the world."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ecbench.world import schema, validate
from ecbench.world.files import RawTable, read_sheet, read_toml
from ecbench.world.model import Category, Event, Overview, Product, Promotion, StoreType, Supplier, World
from ecbench.world.problems import Problem, WorldError

_OVERVIEW_KEYS = [field.name for field in fields(Overview)]


def read_world_folder(folder: Path, files: Collection[str] = schema.FILES) -> World:
    """Read, validate and build the world in an existing folder. Raises WorldError with every problem found.

    A world whose products or suppliers are not among the `files` to read has none of them.
    """
    problems: list[Problem] = []
    sheets = {
        file: read_sheet(folder, file, columns, schema.MAX_BYTES[file], problems)
        for file, columns in schema.COLUMNS.items()
        if file in files
    }
    document = read_toml(folder, schema.SETTINGS, schema.MAX_BYTES[schema.SETTINGS], problems)
    tables = settings_tables(document, dict.fromkeys(schema.TABLES, schema.SETTINGS), problems)
    return build_world({**tables, **sheets}, f"{folder} is not a valid world", problems)


def settings_tables(
    document: Mapping[str, Any] | None, files: Mapping[str, str], problems: list[Problem]
) -> dict[str, RawTable | None]:
    """The tables of `world.toml` by name; `files` is where each of them was read."""
    if document is None:
        return {}
    if not document.get("store_types"):
        problems.append(Problem(files["store_types"], "no [[store_types]] table; at least one is needed"))
    tables = {name: validate.settings_table(file, name, document, problems) for name, file in files.items()}
    return {schema.SETTINGS: validate.head_table(schema.SETTINGS, document, problems), **tables}


def build_world(tables: Mapping[str, RawTable | None], subject: str, problems: list[Problem]) -> World:
    """Check everything, then build; a table that could not be read is None or not there, and among the problems."""
    known: dict[str, Sequence[str]] = {}
    rows: dict[str, list[validate.Row]] = {}
    for name in (schema.SETTINGS, *schema.TABLES, *schema.COLUMNS):
        table = tables.get(name)
        rows[name] = [] if table is None else validate.read_rows(table, known, problems)
        kind, key = schema.REFERRED_TO.get(name, ("", ""))
        if key and rows[name] and all(key in row for row in rows[name]):
            known[kind] = [row[key] for row in rows[name]]
    _check(tables, rows, known, problems)
    categories = tables.get(schema.CATEGORIES)
    if problems or categories is None:
        raise WorldError(subject, problems)
    return World(
        **rows[schema.SETTINGS][0],
        store_types=tuple(_store_type(row) for row in rows["store_types"]),
        categories=_categories(categories, rows[schema.CATEGORIES]),
        products=tuple(Product(**row) for row in rows[schema.PRODUCTS]),
        suppliers=tuple(Supplier(**row) for row in rows[schema.SUPPLIERS]),
        events=tuple(Event(**row) for row in rows["events"]),
        promotions=tuple(Promotion(**row) for row in rows["promotions"]),
    )


def _check(
    tables: Mapping[str, RawTable | None],
    rows: Mapping[str, list[validate.Row]],
    known: validate.Known,
    problems: list[Problem],
) -> None:
    """What the rows of several tables have to agree on, as far as they could be read."""
    store_types, events = tables.get("store_types"), tables.get("events")
    categories, products, suppliers = (tables.get(file) for file in schema.COLUMNS)
    if events is not None and "store type" in known:
        validate.check_events(events, rows["events"], known["store type"], problems)
    if categories is not None:
        validate.check_order(categories, rows[schema.CATEGORIES], problems)
        if store_types is not None and rows["store_types"] and "category" in known:
            own = rows[schema.CATEGORIES]
            validate.check_homes(store_types, rows["store_types"], categories, own, problems)
    if suppliers is not None:
        validate.check_scams(suppliers, rows[schema.SUPPLIERS], problems)
        if products is not None and not problems:
            validate.check_supply(products, rows[schema.PRODUCTS], rows[schema.SUPPLIERS], problems)


def _categories(table: RawTable, rows: Sequence[validate.Row]) -> tuple[Category, ...]:
    names = [column.name for column in table.columns]
    low, high = names.index("price_min"), names.index("price_max")
    bands = [f"{cells[low]}-{cells[high]}" for cells in table.rows]
    return tuple(Category(**row, price_range=band) for row, band in zip(rows, bands, strict=True))


def _store_type(row: validate.Row) -> StoreType:
    facts = {key: value for key, value in row.items() if key not in _OVERVIEW_KEYS}
    return StoreType(**facts, overview=Overview(**{key: row[key] for key in _OVERVIEW_KEYS if key in row}))
