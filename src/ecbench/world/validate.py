"""The rules a world keeps. Each check adds to a list of problems, so that one reading names all."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ecbench.ranges import quoted
from ecbench.world import parsers
from ecbench.world.files import RawTable
from ecbench.world.model import Category
from ecbench.world.problems import LIMIT, Problem
from ecbench.world.schema import HEAD, MOST_TABLES, ORDERED, TABLES, UNREAD, Column

Known = Mapping[str, Collection[str]]  # what a column may refer to: "store type" and "category", where known
Row = dict[str, Any]  # by column, without values that are absent or could not be read

ABSENT = object()  # in a row of a TOML file: the key is not there
_LEVEL = re.compile(r"\b(?:(low|few|little|rare|rarely|seldom|hardly)|moderate|medium|(high|heavy|many|often))\b")
MANY_RETURNS = 0.20  # of the units sold: a band that reaches it is not low
FEW_RETURNS = 0.10  # a band that stays within it is not high


def head_table(file: str, document: Mapping[str, Any], problems: list[Problem]) -> RawTable:
    """The settings above the first table: name, seed, start and days."""
    head = {key: value for key, value in document.items() if key not in TABLES}
    return _table(file, HEAD, {"": head}, problems)


def settings_table(file: str, name: str, document: Mapping[str, Any], problems: list[Problem]) -> RawTable:
    """The tables of one name, `[[events]]` for instance."""
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(Problem(file, f"must be written as [[{name}]] tables", column=name))
        tables = []
    if len(tables) > MOST_TABLES[name]:
        message = f"{len(tables):,} tables; a world has at most {MOST_TABLES[name]:,}"
        problems.append(Problem(file, message, column=name))
        tables = []
    one = name.removesuffix("s").replace("_", " ")
    located = {f"{one} {number}": table for number, table in enumerate(tables, start=1)}
    return _table(file, TABLES[name], located, problems)


def _table(
    file: str, columns: tuple[Column, ...], located: Mapping[str, Mapping[str, Any]], problems: list[Problem]
) -> RawTable:
    names = [column.name for column in columns]
    problems += [
        Problem(file, UNREAD.get(key, f"unknown key; the keys are {', '.join(names)}"), location, quoted(key))
        for location, table in located.items()
        for key in table
        if key not in names
    ]
    rows = [[table.get(name, ABSENT) for name in names] for table in located.values()]
    return RawTable(file, columns, names, rows, list(located))


def read_rows(table: RawTable, known: Known, problems: list[Problem]) -> list[Row]:
    """The table's cells as values, each column by its rule."""
    readers = [
        (column.name, parsers.one_of(known[column.refers_to]) if column.refers_to in known else column.read)
        for column in table.columns
    ]
    rows: list[Row] = []
    mistakes: list[Problem] = []
    for location, cells in zip(table.locations, table.rows, strict=True):
        try:
            rows.append({name: read(cell) for (name, read), cell in zip(readers, cells, strict=True)})
        except (ValueError, KeyError, RecursionError):
            rows.append(_read_cells(table, dict(readers), location, cells, mistakes))
            if len(mistakes) >= LIMIT:
                mistakes.append(Problem(table.file, f"reading stopped after {len(mistakes):,} problems"))
                break
    else:
        _check_unique(table, mistakes)
    problems += mistakes
    return rows


def _read_cells(
    table: RawTable,
    readers: Mapping[str, parsers.Reader],
    location: str,
    cells: Sequence[Any],
    problems: list[Problem],
) -> Row:
    row: Row = {}
    for column, name, cell in zip(table.columns, table.names, cells, strict=True):
        if cell is ABSENT:
            if not column.optional:
                problems.append(Problem(table.file, f"missing; it must be {column.rule}", location, name))
            continue
        try:
            row[column.name] = readers[column.name](cell)
        except (ValueError, KeyError, RecursionError):
            problems.append(Problem(table.file, f"{quoted(cell)} is not {column.rule}", location, name))
    return row


