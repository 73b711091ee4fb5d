"""The rules a world keeps. Each check adds to a list of problems, so that one reading names all."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from ecbench.ranges import quoted
from ecbench.world import parsers
from ecbench.world.files import Sheet
from ecbench.world.model import Category
from ecbench.world.problems import LIMIT, Problem
from ecbench.world.schema import COLUMNS, HEAD, MOST_TABLES, ORDERED, PRODUCTS, SUPPLIERS, TABLES, UNREAD, Column

Known = Mapping[str, Collection[str]]  # what a column may refer to: "store type" and "category", where known
Row = list[Any]  # one value per column; None if the cell could not be read

_LEVEL = re.compile(r"\b(?:(low|few|little|rare|rarely|seldom|hardly)|moderate|medium|(high|heavy|many|often))\b")
MANY_RETURNS = 0.20  # of the units sold: a band that reaches it is not low
FEW_RETURNS = 0.10  # a band that stays within it is not high


def read_rows(sheet: Sheet, known: Known, problems: list[Problem]) -> list[Row]:
    """The sheet's cells as values, each column by its rule."""
    readers = [
        parsers.one_of(known[column.refers_to]) if column.refers_to in known else column.read
        for column in sheet.columns
    ]
    rows: list[Row] = []
    mistakes: list[Problem] = []
    for number, cells in zip(sheet.numbers, sheet.rows, strict=True):
        try:
            rows.append([read(cell) for read, cell in zip(readers, cells, strict=True)])
        except (ValueError, KeyError):
            rows.append(_read_cells(sheet, readers, number, cells, mistakes))
            if len(mistakes) >= LIMIT:
                mistakes.append(Problem(sheet.file, f"reading stopped after {len(mistakes):,} problems"))
                break
    else:
        _check_unique(sheet, mistakes)
    problems += mistakes
    return rows


def _read_cells(
    sheet: Sheet, readers: list[parsers.Reader], number: int, cells: Sequence[str], problems: list[Problem]
) -> Row:
    row: Row = []
    for column, read, cell in zip(sheet.columns, readers, cells, strict=True):
        try:
            row.append(read(cell))
        except (ValueError, KeyError):
            row.append(None)
            problems.append(Problem(sheet.file, f"{quoted(cell)} is not {column.rule}", str(number), column.name))
    return row


def _check_unique(sheet: Sheet, problems: list[Problem]) -> None:
    for index, column in enumerate(sheet.columns):
        if column.unique:
            cells = [cells[index].lower() if column.name == "email" else cells[index] for cells in sheet.rows]
            problems += islice(_repeated(sheet.file, column.name, cells, sheet.numbers), LIMIT)


def _repeated(file: str, column: str, cells: Sequence[str], numbers: Sequence[int]) -> Iterable[Problem]:
    if len(set(cells)) == len(cells):
        return
    first: dict[str, int] = {}
    for number, cell in zip(numbers, cells, strict=True):
        if first.setdefault(cell, number) != number:
            message = f"{quoted(cell)} is already in row {first[cell]}; every {column} must be different"
            yield Problem(file, message, str(number), column)


def check_order(table: str, sheet: Sheet, rows: Sequence[Row], problems: list[Problem]) -> None:
    """In no row is the lower end of a pair of columns above the upper one."""
    for low, high in ((_place(table, low), _place(table, high)) for low, high in ORDERED[table]):
        for number, row in zip(sheet.numbers, rows, strict=False):
            if row[low] is not None and row[high] is not None and row[low] > row[high]:
                message = f"{row[low]:g} is above {sheet.columns[high].name}, {row[high]:g}; it may not be"
                problems.append(Problem(sheet.file, message, str(number), sheet.columns[low].name))


def check_supply(products: Sheet, goods: Sequence[Row], suppliers: Sequence[Row], problems: list[Problem]) -> None:
    """Every product can be bought somewhere: its category has a supplier."""
    category = _place(PRODUCTS, "category")
    served = {row[_place(SUPPLIERS, "category")] for row in suppliers}
    for number, row in zip(products.numbers, goods, strict=False):
        if row[category] is not None and row[category] not in served:
            served.add(row[category])
            message = f"{quoted(row[category])} has no supplier, so its products cannot be bought; it needs one"
            problems.append(Problem(products.file, message, str(number), products.columns[category].name))


def _place(table: str, name: str) -> int:
    return [column.name for column in COLUMNS[table]].index(name)


