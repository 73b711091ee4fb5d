"""A table in play: every turn is counted against its seat's limits and recorded. All players use it.

A client that plays a year by itself hands in one turn after another:

    session = TableSession(Table(world))
    while session.ending() is None:
        outcomes = session.take(Move([{"name": "wait_for_next_day", "arguments": {}}]))

`players/loop.py` asks players for the turns of one seat or of several.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.players.turn import Leave, Move, Record, Turn
from ecbench.table import Table
from ecbench.tools.outcome import Outcome

IDLE_LIMIT = 3  # turns without a call, in a row
NEVER_ACTED = (
    "0 tool calls in {answers} answers: is tool calling on? Switch it on at the model's server, or take a model that "
    "can call tools; `ecbench doctor` with the model's name finds out which"
)


class TurnRecorder:
    """Records the turns of a table, or compares them with those that are recorded already. This one does neither."""

    def next_turn(self, _seat: int) -> Turn | None:
        """The recorded turn of the seat that is to be replayed next; None if its record ends."""

    def next_leave(self, _seat: int) -> Leave | None:
        """The departure of the seat, where the record has it next."""

    def expect(self, _seat: int, _calls: Sequence[Record]) -> None:
        """Called before calls run; raises Divergence if the record has other calls."""

    def handed_in(self, _turn: Turn) -> None:
        """The turn waits for the morning: its calls are recorded now, its outcomes later."""

    def completed(self, _turn: Turn, _year: Episode) -> None:
        """The turn is over."""

    def left(self, _seat: int, _leave: Leave) -> None:
        """The seat leaves while rivals continue."""


@dataclass(slots=True)
class SeatCount:
    """What a seat has used of its limits."""

    max_turns: int | None = None
    turns: int = 0
    calls: int = 0
    idle: int = 0  # turns without a call, in a row
    acted: bool = False  # whether the agent that sits there now has called a tool


class TableSession:
    """A table, the counts of its seats, and its recorder. Without a turn limit only the year, or idleness, ends it."""

    __slots__ = ("_over", "_under_way", "counts", "departures", "idle_limit", "recorder", "table", "years")

    def __init__(
        self,
        table: Table,
        recorder: TurnRecorder | None = None,
        *,
        max_turns: Sequence[int | None] | int | None = None,
        idle_limit: int = IDLE_LIMIT,
    ) -> None:
        self.table = table
        self.recorder = recorder or TurnRecorder()
        limits = max_turns if isinstance(max_turns, Sequence) else [max_turns] * table.seats
        self.counts = [SeatCount(limit) for limit in limits]
        self.years = [Episode.at(table, seat) for seat in range(table.seats)]
        self.idle_limit = idle_limit
        self.departures: dict[int, Leave] = {}  # by seat, those who left before their year was over
        self._under_way: dict[int, Turn] = {}  # by seat, the turns that wait for the morning
        self._over: set[int] = set()  # seats that `newly_over` has named

    def ending(self, seat: int = 0) -> str | None:
        """Why the seat can take no further turn; None while it can."""
        ended, count = self.years[seat].ending, self.counts[seat]
        if ended is not None:
            return ended
        if count.idle >= self.idle_limit:
            return "idle"
        return "turn_limit" if count.max_turns is not None and count.turns >= count.max_turns else None

    def departure(self, seat: int) -> Leave | None:
        """How the seat leaves by its own limits; an agent that never called a tool leaves with the likely cause."""
        ending, count = self.ending(seat), self.counts[seat]
        if ending is None:
            return None
        return Leave(ending, NEVER_ACTED.format(answers=count.idle) if ending == "idle" and not count.acted else "")

    def is_replaying(self, seat: int = 0) -> bool:
        """Whether the record still holds turns of the seat."""
        return self.recorder.next_turn(seat) is not None

    def is_under_way(self, seat: int) -> bool:
        """Whether a turn of the seat waits for the morning."""
        return seat in self._under_way

    def take(self, move: Move) -> Sequence[Outcome]:
        """Run and record a turn of the only seat: one outcome per call."""
        [turn] = self.act(0, move)
        return turn.outcomes

    def act(self, seat: int, move: Move) -> list[Turn]:
        """Run a turn and return those that are complete with it, each recorded.

        That is this turn, or after a morning also those of rivals; none while the turn waits for the morning.
        """
        self.recorder.expect(seat, move.calls)
        turn = Turn(move.calls, (), move.message, move.evictions, (), seat, self.table.day)
        outcomes = self.table.act(seat, move.calls)
        if outcomes is not None:
            self._complete(turn, outcomes)  # before the turns of rivals that its morning completes
            return [turn, *self._completed()] if self._under_way else [turn]
        self._under_way[seat] = turn
        self.recorder.handed_in(turn)
        return self._completed()

    def leave(self, seat: int, leave: Leave) -> list[Turn]:
        """The seat leaves the market and its stores close; returns the turns that are complete with it.

        The departure is recorded if rivals continue; otherwise the end of the record states it.
        """
        if any(account.seat != seat for account in self.table.market.in_business):
            self.recorder.left(seat, leave)
        self.departures[seat] = leave
        self.table.finish(seat, leave.ending)
        return self._completed()

    def newly_over(self) -> list[int]:
        """The seats whose year has ended since the last time, while rivals continue."""
        if self.table.seats == 1 or self.table.done:
            return []
        seats = [account.seat for account in self.table.accounts if account.done and account.seat not in self._over]
        self._over.update(seats)
        return seats

    def _completed(self) -> list[Turn]:
        done = []
        for seat in sorted(self._under_way):
            outcomes = self.table.outcomes(seat)
            if outcomes is not None:
                turn = self._under_way.pop(seat)
                self._complete(turn, outcomes)
                done.append(turn)
        return done

    def _complete(self, turn: Turn, outcomes: Sequence[Outcome]) -> None:
        turn.outcomes = outcomes
        count = self.counts[turn.seat]
        count.turns += 1
        count.calls += len(turn.calls)
        count.idle = 0 if turn.calls else count.idle + 1
        count.acted |= bool(turn.calls)
        self.recorder.completed(turn, self.years[turn.seat])
