"""`results.db`: the tables of an episode, all seats in one SQLite file, with views of where the money went.

The file is derived from the record and never part of a proof. Its header names the head of the record that it was made
from; a file of another head, or one that cannot be read, is made anew by replay. A file may come from a stranger: it is
opened read-only, its own views are not used, and only the columns known here are read.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ecbench.errors import RunError
from ecbench.runs.results.money_facts import MoneyFacts, OrderFacts, SessionFacts
from ecbench.runs.results.year_tables import ROW_TYPES, YearTables

RESULTS = "results.db"
SCHEMA = 2
INTERRUPTIBLE = 100_000  # steps of a query after which Ctrl-C is noticed
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
FACT_COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "sales": {"cost": float},
    "liquidations": {"cost": float},
    "orders": get_type_hints(OrderFacts),
    "sessions": get_type_hints(SessionFacts),
}
"""By table: the columns that facts add to those of its rows."""
FACT_TABLES: Mapping[str, type] = {
    each.name: get_args(get_type_hints(MoneyFacts)[each.name])[0]
    for each in fields(MoneyFacts)
    if each.name not in FACT_COLUMNS
}
"""Tables that hold facts alone."""
TABLES = (*ROW_TYPES, *FACT_TABLES)


@cache
def columns_of(table: str) -> dict[str, Any]:
    """The columns of a table without its seat, each with its type."""
    if table in FACT_TABLES:
        return get_type_hints(FACT_TABLES[table])
    return {**get_type_hints(ROW_TYPES[table]), **FACT_COLUMNS.get(table, {})}


def make_results(head: str, seats: Mapping[int, tuple[YearTables, MoneyFacts]]) -> sqlite3.Connection:
    """The results of an episode, in memory; `Connection.serialize` gives the content of a file."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    database.deserialize(_empty())
    database.execute("begin")
    database.execute("insert into results values (?, ?)", (SCHEMA, head))
    for table in TABLES:
        for seat, (tables, facts) in seats.items():
            _insert(database, table, seat, _rows(table, tables, facts))
    database.execute("commit")
    return database


@cache
def _empty() -> bytes:
    """A file without rows: to copy it takes 0.5 ms an episode, to declare its tables and views 1.7 ms."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute("create table results (schema INTEGER, record TEXT)")
        for table in TABLES:
            database.execute(declaration(table))
        database.executescript(views())
        return database.serialize()


def open_results(path: Path, head: str, tables: Sequence[str] = TABLES) -> sqlite3.Connection | None:
    """The results in a file, to read; None unless it was made from the record with this head.

    `tables` are those that will be read. None, too, where one of them has other columns or cells of another type.
    """
    if not path.is_file():
        return None
    try:
        place = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
        try:
            database.executescript("pragma trusted_schema = off; pragma cell_size_check = on;")
            made_from = database.execute("select schema, record from main.results").fetchall()
            if made_from != [(SCHEMA, head)] or not all(_is_sound(database, table) for table in tables):
                database.close()
                return None
            database.executescript(views().replace("create view", "create temp view"))
        except BaseException:
            database.close()
            raise
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return database


def is_made_from(path: Path, head: str) -> bool:
    """Whether a file holds results of the record with this head, by its header alone."""
    database = open_results(path, head, ())
    if database is not None:
        database.close()
    return database is not None


def read_tables(database: sqlite3.Connection, seat: int) -> YearTables:
    """The tables of a seat as rows; raises sqlite3.Error where the file is damaged."""
    return YearTables(**{name: list(read_rows(database, name, seat)) for name in ROW_TYPES})


def read_rows(database: sqlite3.Connection, table: str, seat: int) -> Iterator[Any]:
    """The rows of one table of a seat, in their order."""
    row_type: Any = ROW_TYPES.get(table) or FACT_TABLES[table]
    hints = get_type_hints(row_type)
    changes = [(index, _READ[_kind(kind)]) for index, kind in enumerate(hints.values()) if _kind(kind) in _READ]
    names = ", ".join(f'"{name}"' for name in hints)
    found = database.execute(f"select {names} from main.{table} where seat = ? order by rowid", (seat,))
    return map(row_type._make, (_changed(row, changes) for row in found) if changes else found)


def query(database: sqlite3.Connection, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of a SELECT; raises RunError where it fails, or would do anything but read."""
    database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)
    database.set_progress_handler(lambda: 0, INTERRUPTIBLE)
    try:
        found = database.execute(sql)
        return [column for column, *_ in found.description or ()], found.fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise RunError(f"the query fails: {error}") from error
    finally:
        database.set_authorizer(None)


