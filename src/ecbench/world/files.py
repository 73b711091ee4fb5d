"""From a folder's bytes to tables of text and TOML values, and the problems found on the way."""

import csv
import io
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Any

from ecbench.errors import BadInput
from ecbench.ranges import ROWS, quoted

MAX_BYTES = 64 << 20  # far above any real world, and small enough to refuse a file of something else at once
MAX_ROWS = int(ROWS.most)
MAX_LINE = 20_000  # characters: a dotted TOML key takes memory in proportion to the square of its length
MAX_DOTS = 100_000_000  # squares of those of a line, added up: some 400 MB
SHOWN = 20  # problems in a message


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is, what it is and what would be right. Row 1 of a CSV file is its header."""

    file: str
    message: str
    row: str = ""
    column: str = ""

    def __str__(self) -> str:
        location = [self.file]
        if self.row:
            location.append(f"row {self.row}" if self.row.isdigit() else self.row)
        if self.column:
            location.append(f"column {self.column}" if self.row.isdigit() else self.column)
        return f"{', '.join(location)}: {self.message}"


class WorldError(BadInput):
    """A folder is not a valid world. Carries every problem found; the message shows the first of them."""

    def __init__(self, subject: str, problems: Sequence[Problem]) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        super().__init__(subject, self.problems)

    def __str__(self) -> str:
        if not self.problems:
            return self.subject
        count = len(self.problems)
        lines = [f"{self.subject}: {count:,} problem{'s' if count > 1 else ''}"]
        lines += [f"  {problem}" for problem in self.problems[:SHOWN]]
        if count > SHOWN:
            lines.append(f"  ... and {count - SHOWN:,} more")
        return "\n".join(lines)


@dataclass(slots=True)
class RawTable:
    """A CSV file, or the tables of one name in a TOML file: first its values, then the objects that they make."""

    file: str  # as messages name it
    rows: Sequence[dict[str, Any]]  # values by column
    locations: Sequence[str]  # of each row: "5" in a CSV file, "event 3" in a TOML file
    objects: list[Any] = field(default_factory=list)


def read_text(folder: Path, file: str, problems: list[Problem]) -> str | None:
    """A file's text with plain line ends, or None with the reason among the problems."""
    content = b""
    try:
        status = (folder / file).stat()
        if not S_ISREG(status.st_mode):
            raise ValueError("it is not a plain file")
        if status.st_size > MAX_BYTES:
            raise ValueError(f"{status.st_size:,} bytes is too large; at most {MAX_BYTES:,} are read")
        content = (folder / file).read_bytes()
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > MAX_LINE:
                raise ValueError(f"line {number:,} has {len(line):,} characters; at most {MAX_LINE:,} are read")
        return text
    except FileNotFoundError:
        problems.append(Problem(file, "this file is missing from the folder"))
    except OSError as error:
        problems.append(Problem(file, f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        before = content.count(b"\n", 0, error.start)
        problems.append(Problem(file, f"line {before + 1:,} is not UTF-8; save the file as UTF-8"))
    except ValueError as error:
        problems.append(Problem(file, str(error)))
    return None


def read_toml(folder: Path, file: str, problems: list[Problem]) -> dict[str, Any] | None:
    text = read_text(folder, file, problems)
    try:
        if text is not None and sum(line.count(".") ** 2 for line in text.split("\n")) > MAX_DOTS:
            raise ValueError("it has too many dotted keys or numbers; write shorter lines")
        return None if text is None else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        problems.append(Problem(file, f"not valid TOML: {error}"))
    return None


def read_sheet(
    folder: Path, file: str, names: Sequence[str], problems: list[Problem], *, more: bool = False
) -> RawTable | None:
    """The rows of a CSV file whose header has these names in any order, and no others unless there may be `more`."""
    text = read_text(folder, file, problems)
    if text is None:
        return None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    table = RawTable(file, rows := [], locations := [])
    number, known = 1, len(problems)
    try:
        header = next(reader, [])
        if fault := _header_fault(header, names, more=more):
            problems.append(Problem(file, fault, row="1"))
            return None
        for number, cells in enumerate(reader, start=2):
            if len(cells) == len(header):
                rows.append(dict(zip(header, cells)))
                locations.append(str(number))
            elif cells:
                message = f"{len(cells):,} cells where the header has {len(header)}"
                problems.append(Problem(file, message, row=str(number)))
    except csv.Error as error:
        problems.append(Problem(file, f"not valid CSV: {error}", row=str(number + 1)))
    if len(rows) > MAX_ROWS:
        problems.append(Problem(file, f"{len(rows):,} rows; a world has at most {MAX_ROWS:,}"))
    elif not rows and len(problems) == known:
        problems.append(Problem(file, "no rows below the header; at least one is needed"))
    return table


def _header_fault(header: Sequence[str], names: Sequence[str], *, more: bool) -> str:
    faults = {
        "missing": [name for name in names if name not in header],
        "unknown": [name for name in header if name not in names and not more],
        "more than once": sorted({name for name in names if header.count(name) > 1}),
    }
    found = [f"{fault} {', '.join(map(quoted, columns))}" for fault, columns in faults.items() if columns]
    return f"wrong columns ({'; '.join(found)}); the header must be {','.join(names)}" if found else ""
