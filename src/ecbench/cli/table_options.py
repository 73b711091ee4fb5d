"""The options of a command that shows one table of a statement."""

from dataclasses import dataclass
from typing import Annotated

from ecbench.cli.declare import option
from ecbench.ranges import ROWS


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Which table of the statement is shown, which of its lines, and in which order."""

    by: Annotated[
        str | None,
        option(
            "--by",
            metavar="TABLE",
            help="One table in full: store, category, sku, supplier, cheat, negotiation, promotion, event, loss, day.",
        ),
    ] = None
    sort: Annotated[
        str | None,
        option("--sort", metavar="COLUMN", help="Sort the table: numbers from the largest, texts from A."),
    ] = None
    reverse: Annotated[bool, option("--reverse", help="Turn the table's order around.")] = False
    only: Annotated[
        str | None, option("--filter", metavar="TEXT", help="Only lines of the table that contain the text.")
    ] = None
    limit: Annotated[int | None, option("--limit", within=ROWS, help="Only the first N lines of the table.")] = None
    as_csv: Annotated[bool, option("--csv", help="Print the table as CSV.")] = False

    @property
    def selects(self) -> bool:
        """Whether an option is given that selects or orders lines."""
        return self.reverse or any(option is not None for option in (self.sort, self.only, self.limit))
