"""A year that a page shows, with the data of its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ecbench.analysis.review.model import Review
from ecbench.pages.report.run_data import Funds, PlayedYear, review_of
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.table_rows import YearTables
from ecbench.runs.results.year_view import YearView, view_year
from ecbench.world.model import World


@dataclass(frozen=True)
class ShownYear:
    """An episode with its results; without a report only its money is known."""

    played: PlayedYear
    world: World | None = None  # None where it cannot be found: the page has no names and no calendar then

    @property
    def money(self) -> Sequence[Funds]:
        return self.played.money

    @cached_property
    def view(self) -> YearView | None:
        return view_year(self.played.run, self.played.episode) if self.played.report is not None else None

    @property
    def tables(self) -> YearTables | None:
        return self.view.tables if self.view else None

    @property
    def statement(self) -> Statement | None:
        """Where the money went."""
        return self.view.statement if self.view else None

    @cached_property
    def review(self) -> Review | None:
        """None where the year has no review."""
        return review_of(self.played)
