"""A recorded year played again, with everything kept that a bill is made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.books import Books
from ecbench.market.journal import Evening, Journal
from ecbench.players.turn import State, Turn
from ecbench.rules import Rules
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.results.tables import CallRow


@dataclass(frozen=True, slots=True)
class BilledYear:
    """The year as its record left it, and how it came there."""

    year: Episode
    turns: Sequence[Turn]
    states: Sequence[State]  # after each turn
    calls: Sequence[CallRow]  # of all turns
    over: bool  # else what was not sold or sent may still be

    @property
    def books(self) -> Books:
        return self.year.account.books

    @property
    def rules(self) -> Rules:
        return self.year.account.rules

    @property
    def journal(self) -> Journal:
        journal = self.year.account.journal
        assert journal is not None, "a year without a journal has forgotten what it sold"
        return journal

    @property
    def evenings(self) -> Sequence[Evening]:
        assert self.journal.evenings is not None, "keep_evenings was not called before the first turn"
        return self.journal.evenings

    @property
    def last_day(self) -> int:
        """Of the merchant's own last morning; the market of an arena may have gone on without it."""
        return self.books.days[-1].day if self.books.days else 0


def keep_evenings(seat: RecordedSeat) -> None:
    """To be called before the first turn."""
    journal = seat.year.account.journal
    assert journal is not None
    journal.evenings = []


def played(seat: RecordedSeat) -> BilledYear:
    """What a seat holds that has played all of its recording again."""
    recording = seat.recording
    return BilledYear(seat.year, recording.turns, recording.states, seat.recorder.tally.calls.rows, recording.finished)
