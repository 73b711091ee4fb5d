"""A recorded year after its replay, with everything that a bill is made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.books import Books
from ecbench.market.journal import Journal
from ecbench.players.turn import Turn
from ecbench.review.bill.evenings import Evening
from ecbench.rules import Rules
from ecbench.tools.outcome import Outcome


@dataclass(frozen=True, slots=True)
class BilledYear:
    """The year as its record left it, and how it came there."""

    year: Episode
    turns: Sequence[Turn]  # those that are complete
    over: bool  # else what was not sold or sent may still be
    evenings: Sequence[Evening]

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """Of all calls of the year."""
        return (outcome for turn in self.turns for outcome in turn.outcomes)

    @property
    def books(self) -> Books:
        return self.year.account.books

    @property
    def rules(self) -> Rules:
        return self.year.account.rules

    @property
    def journal(self) -> Journal:
        journal = self.year.account.journal
        assert journal is not None, "only a year with a journal can be billed"
        return journal

    @property
    def last_day(self) -> int:
        """Of the merchant's own last morning; rivals may have gone on without it."""
        return self.books.days[-1].day if self.books.days else 0
