"""Parsers of single values: text from a CSV cell or a value from TOML in, a checked Python value out.

Each raises ValueError (or KeyError) on anything it does not accept; `schema.py` states the rule in words.
"""

import re
from collections.abc import Callable, Collection
from datetime import date, datetime
from math import inf
from typing import Any

from ecbench.agent_text import hidden_character
from ecbench.ranges import Range
from ecbench.world.model import MonthDay

Reader = Callable[[Any], Any]

FIRST_YEAR, LAST_YEAR = 1900, 2200
LONGEST_ANNOUNCED = 100  # characters

SKU = re.compile(r"[a-z0-9._-]{1,40}")  # as an agent can write it in an offer, whose SKU is read in lower case
# As an agent can write it in a list of addresses, which spaces and commas separate.
EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}")
SALT = re.compile(r"[0-9a-f]{16,128}", re.ASCII)  # a secret in hexadecimal digits

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
PRICE = re.compile(r"\d+(?:\.\d+)?", re.ASCII)  # as tools show it, so without a sign or an exponent
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
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


def matching(pattern: re.Pattern[str]) -> Reader:
    def read(value: Any) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError
        return value

    return read


def one_of(names: Collection[str]) -> Reader:
    return {name: name for name in names}.__getitem__


def cell(range_: Range, form: re.Pattern[str] = NUMBER) -> Reader:
    """A number from text of this form, whole where the range is."""
    least, most, kind = range_.least, range_.most, int if range_.whole else float
    fits = (_WHOLE if range_.whole else form).fullmatch

    def read(text: str) -> float:
        if not fits(text):
            raise ValueError
        value = kind(text)
        if least < value < most or value in range_:  # the usual case, quickly
            return value
        raise ValueError

    return read


def number(range_: Range) -> Reader:
    """A number from TOML, whole where the range is."""

    def read(value: Any) -> float:
        if value not in range_:
            raise ValueError
        return int(value) if range_.whole else float(value)

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


def written_month_day(day: MonthDay) -> str:
    """As `month_day` reads it."""
    return f"{day[0]:02d}-{day[1]:02d}"


def several(read: Reader, least: int = 0, most: float = inf) -> Reader:
    """A list of a given number of values of one kind."""

    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise ValueError
        return tuple(read(item) for item in value)

    return read_all
