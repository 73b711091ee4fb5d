"""The pages that `make docs` builds from the code: commands, Python, constants, measures, columns, arrays.

The meanings of columns and fields stand in `meanings.toml` beside this module.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from docs.site_build.commands_page import commands_block
from docs.site_build.numeric_page import numeric_block
from docs.site_build.python_page import python_block

from ecbench.metrics.estimators import Measure
from ecbench.metrics.losses.failure_modes import RULES as FAILURE_RULES
from ecbench.metrics.measures import DIMENSIONS, Field
from ecbench.metrics.published import published_modes
from ecbench.rules import rule_lines
from ecbench.runs.results.database import COLUMNS as TABLE_COLUMNS
from ecbench.world.world_folder import COLUMNS, UNIQUE

ESTIMATORS = {
    "mean": "mean ± sample std",
    "mean of population": "mean ± population std",
    "total": "total",
    "ratio": "ratio of means",
    "stouffer": "Stouffer: sum / √k",
}


class GeneratedPage(NamedTuple):
    """A page of the reference: its title, the line that the index has of it, and its text."""

    title: str
    about: str
    text: Callable[[], str]


@cache
def meanings() -> dict[str, Any]:
    """What columns and fields mean, by the section of the file."""
    return tomllib.loads(Path(__file__).with_name("meanings.toml").read_text(encoding="utf-8"))


def rules_block() -> str:
    rows = [[f"`{line.name}`", line.meaning, line.value, line.allowed] for line in rule_lines()]
    return _table(["rule", "what it is", "default", "each number must be"], rows)


def measures_block() -> str:
    sections = []
    for dimension, measures in DIMENSIONS.items():
        rows = [_measure_row(measure) for measure in measures]
        head = ["measure", "of one year", "unit", "better", "over the episodes of a run", "paper"]
        sections.append(f"### {dimension.capitalize()}\n\n{_table(head, rows)}")
    return "\n\n".join(sections)


def _measure_row(measure: Measure) -> list[str]:
    field = measure.read.path if isinstance(measure.read, Field) and measure.over is None else ""
    where = f"; `{field}`" if field else ""
    estimator = ESTIMATORS[measure.estimator]
    paper = ", ".join(f"`{label}`" for label in measure.paper.split(", ") if label)
    return [f"`{measure.name}`", measure.meaning + where, measure.unit, measure.better, estimator, paper]


def failure_modes_block() -> str:
    rows = []
    for name, rule in FAILURE_RULES.items():
        told = " ".join((rule.__doc__ or "").split())
        met = published_modes()[name]
        rows.append([f"`{name}`", told, f"{met.models} of 18", f"{met.episodes} of {met.episodes_tested}"])
    return _table(["mode", "rule", "models of the paper", "their episodes"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))


def tables_block() -> str:
    known = meanings()
    parts = [_table_section(table, known["tables"][table]) for table in TABLE_COLUMNS]
    fields = _table(["field", "meaning"], [[f"`{name}`", about] for name, about in known["fields"].items()])
    return "\n\n".join(["## Tables of results.db", *parts, "## Fields of metrics.json beside the measures", fields])


def _table_section(table: str, known: Mapping[str, Any]) -> str:
    rows = [[f"`{name}`", known["columns"].get(name, "")] for name in TABLE_COLUMNS[table]]
    return "\n\n".join([f"### {table}", known["about"], _table(["column", "meaning"], rows)])


def world_files_block() -> str:
    known = meanings()["world"]
    return "\n\n".join(
        f"## {name}\n\n{_table(['name', 'meaning', 'must be'], list(_world_rows(name, known[name])))}"
        for name in COLUMNS
    )


def _world_rows(name: str, known: Mapping[str, str]) -> Iterator[list[str]]:
    for column in COLUMNS[name]:
        marks = "; unique" if column.name in UNIQUE.get(name, ()) else "; optional" if column.optional else ""
        yield [f"`{column.name}`", known.get(column.name, ""), column.rule + marks]


PAGES: Mapping[str, GeneratedPage] = {
    "reference/commands.md": GeneratedPage("Commands", "every command, argument and option.", commands_block),
    "reference/python.md": GeneratedPage("Python names", "the public names with their signatures.", python_block),
    "reference/constants.md": GeneratedPage("Constants", "every constant of the rules, with its range.", rules_block),
    "reference/measures.md": GeneratedPage(
        "Measures",
        "every measure and every failure mode.",
        lambda: f"{measures_block()}\n\n### Failure modes\n\n{failure_modes_block()}",
    ),
    "reference/tables.md": GeneratedPage("Tables", "every column of results.db.", tables_block),
    "reference/world-files.md": GeneratedPage("World files", "every key and column of a world.", world_files_block),
    "reference/arrays.md": GeneratedPage("Arrays", "the arrays of the numeric environment.", numeric_block),
}
