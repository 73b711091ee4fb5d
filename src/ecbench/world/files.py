"""From a folder's bytes to tables of text and TOML values. Knows encodings, nothing of the market."""

import csv
import io
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Any

from ecbench.ranges import ROWS, quoted
from ecbench.world.problems import LIMIT, Problem

MAX_ROWS = int(ROWS.most)
MAX_LINE = 20_000  # characters; a line of commas, dots or brackets without end would be read for minutes

_BYTE_ORDER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(slots=True)
class RawTable:
    """A CSV file, or the tables of one name in a TOML file: first its values, then the objects that they make."""

    file: str  # as messages name it
    rows: Sequence[dict[str, Any]]  # values by column
    locations: Sequence[str]  # of each row: "5" in a CSV file, "event 3" in a TOML file
    objects: list[Any] = field(default_factory=list)


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
    folder: Path, file: str, names: Sequence[str], limit: int, problems: list[Problem], *, more: bool = False
) -> RawTable | None:
    """The rows of a CSV file whose header has these names in any order, and no others unless there may be `more`."""
    text = read_text(folder, file, limit, problems)
    if text is None:
        return None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    table = RawTable(file, rows := [], locations := [])
    mistakes: list[Problem] = []
    number = 0
    try:
        header = next(reader, [])
        if fault := _header_fault(header, names, more=more):
            problems.append(Problem(file, fault, row="1"))
            return None
        number = 1
        for number, cells in enumerate(reader, start=2):
            if len(cells) == len(header):
                rows.append(dict(zip(header, cells)))
                locations.append(str(number))
            elif cells:
                message = f"{len(cells):,} cells where the header has {len(header)}"
                mistakes.append(Problem(file, message, row=str(number)))
            if len(rows) > MAX_ROWS or len(mistakes) == LIMIT:
                limit_met = f"{LIMIT:,} problems" if mistakes else f"{MAX_ROWS:,} rows; a world has no more"
                mistakes.append(Problem(file, f"reading stopped after {limit_met}"))
                break
    except csv.Error as error:
        mistakes.append(Problem(file, f"not valid CSV: {error}", row=str(number + 1)))
    if not rows and not mistakes:
        mistakes.append(Problem(file, "no rows below the header; at least one is needed"))
    problems += mistakes
    return table


def _header_fault(header: Sequence[str], names: Sequence[str], *, more: bool) -> str:
    """What is wrong with the header; empty if it fits."""
    faults = []
    if missing := [name for name in names if name not in header]:
        faults.append(f"missing {', '.join(missing)}")
    if unknown := [name for name in header if name not in names and not more]:
        faults.append(f"unknown {', '.join(quoted(name) for name in unknown[:5])}")
    if twice := sorted({name for name in names if header.count(name) > 1}):
        faults.append(f"more than once {', '.join(twice)}")
    return f"wrong columns ({'; '.join(faults)}); the header must be {','.join(names)}" if faults else ""
