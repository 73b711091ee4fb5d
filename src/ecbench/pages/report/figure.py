"""A figure is data: a table of `figures.toml` with its question, its query, and the marks that draw its rows.

The query reads the database of a report (`report_database.py`), or an episode's `results.db` with the tables of
`year_database.py`. `caption` is a query on the same `rows` that makes one sentence. `vega.py` draws.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from sqlite3 import Connection
from typing import Any, Literal

from markupsafe import Markup

from ecbench.csv_text import sheet
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.vega import Rows, Spec, alone, drawn, inline, spec_of

Scope = Literal["runs", "year"]


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure as `figures.toml` declares it."""

    key: str
    of: Scope
    title: str
    question: str
    query: str
    caption: str
    chart: Mapping[str, Any]
    paper: tuple[str, ...] = ()  # the labels of the figures in the paper that it follows
    papers_only: bool = False  # whether it shows the paper's models alone


@dataclass(frozen=True, slots=True)
class FilledFigure:
    """A figure with its rows, which become the CSV.

    `apart` are the rows without the paper's models where they are in it; empty there: nothing would be left.
    """

    figure: ReportFigure
    rows: Rows
    caption: str
    apart: Rows | None = None

    @property
    def spec(self) -> Spec:
        return spec_of(self.figure.chart, self.rows)

    @property
    def layered(self) -> bool:
        """Whether the paper's models are in it."""
        return self.apart is not None


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """`svg` and `apart` are drawings for the page, the latter without the paper's models; `file` and `table` files."""

    filled: FilledFigure
    id: str  # on the page
    svg: Markup
    apart: Markup | None
    file: str
    table: str


@cache
def figures(of: Scope) -> tuple[ReportFigure, ...]:
    """In the order in which a page shows them."""
    content = (files("ecbench.pages.report") / "figures.toml").read_text(encoding="utf-8")
    known = (_figure(stated) for stated in tomllib.loads(content)["figure"])
    return tuple(figure for figure in known if figure.of == of)


def _figure(stated: dict[str, Any]) -> ReportFigure:
    fields = {name: stated.pop(name) for name in list(stated) if name in ReportFigure.__slots__}
    return ReportFigure(**{**fields, "paper": tuple(fields.get("paper", ())), "chart": stated})


def fill(figure: ReportFigure, database: Connection, *, papers: bool = False, seat: int = 0) -> FilledFigure | None:
    """The rows of a figure; None where it has nothing to show. `papers`: whether the paper's models may be in it."""
    rows = _rows(database, figure.query, {"papers": papers, "seat": seat})
    own = [row for row in rows if not row.get("published")]
    if not (rows if figure.papers_only else own):
        return None
    caption = f"with rows as materialized ({figure.query}) select * from ({figure.caption})"
    [[text]] = database.execute(caption, {"papers": papers, "seat": seat}).fetchall()
    apart = None
    if len(own) < len(rows):
        apart = [] if figure.papers_only else _rows(database, figure.query, {"papers": False, "seat": seat})
    return FilledFigure(figure, rows, text, apart)


def fill_all(of: Scope, database: Connection, *, papers: bool = False, seat: int = 0) -> list[FilledFigure]:
    """Those that have something to show."""
    found = (fill(figure, database, papers=papers, seat=seat) for figure in figures(of))
    return [each for each in found if each is not None]


def _rows(database: Connection, query: str, parameters: Mapping[str, Any]) -> Rows:
    found = database.execute(query, parameters)
    names = [column for column, *_ in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def draw(filled: FilledFigure, prefix: str) -> DrawnFigure:
    """A figure as a page shows it and as files; `prefix` makes its ids unique on the page."""
    figure, element_id = filled.figure, f"{prefix}-{filled.figure.key}"
    label, svg = f"{figure.title}. {filled.caption}", drawn(filled.spec)
    apart = drawn(spec_of(figure.chart, filled.apart)) if filled.apart else None
    return DrawnFigure(
        filled=filled,
        id=element_id,
        svg=Markup(inline(svg, element_id, label)),
        apart=None if apart is None else Markup(inline(apart, f"{element_id}-apart", label)),
        file=alone(svg, LIGHT),
        table=sheet(list(filled.rows[0]), ([*row.values()] for row in filled.rows)),
    )
