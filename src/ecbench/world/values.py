"""Readers of single values: text from a CSV cell or a value from TOML in, a checked Python value out.

Each raises ValueError (or KeyError) on anything it does not accept; the rule in words stands in the schema.
"""

import math
import re
from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Any

from ecbench.world.model import MonthDay

Reader = Callable[[Any], Any]

FIRST_YEAR, LAST_YEAR = 1900, 2200

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII).fullmatch
_PRICE = re.compile(r"\d+(?:\.\d+)?", re.ASCII).fullmatch
_WHOLE = re.compile(r"\d{1,9}", re.ASCII).fullmatch
_MONTH_DAY = re.compile(r"(\d\d)-(\d\d)", re.ASCII).fullmatch
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]").search
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+").fullmatch


def prose(value: Any) -> str:
    """Text of any length, possibly empty or of several lines."""
    if not isinstance(value, str) or (not value.isprintable() and _CONTROL(value)):
        raise ValueError
    return value


def label(value: Any) -> str:
    """A name: one line, not empty, no spaces around it."""
    if not isinstance(value, str) or not value:
        raise ValueError
    if value.isprintable() and value[0] != " " and value[-1] != " ":
        return value  # the usual case, quickly: no other blank is printable
    if _CONTROL(value) or "\n" in value or value != value.strip():
        raise ValueError
    return value


def email(value: Any) -> str:
    text = label(value)
    if not _EMAIL(text):
        raise ValueError
    return text


def one_of(names: Collection[str]) -> Reader:
    return {name: name for name in names}.__getitem__


def number_text(low: float, high: float = math.inf, *, open_low: bool = False) -> Reader:
    """A finite decimal number within bounds, from text. Never NaN: no bound holds for it."""

    def read(text: str) -> float:
        if not _NUMBER(text):
            raise ValueError
        value = float(text)
        return value if low < value < high else _bounded(value, low, high, open_low)

    return read


def price_text(text: str) -> float:
    """A price as tools show it, so without a sign or an exponent."""
    if not _PRICE(text) or not 0.0 < (price := float(text)) < math.inf:
        raise ValueError
    return price


def whole_text(low: int, high: int) -> Reader:
    read_whole = whole(low, high)

    def read(text: str) -> Any:
        if not _WHOLE(text):
            raise ValueError
        return read_whole(int(text))

    return read


def number(low: float, high: float = math.inf, *, open_low: bool = False) -> Reader:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError
        try:
            return _bounded(float(value), low, high, open_low)
        except OverflowError as error:
            raise ValueError from error

    return read


def whole(low: int | None = None, high: int | None = None) -> Reader:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueError
        return value

    return read


def calendar_date(value: Any) -> date:
    day = date.fromisoformat(value) if isinstance(value, str) else value
    if not isinstance(day, date) or isinstance(day, datetime) or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError
    return day


def month_day(value: Any) -> MonthDay:
    """ "MM-DD" of a day that some year has: 29 February counts."""
    match = _MONTH_DAY(value) if isinstance(value, str) else None
    if not match:
        raise ValueError
    day = date(2000, int(match[1]), int(match[2]))
    return day.month, day.day


def windows(value: Any) -> tuple[tuple[MonthDay, MonthDay], ...]:
    if not isinstance(value, list) or not value:
        raise ValueError
    return tuple(_window(span) for span in value)


def _window(value: Any) -> tuple[MonthDay, MonthDay]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError
    return month_day(value[0]), month_day(value[1])


def several(read: Reader, count: int | None = None) -> Reader:
    """A list of values of one kind; exactly `count` of them if given."""

    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise ValueError
        return tuple(read(item) for item in value)

    return read_all


def _bounded(value: float, low: float, high: float, open_low: bool) -> float:
    if not low <= value <= high or (open_low and value == low) or value == math.inf:
        raise ValueError
    return value