@cache
def views() -> str:
    return (files("ecbench.runs.results") / "views.sql").read_text(encoding="utf-8")


def declaration(table: str, before: Mapping[str, Any] | None = None) -> str:
    """The statement that makes a table, with further columns before its own."""
    types = {name: _SQL_TYPES[kind] for name, kind in (before or {}).items()}
    types |= {name: sql_type for name, (sql_type, _) in _sql_columns(table).items()}
    columns = ", ".join(f'"{name}" {sql_type}' for name, sql_type in types.items())
    return f"CREATE TABLE {table} ({columns})"  # in capitals, as SQLite gives it back


@cache
def _sql_columns(table: str) -> dict[str, tuple[str, bool]]:
    """By the name of a column: its SQL type, and whether a cell may be empty."""
    kinds = {"seat": int, **columns_of(table)}
    return {name: (_SQL_TYPES[_kind(kind)], NoneType in get_args(kind)) for name, kind in kinds.items()}


def _is_sound(database: sqlite3.Connection, table: str) -> bool:
    """Whether a table is declared as here, and every cell of it has its type."""
    declared = database.execute("select sql from main.sqlite_schema where type = 'table' and name = ?", (table,))
    if declared.fetchall() != [(declaration(table),)]:
        return False
    wrong = " or ".join(
        f"""typeof("{name}") not in ('{sql_type.lower()}'{", 'null'" if empty else ""})"""
        for name, (sql_type, empty) in _sql_columns(table).items()
    )
    return database.execute(f"select 1 from main.{table} where {wrong} limit 1").fetchone() is None


def _rows(table: str, tables: YearTables, facts: MoneyFacts) -> Sequence[Sequence[Any]]:
    if table in FACT_TABLES:
        found: Sequence[Sequence[Any]] = getattr(facts, table)
        return found
    rows: Sequence[Sequence[Any]] = getattr(tables, table)
    if table not in FACT_COLUMNS:
        return rows
    return [(*row, *more) for row, more in zip(rows, getattr(facts, table), strict=True)]


def _insert(database: sqlite3.Connection, table: str, seat: int, rows: Sequence[Sequence[Any]]) -> None:
    kinds = [_kind(kind) for kind in columns_of(table).values()]
    changes = [(index, _WRITE[kind]) for index, kind in enumerate(kinds) if kind in _WRITE]
    statement = f"insert into {table} values ({seat}, {', '.join('?' * len(kinds))})"
    if changes:
        rows = [_changed(row, changes) for row in rows]
    try:
        database.executemany(statement, rows)
    except (OverflowError, UnicodeEncodeError):  # rare, so the plain rows are tried first
        database.execute(f"delete from {table} where seat = {seat}")
        database.executemany(statement, [tuple(map(_fitting, row)) for row in rows])


def _changed(row: Sequence[Any], changes: Iterable[tuple[int, Callable[[Any], Any]]]) -> Sequence[Any]:
    cells = list(row)
    for index, change in changes:
        if cells[index] is not None:
            cells[index] = change(cells[index])
    return cells


def _kind(declared: Any) -> Any:
    """A declared type without None, and without the values of a Literal; `tuple` for any tuple."""
    if get_origin(declared) in (Union, UnionType):
        declared = next(part for part in get_args(declared) if part is not NoneType)
    return {Literal: str, tuple: tuple}.get(get_origin(declared), declared)


def _fitting(cell: Any) -> Any:
    """A cell that SQLite can hold: no integer of more than 64 bits, no half of a surrogate pair."""
    if isinstance(cell, int) and not -(2**63) <= cell < 2**63:
        return max(-(2**63), min(cell, 2**63 - 1))
    return cell.encode(errors="backslashreplace").decode() if isinstance(cell, str) else cell


_SQL_TYPES = {
    int: "INTEGER",
    float: "REAL",
    str: "TEXT",
    bool: "INTEGER",
    date: "TEXT",
    datetime: "TEXT",
    tuple: "TEXT",
}
_WRITE: Mapping[Any, Callable[[Any], Any]] = {date: date.isoformat, datetime: datetime.isoformat, tuple: json.dumps}
_READ: Mapping[Any, Callable[[Any], Any]] = {
    bool: bool,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
    tuple: lambda cell: tuple(json.loads(cell)),
}
