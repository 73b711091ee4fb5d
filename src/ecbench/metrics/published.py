"""The paper's own results: eighteen models, every column of its tables as printed, measured on the paper's catalog."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from ecbench.metrics.labels import packaged_rows


class TableTerms(NamedTuple):
    """A table of the paper: the name that selects it, its file, and what the marks of its figures mean."""

    key: str
    title: str
    label: str
    file: str
    note: str


NAMING = ("model", "tier", "episodes")
MARKS = "†‡"  # behind a name or a cell: the table's note explains them


@dataclass(frozen=True, slots=True)
class Printed:
    """A cell of a table: a mean or total over the episodes, and its standard deviation where the paper prints one."""

    value: float
    spread: float | None = None
    value_text: str = ""  # the printed digits and marks, with the unit
    spread_text: str = ""

    @property
    def text(self) -> str:
        return " ± ".join(filter(None, (self.value_text, self.spread_text)))


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """One of the paper's models with all its printed figures."""

    name: str
    episodes: int
    figures: Mapping[str, Printed]

    def __getitem__(self, column: str) -> float:
        return self.figures[column].value

    def text(self, column: str) -> str:
        """The printed value, without its spread."""
        return self.figures[column].value_text


class PublishedMode(NamedTuple):
    """How often a failure mode was met among the paper's episodes (tab:failure_modes)."""

    models: int
    episodes: int
    episodes_tested: int


@cache
def published_models() -> tuple[PublishedModel, ...]:
    """Most final assets first, as the paper orders them."""
    models = []
    for row in packaged_rows("published/leaderboard"):
        figures: dict[str, Printed] = {}
        for table in RESULTS:
            for column, printed in published_cells(table.file)[row["model"]].items():
                known = figures.setdefault(column, printed)
                if known.spread is None:
                    figures[column] = replace(printed, value=known.value, value_text=known.value_text)
        models.append(PublishedModel(row["model"], int(row["episodes"]), figures))
    return tuple(models)


@cache
def published_cells(table: str) -> Mapping[str, Mapping[str, Printed]]:
    """The cells of a table by model, whose name has no marks, and by column."""
    return {
        row["model"].rstrip(MARKS): {column: _printed(cell) for column, cell in row.items() if column not in NAMING}
        for row in packaged_rows(f"published/{table}")
    }


@cache
def published_modes() -> Mapping[str, PublishedMode]:
    return {
        mode: PublishedMode(*map(int, counts))
        for mode, *counts in map(dict.values, packaged_rows("published/failure_modes"))
    }


PAPER_TABLES = tuple(TableTerms(**row) for row in packaged_rows("paper_tables"))
"""Every table of results, in the paper's order."""
RESULTS = PAPER_TABLES[:7]
"""The leaderboard and the six dimensions. Where two print the same column, the first of them gives its value."""


def leading_number(text: str) -> float:
    """The number that a printed cell begins with; `k` stands for thousands."""
    found = re.match(r"([+-]?)¥?([\d,]+(?:\.\d+)?)(k?)", text)
    assert found, text
    sign, digits, thousands = found.groups()
    return float(Decimal(sign + digits.replace(",", "")).scaleb(3 if thousands else 0))


def _printed(cell: str) -> Printed:
    value, _, spread = cell.partition(" ± ")
    return Printed(leading_number(value), leading_number(spread) if spread else None, value, spread)
