"""`results.db`: the tables of an episode, all seats in one SQLite file, with views of where the money went.

The file is derived from the record and never part of a proof. Its header names the head of the record that it was made
from; a file of another head, or an unreadable one, is recomputed by replay. A file may come from a stranger: it is
opened read-only, and used only if its tables and views are declared as here and every cell has its type.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ecbench.errors import RunError
from ecbench.runs.results.table_rows import ROW_TYPES, YearTables

RESULTS = "results.db"
SCHEMA = 5
HEADER = "CREATE TABLE results (schema INTEGER, record TEXT)"
INTERRUPTIBLE = 100_000  # steps of a query after which Ctrl-C is noticed
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


@cache
def columns_of(table: str) -> dict[str, Any]:
    """The columns of a table without its seat, each with its type."""
    return get_type_hints(ROW_TYPES[table])


def make_results(head: str, seats: Mapping[int, YearTables]) -> sqlite3.Connection:
    """The results of an episode, in memory; `Connection.serialize` gives the content of a file."""
    database = empty_database()
    database.execute("begin")
    database.execute("insert into results values (?, ?)", (SCHEMA, head))
    for seat, tables in seats.items():
        insert_tables(database, seat, tables)
    database.execute("commit")
    return database


def insert_tables(database: sqlite3.Connection, seat: int, tables: YearTables) -> None:
    """The rows of one seat of an episode."""
    for table in ROW_TYPES:
        rows: Sequence[Sequence[Any]] = getattr(tables, table)
        statement, changes = _insertion(table)
        if changes:
            rows = [_changed(row, changes) for row in rows]
        try:
            database.executemany(f"insert into {table} values ({seat}{statement})", rows)
        except (OverflowError, UnicodeEncodeError):  # rare, so the plain rows are tried first
            database.execute(f"delete from {table} where seat = {seat}")
            fitting = [tuple(map(_fitting, row)) for row in rows]
            database.executemany(f"insert into {table} values ({seat}{statement})", fitting)


@cache
def _insertion(table: str) -> tuple[str, Sequence[tuple[int, Callable[[Any], Any]]]]:
    """The marks for the cells of a row, and how some cells are changed before."""
    kinds = [_kind(kind) for kind in columns_of(table).values()]
    return ", ?" * len(kinds), [(index, _WRITE[kind]) for index, kind in enumerate(kinds) if kind in _WRITE]


def empty_database() -> sqlite3.Connection:
    """The tables without rows and the views, in memory."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    database.deserialize(_empty()[0])
    return database


@cache
def _empty() -> tuple[bytes, list[tuple[str]]]:
    """A file without rows and its declarations: to copy it takes 0.5 ms an episode, to declare its tables 1.7 ms."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute(HEADER)
        for table in ROW_TYPES:
            database.execute(declaration(table, {"seat": int, **columns_of(table)}))
        database.executescript((files("ecbench.runs.results") / "views.sql").read_text(encoding="utf-8"))
        return database.serialize(), _declarations(database)


def _declarations(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("select sql from main.sqlite_schema").fetchall()


def declaration(table: str, kinds: Mapping[str, Any]) -> str:
    """The statement that makes a table with such columns."""
    required = {name: "" if NoneType in get_args(kind) else " NOT NULL" for name, kind in kinds.items()}
    columns = ", ".join(f'"{name}" {_SQL_TYPES[_kind(kind)]}{required[name]}' for name, kind in kinds.items())
    return f"CREATE TABLE {table} ({columns}) STRICT"


def open_results(path: Path, head: str, tables: Iterable[str] = ROW_TYPES) -> sqlite3.Connection | None:
    """The results in a file, to read; None unless it was made from the record with this head, and is whole.

    `tables` are those whose cells are checked because they will be read.
    """
    database = _made_from(path, head)
    try:
        if database is None or _declarations(database) != _empty()[1]:
            return None
        database.execute("pragma trusted_schema = on")  # it is ours, and its views read JSON
        checks = (database.execute(f"pragma quick_check({table})").fetchall() for table in tables)
        sound, opened = all(found == [("ok",)] for found in checks), database
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    if not sound:
        opened.close()
    return opened if sound else None


def is_made_from(path: Path, head: str) -> bool:
    """Whether a file contains results of the record with this head, by its header alone."""
    database = _made_from(path, head)
    if database is not None:
        database.close()
    return database is not None


def _made_from(path: Path, head: str) -> sqlite3.Connection | None:
    if not path.is_file():
        return None
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        database.executescript("pragma trusted_schema = off; pragma cell_size_check = on;")
        made_from = database.execute("select schema, record from main.results").fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return database if made_from == [(SCHEMA, head)] else None


def read_tables(database: sqlite3.Connection, seat: int) -> YearTables:
    """The tables of a seat as rows; raises sqlite3.Error where the file is damaged."""
    return YearTables(**{name: list(read_rows(database, name, seat)) for name in ROW_TYPES})


def read_rows(database: sqlite3.Connection, table: str, seat: int) -> Iterator[Any]:
    """The rows of one table of a seat, in their order."""
    row_type: Any = ROW_TYPES[table]
    kinds = map(_kind, columns_of(table).values())
    changes = [(index, _READ[kind]) for index, kind in enumerate(kinds) if kind in _READ]
    names = ", ".join(f'"{name}"' for name in columns_of(table))
    found = database.execute(f"select {names} from main.{table} where seat = ? order by rowid", (seat,))
    return map(row_type._make, (_changed(row, changes) for row in found) if changes else found)


def query(database: sqlite3.Connection, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of a SELECT; raises RunError if it fails, or would do anything but read."""
    database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)
    database.set_progress_handler(lambda: 0, INTERRUPTIBLE)
    try:
        found = database.execute(sql)
        return [column for column, *_ in found.description or ()], found.fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise RunError(f"the query fails: {error}") from error
    finally:
        database.set_authorizer(None)


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


_SQL_TYPES = {int: "INTEGER", float: "REAL", bool: "INTEGER", **dict.fromkeys((str, date, datetime, tuple), "TEXT")}
_WRITE: Mapping[Any, Callable[[Any], Any]] = {date: date.isoformat, datetime: datetime.isoformat, tuple: json.dumps}
_READ: Mapping[Any, Callable[[Any], Any]] = {
    bool: bool,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
    tuple: lambda cell: tuple(json.loads(cell)),
}
