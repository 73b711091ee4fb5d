"""Tables as CSV: UTF-8, one header line, an empty cell where there is nothing, a space between several values."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import partial
from itertools import islice
from math import isnan, nan
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
ESSENTIAL = ("day", "bank", "wallet", "escrow")  # without which nothing can be shown


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


def read_sheets(folder: Path, *, partly: bool = False) -> YearTables:
    """The tables in an episode's folder; raises RunError where one is missing or has different columns.

    `partly` is for tables of other versions: of a column that they lack every value is missing, a table that they lack
    is empty, and columns that this version does not know are left out.
    """
    return YearTables(
        **{name: read_sheet(folder / file_of(name), row_type, partly=partly) for name, row_type in ROW_TYPES.items()}
    )


def read_sheet(path: Path, row_type: type[Row], *, partly: bool = False) -> list[Row]:
    try:
        return parse_sheet(read_file(path).decode(), row_type, str(path), partly=partly)
    except FileNotFoundError as error:
        if partly:
            return []
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is not a table of this version of ecbench: {error}") from error


def parse_sheet(text: str, row_type: type[Row], where: str, *, partly: bool = False) -> list[Row]:
    """The rows of a table's text; `where` names it in errors."""
    try:
        lines = csv.reader(io.StringIO(text, newline=""))
        heading = next(lines, [])
        if tuple(heading) != columns(row_type) and not partly:
            raise ValueError(f"its columns are {', '.join(heading)}")
        kinds = get_type_hints(row_type)
        readers = [_column_reader(kind) if name in heading else _missing(name, kind) for name, kind in kinds.items()]
        make: Callable[..., Row] = row_type
        rows: list[Row] = []
        for block in blocks(lines):
            cells = dict(zip(heading, zip(*block, strict=True), strict=True))
            values = [read(cells.get(name, [""] * len(block))) for name, read in zip(kinds, readers, strict=True)]
            rows += map(make, *values)
        return rows
    except (ValueError, csv.Error) as error:
        raise RunError(f"{where} is not a table of this version of ecbench: {error}") from error


def _missing(name: str, kind: Any) -> Callable[[Sequence[str]], Iterable[Any]]:
    """NaN for a number: what is computed from it is NaN too, rather than wrong. Raises ValueError without a date."""
    if name in ESSENTIAL or kind in (date, datetime):
        raise ValueError(f"it has no column {name}")
    text = kind is str or get_origin(kind) is Literal
    value: Any = nan if kind in (int, float) else () if get_origin(kind) is tuple else "" if text else None
    return lambda cells: [value] * len(cells)


def known(value: Any) -> Any:
    """The value; None for the NaN of a column that the table does not have."""
    return None if isinstance(value, float) and isnan(value) else value


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
