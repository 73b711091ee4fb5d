"""Where agents of other programs, and persons, sit in an arena.

A round asks whoever sits at its seats for turns. From an `OpenSeat` it takes, on its own event loop, what a door hands
in from a thread of its own. The door holds a `VisitedSeat`, which is to it what a `VisitedYear` is where nobody else is
in the market, except that `play` waits for the rivals.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition

from ecbench.episode import Episode
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.players import Move, Parting
from ecbench.runs.arena.seat_names import door_of
from ecbench.runs.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import Result, read_episode
from ecbench.runs.play.external_sessions import GAVE_UP
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.record.events import is_over
from ecbench.seat import Record, Turn

STOPPED = "the arena has been stopped; its turns are recorded, and it goes on when it is started again"


class OpenSeat:
    """One seat of one round, for the round and for a door. Each end may be in a thread of its own."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._wake = _nobody
        self._seat: RecordedSeat | None = None  # once all that is recorded has been played again
        self._handed: Move | Parting | None = None
        self._told: Turn | None = None
        self._last = False
        self._result: Result | None = None
        self._problem = ""

    # The round's end.

    async def handed(self, seat: RecordedSeat, stop: StopFlag) -> Move | Parting | None:
        """What the door hands in next; None when a stop is requested first."""
        loop, arrived = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(arrived.set)

        with stop.also(wake), self._waking(seat, wake):
            if self._handed is None and not stop.requested:
                await arrived.wait()
            with self._changed:
                handed, self._handed = self._handed, None
            return handed

    @contextmanager
    def _waking(self, seat: RecordedSeat, wake: Callable[[], None]) -> Iterator[None]:
        """Meanwhile the round can be woken; a loop that is gone cannot."""
        with self._changed:
            self._seat, self._wake = seat, wake
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._wake = _nobody

    def tell(self, turn: Turn, *, last: bool) -> None:
        """The turn is recorded. The answer to the last one says how the year ended, so it waits for that."""
        with self._changed:
            self._told, self._last = turn, last
            self._changed.notify_all()

    def end(self, result: Result) -> None:
        """The year is over at this seat, or was stopped; only the former is a result."""
        with self._changed:
            if is_over(result.end):
                self._result = result
                self._changed.notify_all()

    def abandon(self, problem: str) -> None:
        """The round goes no further here; whoever waits is told so."""
        with self._changed:
            self._problem = self._problem or problem
            self._changed.notify_all()

    # The door's end.

    def opened(self) -> tuple[RecordedSeat | None, Result | None]:
        """Waits until the seat can be played, or is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._seat or self._result or self._problem)
            if self._result is None and self._problem:
                raise RunError(self._problem)
            return self._seat, self._result

    def take(self, move: Move) -> tuple[Turn, Result | None]:
        """Hand a turn in and wait until it is over: those whose clock is earlier act before, and mornings need all."""
        with self._changed:
            self._hand_in(move)
            self._changed.wait_for(lambda: self._answered() or self._problem)
            told, self._told = self._told, None
            if told is None or (self._last and self._result is None):
                raise RunError(self._problem or "the year was over before the turn was taken")
            return told, self._result

    def finish(self, reason: str) -> Result:
        """Leave the market for good when the seat's turn comes."""
        with self._changed:
            if self._result is None:
                self._hand_in(Parting(GAVE_UP, reason))
                self._changed.wait_for(lambda: self._result or self._problem)
            if self._result is None:
                raise RunError(self._problem)
            return self._result

    def _hand_in(self, what: Move | Parting) -> None:
        if self._result is not None or self._problem:
            raise RunError("the year is over" if self._result else self._problem)
        self._handed, self._told = what, None
        self._wake()

    def _answered(self) -> bool:
        return self._result is not None or (self._told is not None and not self._last)


def _nobody() -> None:
    """Nobody waits at the moment."""


class VisitedSeat:
    """A seat of a round as a door holds it; raises RunError while the round cannot go on."""

    def __init__(self, folder: Path, place: OpenSeat) -> None:
        """Waits for the round to begin, which makes the folder of the seat, and to come to where its record ends."""
        self._place = place
        self._seat, self.result = place.opened()
        self.recorded: Sequence[Turn] = read_episode(open_run(folder), 0).turns
        """Turns from before it was opened."""
        self.turns = len(self.recorded)
        self.last = self.recorded[-1] if self.recorded else None

    @property
    def year(self) -> Episode | None:
        """The year as it stands; None once it is over."""
        return None if self._seat is None or self.result is not None else self._seat.year

    def take(self, calls: Sequence[Record], said: Record | None = None) -> list[str]:
        return self.play(calls, said)

    def play(self, calls: Sequence[Record], said: Record | None = None) -> list[str]:
        """Waits for the rivals; with the last turn the year is over."""
        if self.result is not None:
            raise RunError("the year is over")
        turn, self.result = self._place.take(Move(calls, said or {}))
        self.last, self.turns = turn, self.turns + 1
        return list(turn.replies)

    def settle(self) -> None:
        """The round has settled it."""

    unsettled = False
    sync_due = False
    costly = False

    def sync(self) -> None:
        """The round has seen to it."""

    def finish(self, reason: str = "the agent ended the year") -> Result:
        self.result = self._place.finish(reason)
        return self.result

    def leave(self) -> None:
        """The round holds the record, not the door."""


OpenSeats = Mapping[tuple[int, int], OpenSeat]
"""By round and seat; those of other agents have none."""


def open_seats_of(run: ArenaRun) -> OpenSeats:
    terms = run.terms
    places = [(number, seat) for number in range(terms.rounds) for seat in range(terms.seats)]
    return {
        (number, seat): OpenSeat() for number, seat in places if door_of(terms.agents[terms.entry_at(number, seat)])
    }


def has_outside_seats(agents: Sequence[str]) -> bool:
    return any(map(door_of, agents))
