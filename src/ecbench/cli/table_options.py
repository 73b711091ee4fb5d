"""The options of a command that shows one table of a statement."""

from dataclasses import dataclass
from typing import Annotated

import typer


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Which table of the statement is shown, which of its lines, and in which order."""

    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="TABLE",
            help="One table in full: store, category, sku, supplier, cheat, negotiation, promotion, event, loss, day.",
        ),
    ] = None
    sort: Annotated[
        str | None,
        typer.Option("--sort", metavar="COLUMN", help="Sort the table: numbers from the largest, texts from A."),
    ] = None
    reverse: Annotated[bool, typer.Option("--reverse", help="Turn the table's order around.")] = False
    only: Annotated[
        str | None, typer.Option("--filter", metavar="TEXT", help="Only lines of the table that contain the text.")
    ] = None
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N lines of the table.")
    ] = None
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False

    @property
    def selects(self) -> bool:
        """Whether an option is given that selects or orders lines."""
        return self.reverse or any(option is not None for option in (self.sort, self.only, self.limit))
