"""The console and the look that the tables of all commands share."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from ecbench.cli.terminal import harmless
from ecbench.runs.results.statement import LineColumn, StatementTable


class PlainConsole(Console):
    """A console that shows every text as it is, in tables and titles too."""

    def render_str(self, text: str, **look: Any) -> Text:
        return super().render_str(harmless(text), **look)


def plain_console(*, stderr: bool = False) -> Console:
    return PlainConsole(stderr=stderr, markup=False, emoji=False, highlight=False)


def plain_table(
    *columns: str, rows: Iterable[Sequence[str | Text]] = (), title: str = "", no_wrap: bool = False
) -> Table:
    """Make a table. A column whose heading starts with > is aligned to the right."""
    table = Table(
        title=f"\n{title}" if title else None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    for column in columns:
        justify: JustifyMethod = "right" if column.startswith(">") else "left"
        table.add_column(column.removeprefix(">"), justify=justify, no_wrap=no_wrap)
    for row in rows:
        table.add_row(*row)
    return table


NAME_PART = 4  # of the room: what a long text should have; where it needs more, it takes several lines


def print_table(console: Console, table: StatementTable, lines: Sequence[Any], hint: str = "") -> None:
    """Print some of its lines, and what belongs to none. `hint` says how to see the others."""
    columns, narrow = _columns_that_fit(table.columns, lines, console.width)
    texts = [[column.text(line, narrow=narrow) for column in columns] for line in lines]
    widths = _widths(columns, texts, console.width)
    shown = plain_table(*(f">{column.heading}" if column.number else column.heading for column in columns), rows=texts)
    for index, column in enumerate(shown.columns):
        column.no_wrap, column.width = columns[index].number, widths[index]
    console.print(f"\n{table.title}", style="bold")
    console.print(table.note_on(columns), style="dim")
    console.print(shown)
    if len(lines) < len(table.lines):
        console.print(f"{len(table.lines) - len(lines):,} more{hint}")
    if table.remainder:
        console.print(table.sum_text)


def _columns_that_fit(columns: Sequence[LineColumn], lines: Sequence[Any], room: int) -> tuple[list[LineColumn], bool]:
    """All columns; else millions instead of digits; else without extra columns, the last first."""
    left = list(columns)
    if _least(left, lines, room, narrow=False) <= room:
        return left, False
    for column in reversed([each for each in columns if each.extra]):
        if _least(left, lines, room, narrow=True) <= room:
            break
        left.remove(column)
    return left, True


def _least(columns: Sequence[LineColumn], lines: Sequence[Any], room: int, *, narrow: bool) -> int:
    """The width that they should have: numbers whole, and of each text a part of the room if it can use that."""
    total = len(columns) - 1
    for column in columns:
        texts = [column.heading, *(column.text(line, narrow=narrow) for line in lines)]
        total += _whole(texts) if column.number else max(_longest_word(texts), min(_whole(texts), room // NAME_PART))
    return total


def _widths(columns: Sequence[LineColumn], texts: Sequence[Sequence[str]], room: int) -> list[int]:
    """A number is whole, a text has room for its longest word; what is left goes to the texts, the shortest first."""
    cells = [[column.heading, *(row[index] for row in texts)] for index, column in enumerate(columns)]
    whole = [_whole(column) for column in cells]
    widths = [whole[index] if column.number else _longest_word(cells[index]) for index, column in enumerate(columns)]
    left = room - sum(widths) - (len(widths) - 1)
    waiting = sorted((index for index in range(len(widths)) if whole[index] > widths[index]), key=whole.__getitem__)
    for done, index in enumerate(waiting):
        more = max(min(whole[index] - widths[index], left // (len(waiting) - done)), 0)
        widths[index] += more
        left -= more
    return widths


def _whole(texts: Sequence[str]) -> int:
    return max(map(len, texts))


def _longest_word(texts: Sequence[str]) -> int:
    return max(len(word) for text in texts for word in text.split() or [""])
