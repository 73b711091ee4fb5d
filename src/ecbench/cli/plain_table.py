"""The console and the look that the tables of all commands share."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from ecbench.cli.terminal import harmless


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
