"""The paper's own results: eighteen models, every column of its tables of results, as data.

One file per table (`data/published/`) with the text of every cell as the paper prints it, marks included; numbers are
read from it, in whole units: yuan if the paper prints thousands, per day if it prints thousandths. They were measured
on the paper's catalog; a run on another world is set beside them, not measured with them.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Literal

from ecbench.metrics.measures import MEASURES

Tier = Literal["proprietary", "open-weight"]

TABLES: Mapping[str, str] = {
    "leaderboard": "tab:leaderboard",
    "negotiation": "tab:res_d1",
    "fraud": "tab:res_d2",
    "solvency": "tab:res_d3",
    "efficiency": "tab:res_d4",
    "execution": "tab:res_d5",
    "learning": "tab:res_d6",
}
"""File and label of each table. Where two print the same column, the first of them gives its value."""

NAMING = ("model", "tier", "episodes")
MARKS = "†‡"  # behind a name or a cell: the table's note explains them
THOUSANDS = ("final_assets", "fraud_spend", "drawdown", "trough", "idle_wallet", "refund_loss")
THOUSANDTHS = ("surplus_slope_per_day",)
"""The columns that the paper prints in such units; all others are printed in whole ones."""
POPULATION_COLUMNS = ("anchor_ratio", "anchor_regret", "anchor_regret_null", "new_low_rate")
POPULATION_MODEL, POPULATION_TABLES = "GPT-5.5", ("leaderboard", "negotiation")
"""The paper's spreads are the sample's but for these columns, and for this model in these tables."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A cell of a table: a mean or total over the episodes, and its standard deviation where the paper prints one."""

    value: float
    spread: float | None = None
    of_population: bool = False  # the spread: divided by the number of episodes, not by one less
    value_text: str = ""  # the printed digits and marks, with the unit
    spread_text: str = ""

    @property
    def text(self) -> str:
        return " ± ".join(filter(None, (self.value_text, self.spread_text)))


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """One of the paper's models with all its printed figures."""

    name: str
    tier: Tier
    episodes: int
    figures: Mapping[str, Printed]

    def __getitem__(self, column: str) -> float:
        return self.figures[column].value

    def text(self, column: str) -> str:
        """The printed value, without its spread."""
        return self.figures[column].value_text


@dataclass(frozen=True, slots=True)
class PublishedMode:
    """How often a failure mode was met among the paper's episodes (tab:failure_modes)."""

    mode: str
    models: int
    episodes: int
    episodes_tested: int


@cache
def published_models() -> tuple[PublishedModel, ...]:
    """Most final assets first, as the paper orders them."""
    models = []
    for row in read_table("leaderboard"):
        figures: dict[str, Printed] = {}
        for table in TABLES:
            for column, printed in published_cells(table)[row["model"]].items():
                known = figures.setdefault(column, printed)
                if known.spread is None:
                    figures[column] = replace(printed, value=known.value, value_text=known.value_text)
        tier: Tier = "proprietary" if row["tier"] == "proprietary" else "open-weight"
        models.append(PublishedModel(row["model"], tier, int(row["episodes"]), figures))
    return tuple(models)


@cache
def published_cells(table: str) -> Mapping[str, Mapping[str, Printed]]:
    """The cells of a table by model, whose name has no marks, and by column."""
    found = {}
    for row in read_table(table):
        name = row["model"].rstrip(MARKS)
        whole = name == POPULATION_MODEL and table in POPULATION_TABLES
        cells = {column: _printed(column, cell) for column, cell in row.items() if column not in NAMING}
        found[name] = {
            column: replace(cell, of_population=cell.spread is not None and (whole or column in POPULATION_COLUMNS))
            for column, cell in cells.items()
        }
    return found


@cache
def published_modes() -> Mapping[str, PublishedMode]:
    rows = read_table("failure_modes")
    return {row["mode"]: PublishedMode(row["mode"], *(int(row[c]) for c in list(row)[1:])) for row in rows}


def read_table(name: str) -> list[dict[str, str]]:
    path = files("ecbench.metrics") / "data" / "published" / f"{name}.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def leading_number(text: str) -> Decimal:
    """The number that a printed cell begins with."""
    found = re.match(r"[+-]?[\d,]+(\.\d+)?", text)
    assert found, text
    return Decimal(found[0].replace(",", ""))


def _printed(column: str, cell: str) -> Printed:
    value, _, spread = cell.partition("±")
    exponent = 3 if column in THOUSANDS else -3 if column in THOUSANDTHS else 0
    return Printed(
        value=float(leading_number(value).scaleb(exponent)),
        spread=float(leading_number(spread).scaleb(exponent)) if spread else None,
        value_text=_with_unit(column, value),
        spread_text=_with_unit(column, spread) if spread else "",
    )


def _with_unit(column: str, printed: str) -> str:
    """`-3.5` as -¥3.5k, `18.48` as 18.48%: the digits and marks stay as they are printed."""
    unit = MEASURES[column].unit
    digits = printed.rstrip(MARKS).lstrip("+-")
    sign, marks = printed[: printed.index(digits)], printed[printed.index(digits) + len(digits) :]
    if column in THOUSANDTHS:
        digits = f"{Decimal(digits).scaleb(-3):f}"
    if unit == "¥":
        digits = f"¥{digits}k" if column in THOUSANDS else f"¥{digits}"
    return f"{sign}{digits}{'%' if unit == '%' else ''}{marks}"
