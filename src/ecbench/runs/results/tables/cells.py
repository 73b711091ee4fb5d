"""Cells as `csv.writer` writes them, but a column at a time, which takes a quarter of the time.

Its few rules (what needs quotes, how they are doubled) are asked of it once for each text. Spreadsheets run a text that
begins like a formula, and names come from agents and worlds: such a text gets an apostrophe in front, which `text_of`
takes off again. Numbers stay as they are.
"""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from itertools import chain, islice
from numbers import Number
from types import NoneType, SimpleNamespace
from typing import Any

import orjson

# `writerow` gives back what the `write` of its file does: here the line itself. With this end of a line every version
# of Python quotes a text that holds either half of it.
_line: Callable[[Iterable[str]], str] = csv.writer(SimpleNamespace(write=str), lineterminator="\r\n").writerow

_NUMBERS = {int, float}
_NEVER_QUOTED = _NUMBERS | {bool, NoneType, date, datetime}
# With apostrophes in front, so that taking one off gives back every text. Some spreadsheets take wide signs too.
_FORMULA = re.compile("'*[=+\\-@\t\r\uff0b\uff0d\uff1d\uff20]")
# Where orjson and Python part: exponents (of small numbers orjson may write the zeros out), and NaN or an infinity.
_EXPONENTS, _SMALL = ("e", "n"), ("[0.0000", ",0.0000", "-0.0000")


class QuotedTexts(dict[str, str]):
    """By a text: the cell that it makes. Names come up in many rows, and are looked through once."""

    def __missing__(self, text: str) -> str:
        # Agents name stores and tools, and may send half of a surrogate pair, which no UTF-8 holds.
        whole = text.encode(errors="backslashreplace").decode()
        if _FORMULA.match(whole):
            whole = f"'{whole}"
        self[text] = cell = _line((whole, ""))[: -len(",\r\n")]
        return cell


def text_of(cell: str) -> str:
    """The text that a cell was written for."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def written_column(cells: Sequence[Any], quoted: QuotedTexts) -> Iterable[str]:
    """Empty where there is nothing, and a space between several values."""
    kinds = set(map(type, cells))
    if kinds <= _NUMBERS:
        return _numerals(cells)
    if kinds == {str}:
        return map(quoted.__getitem__, cells)
    if kinds == {tuple} and set(map(type, chain.from_iterable(cells))) <= _NUMBERS:
        return _several_numerals(cells)
    if NoneType not in kinds and kinds <= _NEVER_QUOTED:
        return map(str, cells)
    if kinds <= _NEVER_QUOTED:
        return ["" if cell is None else str(cell) for cell in cells]
    return [_text(cell) if _is_figures(cell) else quoted[_text(cell)] for cell in cells]


def _is_figures(cell: object) -> bool:
    """Whether a cell holds one number or several, of which none is a formula."""
    return isinstance(cell, Number) or (isinstance(cell, tuple) and all(isinstance(each, Number) for each in cell))


def _text(cell: object) -> str:
    if cell is None:
        return ""
    return " ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def _several_numerals(cells: Sequence[tuple[float, ...]]) -> Iterable[str]:
    numerals = iter(_numerals(list(chain.from_iterable(cells))))
    return [" ".join(islice(numerals, len(cell))) for cell in cells]


def _numerals(numbers: Sequence[object]) -> Iterable[str]:
    try:
        text = orjson.dumps(numbers).decode()
    except TypeError:  # a whole number of more than 64 bits
        return map(str, numbers)
    small = _SMALL[0][1:] in text and any(sign in text for sign in _SMALL)  # one search where there is none
    if small or any(sign in text for sign in _EXPONENTS):
        return map(str, numbers)
    return text[1:-1].split(",")
