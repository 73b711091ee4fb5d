"""Tables as CSV: UTF-8, one header line, an empty cell where there is nothing, a space between several values."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.results.tables.cells import QuotedTexts, text_of, written_column
from ecbench.runs.results.tables.rows import ROW_TYPES, YearTables, file_of

Row = TypeVar("Row", bound=tuple[Any, ...])
Line = TypeVar("Line", bound=Sequence[object])
BLOCK = 2_000  # rows


def sheet(names: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table's text as `csv.writer` writes it, with formulas quoted: the only writer of results as CSV."""
    quoted = QuotedTexts()
    lines = [",".join(map(quoted.__getitem__, names))]
    for block in blocks(rows):
        columns = (written_column(column, quoted) for column in zip(*block, strict=True))
        lines += map(",".join, zip(*columns, strict=True))
    return "\n".join([*lines, ""])


def blocks(rows: Iterable[Line]) -> Iterator[list[Line]]:
    """Some at a time: as text a long table takes several times the room that its values do."""
    left = iter(rows)
    while block := list(islice(left, BLOCK)):
        yield block


def columns(row_type: type) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(row_type, "_fields")  # noqa: B009, as every NamedTuple has them
    return names


def sheets(tables: YearTables) -> dict[str, str]:
    """The text of each table's file."""
    return {file_of(name): sheet(columns(row_type), getattr(tables, name)) for name, row_type in ROW_TYPES.items()}


def read_sheets(folder: Path) -> YearTables:
    """The tables in an episode's folder; raises RunError where one is missing or has different columns."""
    return YearTables(**{name: read_sheet(folder / file_of(name), kind) for name, kind in ROW_TYPES.items()})


def read_sheet(path: Path, row_type: type[Row]) -> list[Row]:
    try:
        return parse_sheet(read_file(path).decode(), row_type, str(path))
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is not a table of this version of ecbench: {error}") from error


def parse_sheet(text: str, row_type: type[Row], where: str) -> list[Row]:
    """The rows of a table's text; `where` names it in errors."""
    try:
        lines = csv.reader(io.StringIO(text, newline=""))
        heading = next(lines, [])
        if tuple(heading) != columns(row_type):
            raise ValueError(f"its columns are {', '.join(heading)}")
        readers = [_column_reader(kind) for kind in get_type_hints(row_type).values()]
        make: Callable[..., Row] = row_type
        rows: list[Row] = []
        for block in blocks(lines):
            cells = zip(*block, strict=True)
            rows += map(make, *(read(column) for read, column in zip(readers, cells, strict=True)))
        return rows
    except (ValueError, csv.Error) as error:
        raise RunError(f"{where} is not a table of this version of ecbench: {error}") from error


def _column_reader(kind: Any) -> Callable[[Sequence[str]], Iterable[Any]]:
    if get_origin(kind) is Literal or kind is str:
        known = _KnownTexts()
        return lambda cells: map(known.__getitem__, cells)
    return partial(map, _reader(kind))


class _KnownTexts(dict[str, str]):
    """By a cell: its text. Names come up in many rows, and are held once."""

    def __missing__(self, cell: str) -> str:
        self[cell] = text = text_of(cell)
        return text


def _reader(kind: Any) -> Callable[[str], Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        some = _reader(next(part for part in arguments if part is not NoneType))
        return lambda cell: some(cell) if cell else None
    if origin is tuple:
        return lambda cell: tuple(map(arguments[0], text_of(cell).split()))
    if kind is str:
        return text_of
    if kind is bool:
        return _flag
    if kind in (date, datetime):
        read: Callable[[str], date] = kind.fromisoformat
        return read
    number: Callable[[str], Any] = kind
    return number


def _flag(cell: str) -> bool:
    if cell not in ("True", "False"):
        raise ValueError(f"{cell[:20]!r} is neither True nor False")
    return cell == "True"
