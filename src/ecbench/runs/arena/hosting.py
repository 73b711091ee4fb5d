"""An arena that is played in a thread of this process, for doors of the same process."""

from threading import Thread

from ecbench.runs.arena.crew import play_rounds
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import OpenSeats, VisitedSeat, open_seats_of
from ecbench.runs.play.cancellation import StopFlag


class HostedArena:
    """Begins, or goes on, at once. What it waits for is handed in at its open seats."""

    def __init__(self, run: ArenaRun) -> None:
        self._run = run
        self._stop = StopFlag()
        self.places: OpenSeats = open_seats_of(run)
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    @property
    def playing(self) -> bool:
        return self._thread.is_alive()

    def visit(self, number: int, seat: int) -> VisitedSeat:
        """Waits until it can be played there; raises RunError where it cannot."""
        return VisitedSeat(self._run.seat_folder(number, seat), self.places[number, seat])

    def close(self) -> None:
        """Every turn is recorded; it goes on when it is hosted again."""
        self._stop.request()
        self._thread.join()

    def _play(self) -> None:
        play_rounds(self._run, range(self._run.terms.rounds), 1, Unheard(), self._stop, self.places)


class Unheard:
    """A listener for whom the record is enough."""

    def progressed(self, *_: object) -> None: ...

    def on_retry(self, *_: object) -> None: ...

    def kept_waiting(self, *_: object) -> None: ...

    def closed(self, *_: object) -> None: ...
