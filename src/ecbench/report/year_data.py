"""A year that a page shows, with the data of its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ecbench.market.economy import Economy
from ecbench.report.run_data import Funds, PlayedYear, review_of
from ecbench.report.stock_ages import GoodsFollowed, followed
from ecbench.review.model import Review
from ecbench.runs.results.statement import Statement, statement
from ecbench.runs.results.tables import YearTables
from ecbench.runs.terms import rules_of
from ecbench.world.model import World


@dataclass(frozen=True)
class ShownYear:
    """`played` with its tables; without them only its money is known."""

    played: PlayedYear
    world: World | None = None  # None where it cannot be found: the page has no names and no calendar then

    @property
    def money(self) -> Sequence[Funds]:
        return self.played.money

    @property
    def tables(self) -> YearTables | None:
        return self.played.tables

    @cached_property
    def goods(self) -> GoodsFollowed | None:
        """Computed once."""
        return followed(self.tables) if self.tables else None

    @cached_property
    def statement(self) -> Statement | None:
        """Where the money went; without titles, promotions and events where the world is not known."""
        if self.tables is None or self.goods is None:
            return None
        terms = self.played.run.terms_of(self.played.episode)
        economy = Economy.of(self.world, rules_of(terms)) if self.world else None
        return statement(self.tables, economy, self.goods.flow)

    @cached_property
    def review(self) -> Review | None:
        """None where the year has no review."""
        return review_of(self.played)
