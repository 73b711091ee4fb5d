"""A table in play: every turn is counted against its seat's limits and recorded. All players use it.

A client that plays a year by itself hands in one turn after another:

    seat = TableSession(Table(world)).seats[0]
    while seat.ending is None:
        outcomes = seat.take(Move([{"name": "wait_for_next_day", "arguments": {}}]))

`players/loop.py` asks players for the turns of one seat or of several.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ecbench.episode import Episode
from ecbench.players.turn import Leave, Move, Record, Turn
from ecbench.table import Table
from ecbench.tools.outcome import Outcome

IDLE_LIMIT = 3  # turns without a call, in a row
NEVER_ACTED = (
    "0 tool calls in {answers} answers: is tool calling on? Switch it on at the model's server, or take a model that "
    "can call tools; `ecbench doctor` with the model's name finds out which"
)


@dataclass(slots=True, eq=False)
class Seat:
    """One seat of a table in play: what its player uses, and what it has used of its limits."""

    session: "TableSession"
    number: int
    max_turns: int | None
    year: Episode = field(init=False)
    turns: int = 0
    calls: int = 0
    idle: int = 0  # turns without a call, in a row
    acted: bool = False  # whether the agent that sits there now has called a tool
    under_way: Turn | None = None  # it waits for the morning
    left: Leave | None = None  # before the year was over
    recorded: Sequence[Turn] = ()  # all turns that the record has of the seat
    recorded_leave: Leave | None = None  # comes after them

    def __post_init__(self) -> None:
        self.year = Episode.at(self.session.table, self.number)

    @property
    def ending(self) -> str | None:
        """Why the seat can take no further turn; None while it can."""
        ended = self.year.ending
        if ended is not None:
            return ended
        if self.idle >= self.session.idle_limit:
            return "idle"
        return "turn_limit" if self.max_turns is not None and self.turns >= self.max_turns else None

    @property
    def departure(self) -> Leave | None:
        """Why the seat trades no further: by its own limits, or as the record has it."""
        ending = self.ending
        if ending is None:
            return None if self.next_recorded else self.recorded_leave
        return Leave(ending, NEVER_ACTED.format(answers=self.idle) if ending == "idle" and not self.acted else "")

    @property
    def next_recorded(self) -> Turn | None:
        """The recorded turn that is to be replayed next; None if the record has no more of the seat."""
        begun = self.turns + (self.under_way is not None)
        return self.recorded[begun] if begun < len(self.recorded) else None

    def take(self, move: Move) -> Sequence[Outcome]:
        """Run and record a turn of the only seat: one outcome per call."""
        [turn] = self.act(move)
        return turn.outcomes

    def act(self, move: Move) -> list[Turn]:
        """Run a turn and return those that are complete with it, each recorded.

        That is this turn, or after a morning also those of rivals; none while the turn waits for the morning.
        """
        session = self.session
        session.expect(self, move.calls)
        turn = Turn(move.calls, (), move.message, move.evictions, (), self.number, session.table.day)
        outcomes = session.table.act(self.number, move.calls)
        if outcomes is not None:
            self.complete(turn, outcomes)  # before the turns of rivals that its morning completes
            return [turn] if len(session.seats) == 1 else [turn, *session.mornings()]
        self.under_way = turn
        session.handed_in(self, turn)
        return session.mornings()

    def leave(self, leave: Leave) -> list[Turn]:
        """The seat leaves the market and its stores close; returns the turns that are complete with it."""
        session = self.session
        if any(account.seat != self.number for account in session.table.market.in_business):
            session.leaving(self, leave)
        self.left = leave
        session.table.finish(self.number, leave.ending)
        return session.mornings()

    def complete(self, turn: Turn, outcomes: Sequence[Outcome]) -> None:
        """The turn is over: it is counted and recorded."""
        turn.outcomes, handed, self.under_way = outcomes, self.under_way is not None, None
        self.turns += 1
        self.calls += len(turn.calls)
        self.idle = 0 if turn.calls else self.idle + 1
        self.acted |= bool(turn.calls)
        self.session.completed(self, turn, handed=handed)


class TableSession:
    """A table and its seats. Without a turn limit only the year, or idleness, ends it.

    This one records nothing: `expect` and the methods below it are for one that does.
    """

    def __init__(
        self,
        table: Table,
        *,
        max_turns: Sequence[int | None] | int | None = None,
        idle_limit: int = IDLE_LIMIT,
    ) -> None:
        self.table = table
        self.idle_limit = idle_limit
        limits = max_turns if isinstance(max_turns, Sequence) else [max_turns] * table.seats
        self.seats = [Seat(self, number, limit) for number, limit in enumerate(limits)]
        self._over: set[int] = set()  # seats that `newly_over` has named

    @property
    def turn(self) -> Seat | None:
        """The seat that acts next; None once the year is over for all."""
        number = self.table.turn
        return None if number is None else self.seats[number]

    def newly_over(self) -> list[Seat]:
        """The seats whose year has ended since the last time, while rivals continue."""
        if len(self.seats) == 1 or self.table.done:
            return []
        seats = [seat for seat in self.seats if seat.year.account.done and seat.number not in self._over]
        self._over.update(seat.number for seat in seats)
        return seats

    def mornings(self) -> list[Turn]:
        """The turns that waited for the morning and are complete with it."""
        done = []
        for seat in self.seats:
            turn = seat.under_way
            outcomes = self.table.outcomes(seat.number) if turn else None
            if turn is not None and outcomes is not None:
                seat.complete(turn, outcomes)
                done.append(turn)
        return done

    def expect(self, seat: Seat, calls: Sequence[Record], /) -> None:
        """Called before calls run; raises Divergence if the record has other calls."""

    def handed_in(self, seat: Seat, turn: Turn, /) -> None:
        """The turn waits for the morning: its calls are recorded now, its outcomes later."""

    def completed(self, seat: Seat, turn: Turn, /, *, handed: bool) -> None:
        """The turn is over; `handed`: it waited for the morning."""

    def leaving(self, seat: Seat, leave: Leave, /) -> None:
        """The seat leaves while rivals continue."""
