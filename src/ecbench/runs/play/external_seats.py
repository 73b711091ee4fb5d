"""Seats of a shared table that external agents and people play: the loop asks for turns, and adapters hand them in."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from threading import Event, Lock

from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.players.session import Seat
from ecbench.players.turn import Leave, Move, Record, Turn
from ecbench.runs.folder import Run
from ecbench.runs.record.lines import End, is_over
from ecbench.tools.outcome import Outcome

GAVE_UP = "idle"  # as for a merchant that stops trading: a year that its agent has ended does not continue
STOPPED = "the arena has been stopped; its turns are recorded, and it goes on when it is started again"


class ExternalSeat:
    """One seat of one episode, between the loop and an adapter, each in a thread of its own.

    For its adapter it has the interface of a `YearSession`, except that `take` waits for the rivals.
    """

    waits = True

    def __init__(self) -> None:
        self._lock = Lock()
        self._ready = Event()  # it can be played, is over, or goes no further
        self._wake: Callable[[], None] = _do_nothing
        self._seat: Seat
        self._stop: StopFlag
        self._year: Episode | None = None  # once all that is recorded has been replayed
        self._handed: Move | Leave | None = None
        self._answer: Future[Turn] = Future()  # to what was handed in
        self._last: Turn | None = None  # after which no other comes
        self._problem = ""
        self.end: End | None = None
        """How the year ended at this seat; None while it runs."""
        self.recorded: list[Turn] = []
        """All turns of the seat; of live ones only the last has its outcomes."""

    # The loop's side.

    def player(self, seat: Seat, stop: StopFlag) -> "ExternalSeat":
        """Itself, as the player of this seat once all that is recorded has been replayed."""
        self._seat, self._stop = seat, stop
        return self

    async def move(self) -> Move | Leave | None:
        """What the adapter hands in next; None when a stop is requested first."""
        loop, arrived = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(arrived.set)

        with self._stop.also(wake):
            with self._lock:
                self._year, self._wake = self._seat.year, wake
            self._ready.set()
            try:
                if self._handed is None and not self._stop.requested:
                    await arrived.wait()
            finally:
                with self._lock:
                    self._wake = _do_nothing
                    handed, self._handed = self._handed, None
            return handed

    def on_results(self, move: Move, outcomes: Sequence[Outcome]) -> None:
        """The turn is recorded. The answer to the last one says how the year ended, so it waits for that."""
        turn = Turn(move.calls, outcomes, move.message)
        with self._lock:
            if self.recorded:  # replies are long, and those of earlier turns can be read in the record
                self.recorded[-1] = replace(self.recorded[-1], outcomes=())
            self.recorded.append(turn)
            if self._seat.ending is not None:
                self._last = turn
            else:
                self._answer.set_result(turn)

    def over(self, end: End) -> None:
        """The year is over at this seat, or was stopped; only the former is a result."""
        if is_over(end):
            with self._lock:
                self.end = end
                self._settle()

    def abandon(self, problem: str) -> None:
        """The episode goes no further here; an adapter that waits receives the problem."""
        with self._lock:
            self._problem = self._problem or problem
            self._settle()

    def _settle(self) -> None:
        """Whoever waits is answered: no turn is taken any more."""
        self._ready.set()
        if self._answer.done():
            return
        if self.end is not None and self._last is not None:
            self._answer.set_result(self._last)
        else:
            self._answer.set_exception(RunError(self._problem or "the year was over before the turn was taken"))

    # The adapter's side.

    def opened(self) -> "ExternalSeat":
        """Itself, once the seat can be played or is over. Raises RunError if it cannot be played on."""
        self._ready.wait()
        if self.end is None and self._problem:
            raise RunError(self._problem)
        return self

    @property
    def year(self) -> Episode | None:
        """The year as it stands; None once it is over."""
        return None if self.end is not None else self._year

    @property
    def turns(self) -> int:
        return len(self.recorded)

    @property
    def last(self) -> Turn | None:
        return self.recorded[-1] if self.recorded else None

    def take(self, calls: Sequence[Record], said: Record | None = None) -> Sequence[Outcome]:
        """Hand a turn in and wait until it is over: seats with an earlier clock act before, and mornings need all."""
        return self._hand_in(Move(calls, said or {})).result().outcomes

    def finish(self, reason: str = "the agent ended the year") -> End:
        """Leave the market permanently when the seat's turn comes."""
        if self.end is None:
            wait([self._hand_in(Leave(GAVE_UP, reason))])
        if self.end is None:
            raise RunError(self._problem)
        return self.end

    def close(self) -> None:
        """Neither the loop nor the adapter closes it: the loop holds the record."""

    def _hand_in(self, what: Move | Leave) -> "Future[Turn]":
        with self._lock:
            if self.end is not None or self._problem:
                raise RunError("the year is over" if self.end else self._problem)
            self._handed, self._answer = what, Future()
            self._wake()
            return self._answer


def _do_nothing() -> None: ...


ExternalSeats = Mapping[int, Mapping[int, ExternalSeat]]
"""By episode, then by seat; seats of other agents have none."""


def external_seats(run: Run) -> ExternalSeats:
    """A seat for every external agent in every episode of a run; empty if the run has none."""
    if not any(agent.transport for agent in run.terms.seats):
        return {}
    return {
        episode: {seat: ExternalSeat() for seat, agent in enumerate(run.terms_of(episode).seats) if agent.transport}
        for episode in range(run.episodes)
    }
