"""The look that the tables of all commands share."""

from rich.box import SIMPLE_HEAD
from rich.console import JustifyMethod
from rich.table import Table


def plain_table(*columns: str, title: str = "", no_wrap: bool = False) -> Table:
    """A column whose heading starts with > is aligned to the right."""
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
    return table
