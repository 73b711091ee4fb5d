"""The one way in which commands print tables: rows, and for each column a heading, a kind of figure and a side."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ecbench.cli.terminal import harmless
from ecbench.formatting import MISSING, times_stake, yuan

OWN = "bold green"

FORMATS: Mapping[str, Callable[[Any], str]] = {
    "count": "{:,}".format,
    "yuan": yuan,
    "percent": "{:.0%}".format,
    "hundredths": "{:.2f}".format,
    "times": times_stake,
    "yuan_span": lambda span: f"¥{span[0]:,g}–{span[1]:,g}",
    "percent_span": lambda span: "–".join(map("{:.0%}".format, span)),
}

Cell = str | Callable[[Any], RenderableType]
Columns = str | Mapping[str, Cell]
"""By heading: the key of the cell, with a format behind a colon if it is a number, or a function of the row. A text has
only the keys, which are the headings, too."""


class PlainConsole(Console):
    """A console that shows every text as it is, in tables and titles too."""

    def render_str(self, text: str, **look: Any) -> Text:
        return super().render_str(harmless(text), **look)


def plain_console() -> Console:
    return PlainConsole(markup=False, emoji=False, highlight=False)


def words(text: str, style: str = "") -> Text:
    """A text that is wrapped at the width of the console."""
    return Text(harmless(text), style)


def plain_table(*headings: str, rows: Iterable[Sequence[RenderableType]], title: str = "") -> Table:
    """A table of texts. A column whose heading starts with > is aligned to the right, and no figure in it is broken."""
    table = Table(
        title=f"\n{title}" if title else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    rows = list(rows)
    for index, heading in enumerate(headings):
        if heading.startswith(">"):
            lines = [*heading.removeprefix(">").splitlines(), *(str(row[index]) for row in rows)]
            least = max(map(len, lines), default=0)
            table.add_column(heading.removeprefix(">"), justify="right", no_wrap=True, min_width=least)
        else:
            table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def rows_table(rows: Sequence[Any], columns: Columns, title: str = "", *, own: Any = None) -> Table:
    """A table of mappings or objects, of which `own` stands out. Numbers are aligned to the right."""
    if isinstance(columns, str):
        columns = {key.partition(":")[0].replace("_", "\n" if ":" in key else " "): key for key in columns.split()}
    headings = [f">{name}" if isinstance(what, str) and ":" in what else name for name, what in columns.items()]
    table = plain_table(*headings, rows=[[_cell(row, what) for what in columns.values()] for row in rows], title=title)
    for drawn, row in zip(table.rows, rows):
        drawn.style = OWN if row is own else None
    return table


def _cell(row: Any, what: Cell) -> RenderableType:
    if not isinstance(what, str):
        return what(row)
    key, _, form = what.partition(":")
    value = row[key] if isinstance(row, Mapping) else getattr(row, key)
    value = "; ".join(value) if isinstance(value, list) else value
    return MISSING if value is None else FORMATS[form](value) if form else str(value)
