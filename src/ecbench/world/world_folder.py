"""Read the files of a world's folder, check them and build the world."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from msgspec import ValidationError, convert

from ecbench.ranges import quoted
from ecbench.world.fields import decode
from ecbench.world.files import RawTable, read_sheet, read_toml
from ecbench.world.model import Category, Event, Overview, StoreType, World
from ecbench.world.problems import LIMIT, Problem, WorldError
from ecbench.world.schema import (
    CATEGORIES,
    COLUMNS,
    FILES,
    KINDS,
    MAX_BYTES,
    MOST_TABLES,
    PRODUCTS,
    SETTINGS,
    SHEETS,
    SUPPLIERS,
    TABLES,
)
from ecbench.world.validate import contradictions

OVERVIEW = [field.name for field in fields(Overview)]


def read_world_folder(folder: Path, files: Collection[str] = FILES) -> World:
    """Read, check and build the world in an existing folder.

    Raises WorldError with every wrong value in it, or else with every contradiction between its rows. A world whose
    products or suppliers are not among the `files` to read has none of them.
    """
    problems: list[Problem] = []
    sheets = {
        file: read_sheet(folder, file, [column.name for column in COLUMNS[file]], MAX_BYTES[file], problems)
        for file in SHEETS
        if file in files
    }
    document = read_toml(folder, SETTINGS, MAX_BYTES[SETTINGS], problems)
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
        problems += contradictions(tables)
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
    kind, mistakes = KINDS[name], list[Problem]()
    rows = [_shaped(kind, row) for row in table.rows]
    if name not in SHEETS:
        problems += _unknown_keys(name, table)
    try:
        table.objects = convert(rows, list[kind], strict=False, dec_hook=decode)  # type: ignore[valid-type]
    except (ValidationError, RecursionError) as error:
        for location, row in zip(table.locations, rows, strict=True):
            mistakes += _mistakes(name, table.file, location, row)
            if len(mistakes) >= LIMIT:
                mistakes.append(Problem(table.file, f"reading stopped after {len(mistakes):,} problems"))
                break
        problems += mistakes or [Problem(table.file, str(error))]


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