def _check_unique(table: RawTable, problems: list[Problem]) -> None:
    for index, (column, name) in enumerate(zip(table.columns, table.names, strict=True)):
        if column.unique:
            cells = [cells[index].lower() if column.name == "email" else cells[index] for cells in table.rows]
            problems += islice(_repeated(table, name, cells), LIMIT)


def _repeated(table: RawTable, column: str, cells: Sequence[Any]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for location, cell in zip(table.locations, cells, strict=True):
        if isinstance(cell, str) and first.setdefault(cell, location) != location:
            before = f"row {first[cell]}" if first[cell].isdigit() else first[cell]
            message = f"{quoted(cell)} is already in {before}; every {column} must be different"
            yield Problem(table.file, message, location, column)


def _located(table: RawTable, rows: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    return zip(table.locations, rows, strict=False)  # reading may have stopped before the last row


def check_order(table: RawTable, rows: Sequence[Row], problems: list[Problem]) -> None:
    """In no category is the lower end of a pair of columns above the upper one."""
    shown = {column.name: name for column, name in zip(table.columns, table.names, strict=True)}
    for low, high in ORDERED:
        for location, row in _located(table, rows):
            if low in row and high in row and row[low] > row[high]:
                message = f"{row[low]:g} is above {shown[high]}, {row[high]:g}; it may not be"
                problems.append(Problem(table.file, message, location, shown[low]))


def check_supply(products: RawTable, goods: Sequence[Row], suppliers: Sequence[Row], problems: list[Problem]) -> None:
    """Every product can be bought somewhere: its category has a supplier."""
    served = {row["category"] for row in suppliers}
    for location, row in _located(products, goods):
        if row["category"] not in served:
            served.add(row["category"])
            message = f"{quoted(row['category'])} has no supplier, so its products cannot be bought; it needs one"
            problems.append(Problem(products.file, message, location, "category"))


def check_scams(table: RawTable, rows: Sequence[Row], problems: list[Problem]) -> None:
    """A supplier with a scam negotiates adversarially."""
    for location, row in _located(table, rows):
        if row.get("scam") and row.get("template", "adversarial") != "adversarial":
            message = f"{quoted(row['template'])} with the scam {row['scam']}; it must then be 'adversarial'"
            problems.append(Problem(table.file, message, location, "template"))


def check_events(table: RawTable, events: Sequence[Row], store_types: Collection[str], problems: list[Problem]) -> None:
    """Events move the demand and the deliveries of store types that exist."""
    problems += [
        Problem(table.file, f"{quoted(name)} is not a store type of this world", location, key)
        for location, event in _located(table, events)
        for key in ("demand", "delayed")
        for name in event.get(key) or ()
        if name not in store_types
    ]


def check_homes(
    store_types: RawTable, sellers: Sequence[Row], table: RawTable, categories: Sequence[Row], problems: list[Problem]
) -> None:
    """Every category is sold by exactly one store type, and both files say the same one."""
    stated = {row["name"]: row.get("store_type") for row in categories}
    homes: dict[str, str] = {}
    for location, store_type in _located(store_types, sellers):
        own = store_type.get("id")
        for name in store_type.get("categories", ()):
            if name not in stated:
                message = f"{quoted(name)} is not a category of {table.file}"
            elif name in homes:
                message = f"{quoted(name)} is already in store type {homes[name]}; a category has one store type"
            elif own is not None and stated[name] not in (None, own):
                message = f"{quoted(name)} belongs to store type {stated[name]} in {table.file}"
            else:
                homes[name] = str(own)
                continue
            problems.append(Problem(store_types.file, message, location, "categories"))
    for location, row in _located(table, categories):
        if row["name"] not in homes:
            message = f"{quoted(row['name'])} is in no store type's list of categories in {store_types.file}"
            problems.append(Problem(table.file, message, location, table.names[0]))


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
