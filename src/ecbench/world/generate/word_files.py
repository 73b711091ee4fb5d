"""The word lists that fresh worlds are made of: CSV files in `data/`, whose cells may contain several words.

As in the published calendar (tab:asymmetry), the news quotes the delay of an event that slows deliveries and nothing
else, and leaves it open if the event moves demand too. It never quotes how much demand moves.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

SEPARATOR = "; "


def rows(file: str) -> Iterator[list[str]]:
    """The rows of a file in `data/`, without its header."""
    text = (files("ecbench.world.generate") / "data" / file).read_text(encoding="utf-8")
    lines = csv.reader(text.splitlines(), strict=True)
    next(lines)
    return lines


def words(cell: str) -> tuple[str, ...]:
    """The words of a cell, in order."""
    return tuple(cell.split(SEPARATOR)) if cell else ()


class EventKind(NamedTuple):
    """A kind of event that fresh worlds draw from."""

    name: str
    months: tuple[int, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    delayed: frozenset[str] | None  # store types; None: all of them
    news: str


@cache
def event_kinds() -> tuple[EventKind, ...]:
    """Every kind, in the order of `data/event_kinds.csv`. There, `all` means that every store type is delayed."""
    return tuple(
        EventKind(
            name,
            tuple(map(int, words(months))),
            words(more),
            words(less),
            None if delayed == "all" else frozenset(words(delayed)),
            news,
        )
        for name, months, more, less, delayed, news in rows("event_kinds.csv")
    )


@dataclass(frozen=True, slots=True)
class Line:
    """Goods of one kind and price class: any product here may carry any of the materials, features and sizes beside it.

    A title reads "Brand Material Product, Feature, Size"; an empty tuple leaves that part out, but at least two
    of the three are given. Sizes are listed upwards. `level` says where in the category's price band these goods
    belong, from 0 (cheapest) to 1 (dearest).
    """

    level: float
    products: tuple[str, ...]
    materials: tuple[str, ...]
    features: tuple[str, ...]
    sizes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one category. Brands are invented names that fit its goods."""

    category: str
    brands: tuple[str, ...]
    lines: tuple[Line, ...]


@cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """The vocabulary of every category, by its name."""
    lines: dict[str, list[Line]] = {}
    for category, level, *lists in rows("lines.csv"):
        lines.setdefault(category, []).append(Line(float(level), *map(words, lists)))
    return MappingProxyType(
        {
            category: Vocabulary(category, words(brands), tuple(lines[category]))
            for category, brands in rows("brands.csv")
        }
    )
