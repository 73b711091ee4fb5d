"""The paper's own results: eighteen models, every column of its tables of results, as data.

One file per table (`data/published/`), figures as the paper prints them and in whole units: yuan where it prints
thousands, per day where it prints thousandths. They were measured on the paper's catalog; a run on another world is set
beside them, not measured with them.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

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
SPREAD = "_std"
POPULATION_COLUMNS = ("anchor_ratio", "anchor_regret", "anchor_regret_null", "new_low_rate")
POPULATION_MODEL, POPULATION_TABLES = "GPT-5.5", ("leaderboard", "negotiation")
"""The paper's spreads are the sample's but for these columns, and for this model in these tables."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A cell of a table: a mean or total over the episodes, and its standard deviation where the paper prints one."""

    value: float
    spread: float | None = None
    of_population: bool = False  # the spread: divided by the number of episodes, not by one less


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """One of the paper's models with all its printed figures."""

    name: str
    tier: Tier
    episodes: int
    figures: Mapping[str, Printed]

    def __getitem__(self, column: str) -> float:
        return self.figures[column].value


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
    tables = {name: {row["model"]: row for row in read_table(name)} for name in TABLES}
    models = []
    for name, row in tables["leaderboard"].items():
        figures: dict[str, Printed] = {}
        for title, table in tables.items():
            for column, printed in _printed(title, table[name]):
                known = figures.setdefault(column, printed)
                if known.spread is None:
                    figures[column] = replace(printed, value=known.value)
        tier: Tier = "proprietary" if row["tier"] == "proprietary" else "open-weight"
        models.append(PublishedModel(name, tier, int(row["episodes"]), figures))
    return tuple(models)


@cache
def published_modes() -> Mapping[str, PublishedMode]:
    rows = read_table("failure_modes")
    return {row["mode"]: PublishedMode(row["mode"], *(int(row[c]) for c in list(row)[1:])) for row in rows}


def read_table(name: str) -> list[dict[str, str]]:
    path = files("ecbench.metrics") / "data" / "published" / f"{name}.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def _printed(table: str, row: Mapping[str, str]) -> Iterator[tuple[str, Printed]]:
    whole = row["model"] == POPULATION_MODEL and table in POPULATION_TABLES
    for column, cell in row.items():
        if column not in NAMING and not column.endswith(SPREAD):
            spread = row.get(column + SPREAD)
            of_population = spread is not None and (whole or column in POPULATION_COLUMNS)
            yield column, Printed(float(cell), None if spread is None else float(spread), of_population)