def check_scams(sheet: Sheet, rows: Sequence[Row], problems: list[Problem]) -> None:
    """A supplier with a scam negotiates adversarially."""
    template, scam = _place(SUPPLIERS, "template"), _place(SUPPLIERS, "scam")
    for number, row in zip(sheet.numbers, rows, strict=False):
        if row[scam] and row[template] not in (None, "adversarial"):
            message = f"{quoted(row[template])} with the scam {row[scam]}; it must then be 'adversarial'"
            problems.append(Problem(sheet.file, message, str(number), sheet.columns[template].name))


def read_head(file: str, document: Mapping[str, Any], problems: list[Problem]) -> dict[str, Any]:
    """The settings above the first table: name, seed, start and days."""
    head = {key: value for key, value in document.items() if key not in TABLES}
    return _read_keys(file, "", HEAD, head, problems)


def read_tables(file: str, name: str, document: Mapping[str, Any], problems: list[Problem]) -> list[dict[str, Any]]:
    """The tables of one name, `[[events]]` for instance, each as values by key."""
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(Problem(file, f"must be written as [[{name}]] tables", column=name))
        return []
    if len(tables) > MOST_TABLES[name]:
        message = f"{len(tables):,} tables; a world has at most {MOST_TABLES[name]:,}"
        problems.append(Problem(file, message, column=name))
        return []
    rows = []
    for number, table in enumerate(tables, start=1):
        rows.append(_read_keys(file, _table_row(name, number), TABLES[name], table, problems))
    for column in TABLES[name]:
        if column.unique:
            problems += _repeated_keys(file, name, column.name, rows)
    return rows


def _read_keys(
    file: str, row: str, columns: tuple[Column, ...], table: Mapping[str, Any], problems: list[Problem]
) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for column in columns:
        if column.name not in table:
            if not column.optional:
                problems.append(Problem(file, f"missing; it must be {column.rule}", row, column.name))
            continue
        value = table[column.name]
        try:
            read[column.name] = column.read(value)
        except (ValueError, KeyError, RecursionError):
            problems.append(Problem(file, f"{quoted(value)} is not {column.rule}", row, column.name))
    names = [column.name for column in columns]
    problems += [
        Problem(file, UNREAD.get(key, f"unknown key; the keys are {', '.join(names)}"), row, quoted(key))
        for key in table
        if key not in names
    ]
    return read


def _table_row(name: str, number: int) -> str:
    """ "event 3": the third of the [[events]] tables."""
    return f"{name.removesuffix('s').replace('_', ' ')} {number}"


def _repeated_keys(file: str, name: str, key: str, rows: Sequence[Mapping[str, Any]]) -> Iterable[Problem]:
    first: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        if key in row and first.setdefault(row[key], number) != number:
            message = f"{quoted(row[key])} is already in {_table_row(name, first[row[key]])}; each must be different"
            yield Problem(file, message, _table_row(name, number), key)


def check_events(
    file: str, events: Sequence[Mapping[str, Any]], store_types: Collection[str], problems: list[Problem]
) -> None:
    """Events move the demand and the deliveries of store types that exist."""
    for number, event in enumerate(events, start=1):
        for key in ("demand", "delayed"):
            for name in event.get(key) or ():
                if name not in store_types:
                    message = f"{quoted(name)} is not a store type of this world"
                    problems.append(Problem(file, message, _table_row("events", number), key))


def check_homes(
    settings: str,
    store_types: Sequence[Mapping[str, Any]],
    sheet: Sheet,
    rows: Sequence[Row],
    problems: list[Problem],
) -> None:
    """Every category is sold by exactly one store type, and both files say the same one."""
    stated = {row[0]: row[1] for row in rows if row[0] is not None}
    homes: dict[str, str] = {}
    for number, store_type in enumerate(store_types, start=1):
        location, own = _table_row("store_types", number), store_type.get("id")
        for name in store_type.get("categories", ()):
            if name not in stated:
                message = f"{quoted(name)} is not a category of {sheet.file}"
            elif name in homes:
                message = f"{quoted(name)} is already in store type {homes[name]}; a category has one store type"
            elif own is not None and stated[name] not in (None, own):
                message = f"{quoted(name)} belongs to store type {stated[name]} in {sheet.file}"
            else:
                homes[name] = str(own)
                continue
            problems.append(Problem(settings, message, location, "categories"))
    for number, row in zip(sheet.numbers, rows, strict=False):
        if row[0] is not None and row[0] not in homes:
            message = f"{quoted(row[0])} is in no store type's list of categories in {settings}"
            problems.append(Problem(sheet.file, message, str(number), sheet.columns[0].name))


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
