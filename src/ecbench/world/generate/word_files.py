"""The word lists that fresh worlds are made of: CSV files in `data/`, whose cells may hold several words."""

import csv
from collections.abc import Iterator
from importlib.resources import files

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
