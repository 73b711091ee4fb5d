"""From a folder's bytes to rows of text and TOML tables. Knows encodings, nothing of the market."""

import csv
import io
import tomllib
from collections.abc import Sequence
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from ecbench.ranges import ROWS, quoted
from ecbench.world.problems import LIMIT, Problem
from ecbench.world.schema import Column

MAX_ROWS = int(ROWS.most)
MAX_LINE = 20_000  # characters; a line of commas, dots or brackets without end would be read for minutes

_BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class RawTable(NamedTuple):
    """A CSV file, or the tables of one name in a TOML file, before the values are read."""

    file: str  # as messages name it
    columns: tuple[Column, ...]
    names: Sequence[str]  # of the columns in this file
    rows: Sequence[Sequence[Any]]  # values in the order of the columns
    locations: Sequence[str]  # of each row: "5" in a CSV file, "event 3" in a TOML file


def read_text(folder: Path, file: str, limit: int, problems: list[Problem]) -> str | None:
    """A file's text with plain line ends, or None with the reason among the problems."""
    try:
        text = _decode(_read_bytes(folder / file, limit))
        for number, line in enumerate(text.splitlines(), start=1):
            if len(line) > MAX_LINE:
                raise ValueError(f"line {number:,} has {len(line):,} characters; at most {MAX_LINE:,} are read")
    except FileNotFoundError:
        problems.append(Problem(file, "this file is missing from the folder"))
    except OSError as error:
        problems.append(Problem(file, f"cannot be read: {error.strerror}"))
    except ValueError as error:
        problems.append(Problem(file, str(error)))
    else:
        return text
    return None


def _read_bytes(path: Path, limit: int) -> bytes:
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise ValueError("cannot be read: it is not a plain file")
    if status.st_size > limit:
        raise ValueError(f"{status.st_size:,} bytes is too large for this file; at most {limit:,} are read")
    return path.read_bytes()


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        guess = _BYTE_ORDER_MARKS.get(content[:2])
        hint = f" (it looks like {guess})" if guess else ""
        byte = f"0x{content[error.start]:02x}"
        message = f"line {line:,} contains byte {byte}, which is not UTF-8{hint}; save the file as UTF-8"
        raise ValueError(message) from error


def read_toml(folder: Path, file: str, limit: int, problems: list[Problem]) -> dict[str, Any] | None:
    text = read_text(folder, file, limit, problems)
    if text is None:
        return None
    try:
        return tomllib.loads(text)
    except (RecursionError, MemoryError):
        problems.append(Problem(file, "not valid TOML: brackets or keys are nested too deep"))
    except ValueError as error:
        problems.append(Problem(file, f"not valid TOML: {error}"))
    return None


def read_sheet(
    folder: Path,
    file: str,
    columns: tuple[Column, ...],
    limit: int,
    problems: list[Problem],
    names: Sequence[str] = (),
) -> RawTable | None:
    """The rows of a CSV file whose header names these columns in any order, and no others.

    With `names` the columns have these names in the file, and others may be among them.
    """
    text = read_text(folder, file, limit, problems)
    if text is None:
        return None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    wanted = list(names) or [column.name for column in columns]
    rows: list[list[str]] = []
    locations: list[str] = []
    mistakes: list[Problem] = []
    number = 0
    try:
        header = next(reader, [])
        if not _header_fits(file, header, wanted, bool(names), problems):
            return None
        number = 1
        order = [header.index(name) for name in wanted]
        as_it_is = order == list(range(len(header)))
        for number, cells in enumerate(reader, start=2):
            if len(cells) == len(header):
                rows.append(cells if as_it_is else [cells[index] for index in order])
                locations.append(str(number))
                if len(rows) > MAX_ROWS:
                    mistakes.append(Problem(file, f"more than {MAX_ROWS:,} rows; a world has no more"))
                    break
            elif cells:
                message = f"{len(cells):,} cells where the header has {len(header)}"
                mistakes.append(Problem(file, message, row=str(number)))
                if len(mistakes) == LIMIT:
                    mistakes.append(Problem(file, f"reading stopped after {LIMIT:,} problems"))
                    break
    except csv.Error as error:
        mistakes.append(Problem(file, f"not valid CSV: {error}", row=str(number + 1)))
    if not rows and not mistakes:
        mistakes.append(Problem(file, "no rows below the header; at least one is needed"))
    problems += mistakes
    return RawTable(file, columns, wanted, rows, locations)


def _header_fits(file: str, header: list[str], wanted: list[str], extra: bool, problems: list[Problem]) -> bool:
    faults = []
    if missing := [name for name in wanted if name not in header]:
        faults.append(f"missing {', '.join(missing)}")
    if unknown := [name for name in header if name not in wanted and not extra]:
        faults.append(f"unknown {', '.join(quoted(name) for name in unknown[:5])}")
    if twice := sorted({name for name in wanted if header.count(name) > 1}):
        faults.append(f"more than once {', '.join(twice)}")
    if faults:
        message = f"wrong columns ({'; '.join(faults)}); the header must be {','.join(wanted)}"
        problems.append(Problem(file, message, row="1"))
    return not faults
