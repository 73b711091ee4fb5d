"""A year that a page tells of, with all that its figures are drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ecbench.report.lots import GoodsFollowed, followed
from ecbench.report.run_data import Funds, PlayedYear, review_of
from ecbench.review.model import Review
from ecbench.runs.results.tables import YearTables
from ecbench.world.model import World


@dataclass(frozen=True)
class ShownYear:
    """`played` with its tables; without them its money is all that is known of it."""

    played: PlayedYear
    world: World | None = None  # None where it lies elsewhere now: a page goes without its names and its calendar

    @property
    def money(self) -> Sequence[Funds]:
        return self.played.money

    @property
    def tables(self) -> YearTables | None:
        return self.played.tables

    @cached_property
    def goods(self) -> GoodsFollowed | None:
        """Worked out once for all who ask."""
        return followed(self.tables) if self.tables else None

    @cached_property
    def review(self) -> Review | None:
        """None where nobody has reviewed it."""
        return review_of(self.played)
