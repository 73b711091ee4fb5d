"""Arenas with a seat for a person: begun from the page, and played by threads of this process.

A person's turn waits for the rivals, so each seat has a lock of its own: no request waits for another person's turn.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Protocol

from ecbench.board.ending import PERSON
from ecbench.board.server.errors import RequestRefused
from ecbench.board.server.subprocesses import MOST_AT_ONCE
from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.turn import Record
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import play_here
from ecbench.runs.play.external_seats import ExternalSeats, SeatSession, external_seats
from ecbench.runs.play.external_sessions import ExternalSession
from ecbench.runs.record.events import End
from ecbench.runs.results.summary import PAPERS_WINDOW, PERSONS_BOARD
from ecbench.runs.results.summary_file import write_results
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

PERSONS_SEAT = SeatTerms(PERSON, door=PERSONS_BOARD)


class SeatHost(Protocol):
    """Plays an arena in this process."""

    @property
    def playing(self) -> bool: ...
    def session(self, episode: int, seat: int, /) -> ExternalSession:
        """Waits until the seat can be played; raises RunError where it cannot."""
        ...

    def close(self) -> None: ...


class Arenas:
    """The arenas that this process plays, by folder. `hosted` are played by the server of the board itself."""

    def __init__(self, hosted: Mapping[Path, SeatHost] | None = None) -> None:
        self._hosts: dict[Path, SeatHost] = dict(hosted or {})
        self._sessions: dict[tuple[Path, int, int], ExternalSession] = {}  # by folder, episode and seat
        self._opening = Lock()
        self._locks: defaultdict[tuple[Path, int, int], Lock] = defaultdict(Lock)

    def begin(self, folder: Path, rivals: Sequence[str], world: World, source: str, days: int, stake: float) -> Run:
        """A new arena of one episode, in which a person has the first seat."""
        if sum(host.playing for host in self._hosts.values()) >= MOST_AT_ONCE:
            raise RequestRefused(429, "as many arenas are being played as fit; finish one first")
        seats = (PERSONS_SEAT, *(SeatTerms(agent, model_options(agent)) for agent in rivals))
        terms = Terms(world.name, world.id, world.seed, seats, days, stake)
        run = create_run(folder, terms, episodes=1, world_source=source)
        self.host(run).session(0, 0)
        return run

    def host(self, run: Run) -> SeatHost:
        """Plays an arena from now on, unless it is being played."""
        with self._opening:
            host = self._hosts.get(run.folder)
            if host is None or not host.playing:
                host = self._hosts[run.folder] = ArenaThread(open_run(run.folder))
            return host

    def act(
        self, run: Run, episode: int, calls: Sequence[Record], said: Record
    ) -> tuple[ExternalSession, Sequence[Outcome]]:
        """A person's turn, once it is over."""
        place = (run.folder, episode, run.seat(episode))
        with self._locks[place]:
            session = self._session(run, episode)
            try:
                return session, session.take(calls, said)
            except Exception:
                self._sessions.pop(place, None)  # it is opened anew, from what is recorded
                raise

    def finish(self, run: Run, episode: int, reason: str) -> End:
        with self._locks[run.folder, episode, run.seat(episode)]:
            return self._session(run, episode).finish(reason)

    def close(self) -> None:
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()

    def _session(self, run: Run, episode: int) -> ExternalSession:
        seat = run.seat(episode)
        session = self._sessions.get((run.folder, episode, seat))
        if session is None:
            session = self._sessions[run.folder, episode, seat] = self.host(run).session(episode, seat)
        return session


class ServedSeats:
    """The seats of an arena that the server of the board plays itself."""

    playing = True

    def __init__(self, places: ExternalSeats) -> None:
        self._places = places

    def session(self, episode: int, seat: int) -> ExternalSession:
        return SeatSession(self._places[episode, seat])

    def close(self) -> None:
        """The server ends what it plays."""


class ArenaThread(ServedSeats):
    """Plays an arena in a thread of this process, from where its record stands."""

    def __init__(self, run: Run) -> None:
        places = external_seats(run)
        super().__init__(places)
        self._stop = StopFlag()
        self._thread = Thread(target=_play, args=(run, places, self._stop), daemon=True)
        self._thread.start()

    @property
    def playing(self) -> bool:  # type: ignore[override]
        return self._thread.is_alive()

    def close(self) -> None:
        """Every turn is recorded; the arena continues when it is hosted again."""
        self._stop.request()
        self._thread.join()


def _play(run: Run, places: ExternalSeats, stop: StopFlag) -> None:
    results = []
    for episode, world in run.on_their_worlds(range(run.episodes)):
        own = {seat: place for (number, seat), place in places.items() if number == episode}
        results.append(play_here(run, episode, world, NoListener(), stop, own))
        write_results(run, results)


class NoListener:
    """A listener for which the record is enough."""

    def opened(self, *_: object) -> None: ...

    def progressed(self, *_: object) -> None: ...

    def on_retry(self, *_: object) -> None: ...

    def slow(self, *_: object) -> None: ...

    def closed(self, *_: object) -> None: ...


def model_options(agent: str) -> dict[str, Any]:
    """As the commands record them where no option is given."""
    return {"window": dict(PAPERS_WINDOW)} if is_model(agent) else {}


def no_new_years() -> str:
    """In place of a name for a new folder, on a board that serves one arena."""
    raise RunError("this board serves one arena; start new years on a board of their own: ecbench serve")
