"""`results.db`: the tables of an episode, all seats in one SQLite file, with views of where the money went.

Its header names the head of the record. A file may come from a stranger: it is opened read-only, and used only if its
tables and views are declared as in `tables.sql` and `views.sql` and every cell has its type.
"""

import json
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ecbench.errors import RunError

RESULTS = "results.db"
SCHEMA = 8
INTERRUPTIBLE = 100_000  # steps of a query after which Ctrl-C is noticed
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)

_KINDS: Mapping[str, Any] = {"INTEGER": int, "REAL": float, "TEXT": str}
_OTHER_KINDS: Mapping[str, Any] = {
    "date": date,
    **dict.fromkeys(("placed", "arrives"), datetime),
    **dict.fromkeys(("honest", "restocked", "ok"), bool),
    **dict.fromkeys(("agent_prices", "supplier_prices"), tuple[float, ...]),
    **dict.fromkeys(("critical_violations", "secondary_violations"), tuple[str, ...]),
}
"""What the cells of columns with these names are in Python; SQLite has numbers and texts."""
_WRITE: Mapping[Any, Callable[[Any], Any]] = {
    date: date.isoformat,
    datetime: datetime.isoformat,
    tuple[float, ...]: json.dumps,
    tuple[str, ...]: json.dumps,
}
_READ: Mapping[Any, Callable[[Any], Any]] = {
    bool: bool,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
    tuple[float, ...]: lambda cell: tuple(json.loads(cell)),
    tuple[str, ...]: lambda cell: tuple(json.loads(cell)),
}


def _declared() -> tuple[bytes, list[tuple[str]], dict[str, dict[str, Any]]]:
    """A file without rows, its declarations, and by table the columns without the seat, each with its type."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for script in ("tables.sql", "views.sql"):
            database.executescript((files("ecbench.runs.results") / script).read_text(encoding="utf-8"))
        names = database.execute("select name from sqlite_schema where type = 'table' and name <> 'results'").fetchall()
        columns = {}
        for (table,) in names:
            found = database.execute(f"pragma table_info({table})").fetchall()[1:]
            kinds = {name: _OTHER_KINDS.get(name, _KINDS[kind]) for _, name, kind, *_ in found}
            columns[table] = {name: kinds[name] if needed else kinds[name] | None for _, name, _, needed, *_ in found}
        return database.serialize(), _declarations(database), columns


def _declarations(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("select sql from main.sqlite_schema").fetchall()


# To copy the empty file takes 0.5 ms an episode, to declare its tables 1.7 ms.
_EMPTY, _DECLARATIONS, COLUMNS = _declared()
_named: Any = namedtuple
ROW_TYPES: Mapping[str, Any] = {table: _named(table, columns) for table, columns in COLUMNS.items()}
"""By table: a named tuple of its columns without the seat."""


class YearTables(SimpleNamespace):
    """A year as tables: an attribute for each, with its rows."""

    def __init__(self, **rows: Iterable[Iterable[Any]]) -> None:
        made = {table: list(map(row._make, rows.get(table, ()))) for table, row in ROW_TYPES.items()}
        super().__init__(**made)


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
    for table, columns in COLUMNS.items():
        rows = _converted(getattr(tables, table), columns, _WRITE)
        database.executemany(f"insert into {table} values ({seat}{', ?' * len(columns)})", rows)


def empty_database() -> sqlite3.Connection:
    """The tables without rows and the views, in memory."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    database.deserialize(_EMPTY)
    return database


def open_results(path: Path, head: str, tables: Collection[str] = ROW_TYPES) -> sqlite3.Connection | None:
    """The results in a file; None unless it was made from the record with this head, and these `tables` are whole."""
    if not path.is_file():
        return None
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        database.executescript("pragma trusted_schema = off; pragma cell_size_check = on;")
        if _declarations(database) != _DECLARATIONS:  # first: in a stranger's file, `results` may be an endless view
            return None
        if database.execute("select schema, record from main.results").fetchall() != [(SCHEMA, head)]:
            return None
        database.execute("pragma trusted_schema = on")  # it is ours, and its views read JSON
        checks = (database.execute(f"pragma quick_check({table})").fetchall() for table in tables)
        return database if all(found == [("ok",)] for found in checks) else None
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def read_tables(database: sqlite3.Connection, seat: int) -> YearTables:
    """The tables of a seat as rows; raises sqlite3.Error where the file is damaged."""
    return YearTables(**{table: read_rows(database, table, seat) for table in COLUMNS})


def read_rows(database: sqlite3.Connection, table: str, seat: int) -> Iterator[Any]:
    """The rows of one table of a seat, in their order; raises RunError for a cell that nothing here wrote."""
    columns = COLUMNS[table]
    names = ", ".join(f'"{name}"' for name in columns)
    found = database.execute(f"select {names} from main.{table} where seat = ? order by rowid", (seat,))
    try:
        yield from map(ROW_TYPES[table]._make, _converted(found, columns, _READ))
    except ValueError as error:
        raise RunError(f"{RESULTS} was edited: {error}; delete it, and it is recomputed") from error


def query(database: sqlite3.Connection, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of a SELECT; raises RunError if it fails, or would do anything but read."""
    database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)
    database.set_progress_handler(lambda: 0, INTERRUPTIBLE)
    try:
        found = database.execute(sql)
        return [column for column, *_ in found.description or ()], found.fetchall()
    except (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError) as error:
        advice = ""
        if "no such table" in str(error):
            named = "select name from sqlite_schema where type in ('table', 'view') order by name"
            advice = f"; the tables and views are {', '.join(name for (name,) in database.execute(named))}"
        raise RunError(f"the query fails: {error}{advice}") from error
    finally:
        database.set_authorizer(None)


def _converted(
    rows: Iterable[Sequence[Any]], columns: Mapping[str, Any], by_kind: Mapping[Any, Callable[[Any], Any]]
) -> Iterator[Sequence[Any]]:
    """Rows with the cells of these kinds converted. None of their columns may be null."""
    changes = [(index, by_kind[kind]) for index, kind in enumerate(columns.values()) if kind in by_kind]
    if not changes:
        yield from rows
        return
    for row in rows:
        cells = list(row)
        for index, change in changes:
            cells[index] = change(cells[index])
        yield cells
