"""The console and the look that the tables of all commands share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod, OverflowMethod, RenderableType
from rich.table import Table
from rich.text import Text

from ecbench.cli.terminal import harmless
from ecbench.formatting import MISSING, times_stake, yuan
from ecbench.runs.results.statement import LineColumn, StatementTable


class PlainConsole(Console):
    """A console that shows every text as it is, in tables and titles too."""

    def render_str(self, text: str, **look: Any) -> Text:
        return super().render_str(harmless(text), **look)


def plain_console() -> Console:
    return PlainConsole(markup=False, emoji=False, highlight=False)


def plain_table(
    *columns: str, rows: Iterable[Sequence[RenderableType]] = (), title: str = "", whole: bool = False
) -> Table:
    """Make a table. A column whose heading starts with > is aligned to the right. `whole`: no figure is cut or wrapped,
    and long names are broken instead."""
    table = Table(
        title=f"\n{title}" if title else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    for column in columns:
        number = column.startswith(">")
        justify: JustifyMethod = "right" if number else "left"
        overflow: OverflowMethod = "fold" if whole else "ellipsis"
        table.add_column(column.removeprefix(">"), justify=justify, no_wrap=whole and number, overflow=overflow)
    for row in rows:
        table.add_row(*row)
    return table


OWN = "bold green"

FORMATS: Mapping[str, Callable[[Any], str]] = {
    "count": "{:,}".format,
    "yuan": yuan,
    "percent": "{:.0%}".format,
    "hundredths": "{:.2f}".format,
    "times": times_stake,
}

Columns = Mapping[str, str | Callable[[Any], RenderableType]]
"""By heading: the key of the cell, with a format behind a colon if it is a number, or a function of the row."""


def rows_table(
    rows: Sequence[Any], columns: Columns, title: str = "", *, own: Any = None, whole: bool = False
) -> Table:
    """A table of mappings or objects, of which `own` stands out. Numbers are aligned to the right."""
    headings = [f">{name}" if isinstance(what, str) and ":" in what else name for name, what in columns.items()]
    table = plain_table(*headings, title=title, whole=whole)
    for row in rows:
        table.add_row(*(_cell(row, what) for what in columns.values()), style=OWN if row is own else None)
    return table


def _cell(row: Any, what: str | Callable[[Any], RenderableType]) -> RenderableType:
    if not isinstance(what, str):
        return what(row)
    key, _, form = what.partition(":")
    value = row[key] if isinstance(row, Mapping) else getattr(row, key)
    return MISSING if value is None else FORMATS[form](value) if form else str(value)


def words(text: str, style: str = "") -> Text:
    """A text that is wrapped at the width of the console."""
    return Text(harmless(text), style)


NAME_PART = 4  # of the room: what a long text should have; where it needs more, it takes several lines


def table_parts(table: StatementTable, lines: Sequence[Any], width: int, hint: str = "") -> Iterator[Text | Table]:
    """Some lines of a table of a statement, and what belongs to none. `hint` says how to see the others."""
    columns, narrow = _columns_that_fit(table.columns, lines, width)
    rows = [[column.text(line, narrow=narrow) for column in columns] for line in lines]
    headings = [f">{column.heading}" if column.number else column.heading for column in columns]
    shown = plain_table(*headings, rows=rows, whole=True)
    for index, column in enumerate(shown.columns):
        column.min_width = _least_width(columns[index], [row[index] for row in rows])
    yield words(f"\n{table.title}", "bold")
    yield words(table.note_on(columns), "dim")
    yield shown
    if len(lines) < len(table.lines):
        yield words(f"{len(table.lines) - len(lines):,} more{hint}")
    if table.remainder:
        yield words(table.sum_text)


def _columns_that_fit(columns: Sequence[LineColumn], lines: Sequence[Any], room: int) -> tuple[list[LineColumn], bool]:
    """All columns; else millions instead of digits; else without extra columns, the last first."""

    def fits(narrow: bool) -> bool:
        texts = [[column.text(line, narrow=narrow) for line in lines] for column in left]
        return sum(map(_least_width, left, texts, [room] * len(left))) + len(left) - 1 <= room

    left = list(columns)
    if fits(narrow=False):
        return left, False
    for column in reversed([each for each in columns if each.extra]):
        if fits(narrow=True):
            break
        left.remove(column)
    return left, True


def _least_width(column: LineColumn, texts: Sequence[str], room: int = 0) -> int:
    """A number is whole; a text has room for its longest word, and for a part of the room if it can use that."""
    cells = [column.heading, *texts]
    whole, word = max(map(len, cells)), max(len(word) for text in cells for word in text.split() or [""])
    return whole if column.number else max(word, min(whole, room // NAME_PART))
