"""Tables as CSV, with no text that a spreadsheet runs."""

import csv
import re
from collections.abc import Iterable, Sequence
from numbers import Number
from types import SimpleNamespace

# With apostrophes in front, so that taking one off gives back every text. Some spreadsheets take wide signs too.
_FORMULA = re.compile("'*[=+\\-@\t\r\uff0b\uff0d\uff1d\uff20]")


def sheet(names: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV with one header line; a text that a spreadsheet would run as a formula gets an apostrophe."""
    lines: list[str] = []
    # With this end of a line every version of Python quotes a text that contains either half of it.
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\r\n")
    writer.writerow(map(_cell, names))
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "".join([f"{line[:-2]}\n" for line in lines])


def _cell(value: object) -> object:
    if value is None or isinstance(value, Number):
        return value
    if isinstance(value, tuple):
        joined = " ".join(map(str, value))
        return joined if all(isinstance(each, Number) for each in value) else _text(joined)
    return _text(str(value))


def _text(text: str) -> str:
    # Agents name stores and tools, and may send half of a surrogate pair, which UTF-8 cannot encode.
    whole = text.encode(errors="backslashreplace").decode()
    return f"'{whole}" if _FORMULA.match(whole) else whole
