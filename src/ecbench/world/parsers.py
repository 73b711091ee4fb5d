"""Parsers of single values: text from a CSV cell or a value from TOML in, a checked Python value out.

Each raises ValueError (or KeyError) on anything it does not accept; `schema.py` states the rule in words.
"""

import re
from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Any

from ecbench.agent_text import hidden_character
from ecbench.ranges import Range
from ecbench.world.model import MonthDay

Reader = Callable[[Any], Any]

FIRST_YEAR, LAST_YEAR = 1900, 2200
LONGEST_ANNOUNCED = 100  # characters

SKU = re.compile(r"[a-z0-9._-]{1,40}")
EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}")

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII).fullmatch
_PRICE = re.compile(r"\d+(?:\.\d+)?", re.ASCII).fullmatch
_WHOLE = re.compile(r"\d{1,9}", re.ASCII).fullmatch
SALT_DIGITS = "[0-9a-f]{16,128}"
_SALT = re.compile(SALT_DIGITS, re.ASCII).fullmatch
_MONTH_DAY = re.compile(r"(\d\d)-(\d\d)", re.ASCII).fullmatch


def prose(value: Any) -> str:
    """Text of any length, possibly empty or of several lines."""
    if not isinstance(value, str) or hidden_character(value):
        raise ValueError
    return value


def label(value: Any) -> str:
    """A name: one line, not empty, no spaces around it."""
    if not isinstance(value, str) or not value:
        raise ValueError
    if hidden_character(value) or "\n" in value or value != value.strip():
        raise ValueError
    return value


def announced_label(value: Any) -> str:
    """A name that appears in news, which is truncated: it has to be short enough to fit."""
    if len(text := label(value)) > LONGEST_ANNOUNCED:
        raise ValueError
    return text


def salt(value: Any) -> str:
    """A secret in hexadecimal digits."""
    if not isinstance(value, str) or not _SALT(value):
        raise ValueError
    return value


def sku(value: str) -> str:
    """As an agent can write it in an offer, whose SKU is read in lower case."""
    if not SKU.fullmatch(value):
        raise ValueError
    return value


def email(value: str) -> str:
    """As an agent can write it in a list of addresses, which spaces and commas separate."""
    if not EMAIL.fullmatch(value):
        raise ValueError
    return value


def one_of(names: Collection[str]) -> Reader:
    return {name: name for name in names}.__getitem__


def number_text(range_: Range) -> Reader:
    """A decimal number from text."""
    least, most = range_.least, range_.most

    def read(text: str) -> float:
        if not _NUMBER(text):
            raise ValueError
        value = float(text)
        if least < value < most or value in range_:  # the usual case, quickly
            return value
        raise ValueError

    return read


def price_text(range_: Range) -> Reader:
    """A price as tools show it, so without a sign or an exponent."""
    least, most = range_.least, range_.most

    def read(text: str) -> float:
        if not _PRICE(text) or not least <= (price := float(text)) <= most:
            raise ValueError
        return price

    return read


def whole_text(range_: Range) -> Reader:
    read_whole = whole(range_)

    def read(text: str) -> Any:
        if not _WHOLE(text):
            raise ValueError
        return read_whole(int(text))

    return read


def number(range_: Range) -> Reader:
    def read(value: Any) -> float:
        if value not in range_:
            raise ValueError
        return float(value)

    return read


def whole(range_: Range) -> Reader:
    def read(value: Any) -> int:
        if value not in range_:
            raise ValueError
        return int(value)

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


def windows(most: int) -> Reader:
    def read(value: Any) -> tuple[tuple[MonthDay, MonthDay], ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise ValueError
        return tuple(_window(span) for span in value)

    return read


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


def at_least_one(read: Reader) -> Reader:
    """A list that may not be empty."""

    def read_some(value: Any) -> Any:
        if not value:
            raise ValueError
        return read(value)

    return read_some
