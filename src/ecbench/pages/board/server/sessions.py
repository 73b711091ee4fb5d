"""People who play through the board: a year alone, or a seat of an arena that this process plays."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock, Thread
from typing import Any

from ecbench.adapters.rate_limit import Clock
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.gate import TurnRefused
from ecbench.pages.board.server.subprocesses import LAST_SECONDS, MOST_AT_ONCE
from ecbench.pages.board.views.ending import PERSON
from ecbench.pages.reply_blocks import KnownNames
from ecbench.pages.reply_view import reply_view
from ecbench.players.turn import Record
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.external_seats import ExternalSeats, external_seats
from ecbench.runs.play.external_sessions import ExternalSession, OpenSeat, TurnRequest, YearSession
from ecbench.runs.play.play_here import play_here
from ecbench.runs.record.lines import End
from ecbench.runs.results.ranking import PAPERS_WINDOW
from ecbench.runs.terms import LONGEST_PAUSE, PERSONS_BOARD, SeatTerms, Terms

Place = tuple[Path, int, int]
"""Folder, episode and seat of a year."""


class PersonSessions:
    """The years that people play, and the arenas by folder (`hosted`) that this process plays for them."""

    def __init__(self, hosted: Mapping[Path, "ServedSeats"] | None = None, clock: Clock = time.monotonic) -> None:
        self._hosts: dict[Path, ServedSeats] = dict(hosted or {})
        self._sessions: dict[Place, ExternalSession] = {}
        self._clock = clock
        self._answered: dict[Place, float] = {}  # when a player was last answered
        self._opening = RLock()

    def seats_with(self, rivals: Sequence[str]) -> tuple[SeatTerms, ...]:
        """A person at the first seat, and rivals at the others. Raises RequestRefused where no arena fits any more."""
        if rivals and sum(host.playing for host in self._hosts.values()) >= MOST_AT_ONCE:
            raise RequestRefused(429, "as many arenas are being played as fit; finish one first")
        others = (SeatTerms(rival, model_options(rival)) for rival in rivals)
        return SeatTerms(PERSON, transport=PERSONS_BOARD), *others

    def begin(self, folder: Path, terms: Terms, source: str) -> Run:
        """A new run of one episode, in which a person has the first seat."""
        run = create_run(folder, terms, episodes=1, world_source=source)
        if terms.shared:
            self.host(run).session(0, 0)
        self._answered[run.folder, 0, 0] = self._clock()
        return run

    def host(self, run: Run) -> "ServedSeats":
        """Plays an arena from now on, unless it is being played."""
        with self._opening:
            host = self._hosts.get(run.folder)
            if host is None or not host.playing:
                host = self._hosts[run.folder] = ArenaThread(open_run(run.folder))
            return host

    def act(
        self, run: Run, episode: int, calls: Sequence[Record], message: Record, seen: int | None = None
    ) -> dict[str, Any]:
        """Take a person's turn: replies, errors and sentences by call, the turns so far, and whether the year is over.

        The turn is recorded with the seconds that the player took for it, a long pause cut off.
        Raises RequestRefused if the page has seen a different number of turns: another window has played on.
        """
        with self._used(run, episode) as session:
            key, asked = (run.folder, episode, run.seat(episode)), self._clock()
            seconds = min(asked - self._answered.get(key, asked), LONGEST_PAUSE)
            year = session.year
            stores = _store_names(year)
            request = TurnRequest(calls, message={**message, "seconds": round(seconds, 1)}, after=seen)
            outcomes = self._session(run, episode).take(request).turn.outcomes
            self._answered[key] = self._clock()
            names = KnownNames(year.world if year else None, stores | _store_names(session.year))
            return {
                "turns": session.turns,
                "replies": [outcome.text for outcome in outcomes],
                "errors": [outcome.error.message if outcome.error else "" for outcome in outcomes],
                "sentences": [reply_view(outcome, names).sentence for outcome in outcomes],
                "over": session.end is not None,
            }

    def finish(self, run: Run, episode: int, reason: str) -> End:
        """End a person's year permanently."""
        with self._used(run, episode):
            return self._session(run, episode).finish(reason)

    def close(self) -> None:
        """Every turn is recorded; years that are not over continue when they are opened again."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()

    def _session(self, run: Run, episode: int) -> ExternalSession:
        key = (run.folder, episode, run.seat(episode))
        with self._opening:
            for each in self._sessions.values():
                each.close_if_idle()
            return self._sessions.setdefault(key, ExternalSession(lambda: self._open(run, episode)))

    @contextmanager
    def _used(self, run: Run, episode: int) -> Iterator[OpenSeat]:
        """The seat of a year, open. One that is over is closed after its last use."""
        session = self._session(run, episode)
        try:
            with session.used() as seat:
                yield seat
                if seat.end is not None:
                    session.close()
        except TurnRefused as refusal:
            raise RequestRefused(409, f"{refusal}") from refusal

    def _open(self, run: Run, episode: int) -> OpenSeat:
        if run.terms.shared:
            return self.host(run).session(episode, run.seat(episode))
        return YearSession(run, episode, run.load_world(episode))


class ServedSeats:
    """The seats of an arena that the server of the board plays itself."""

    def __init__(self, external: ExternalSeats) -> None:
        self._external = external

    @property
    def playing(self) -> bool:
        """Whether the arena continues; the command that serves it stops with it."""
        return True

    def session(self, episode: int, seat: int) -> OpenSeat:
        """Waits until the seat can be played; raises RunError if it cannot."""
        return self._external[episode][seat].opened()

    def close(self) -> None:
        """The server ends what it plays."""


class ArenaThread(ServedSeats):
    """Plays an arena in a thread of this process, from where its record stands."""

    def __init__(self, run: Run) -> None:
        external = external_seats(run)
        super().__init__(external)
        self._stop = StopFlag()
        self._thread = Thread(target=_play, args=(run, external, self._stop), daemon=True)
        self._thread.start()

    @property
    def playing(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        """Every turn is recorded; the arena continues when it is hosted again."""
        self._stop.request()
        self._thread.join(LAST_SECONDS)


def _play(run: Run, external: ExternalSeats, stop: StopFlag) -> None:
    for episode, _ in run.on_their_worlds(range(run.episodes)):
        play_here(run, episode, stop=stop, external=external[episode])


def model_options(agent: str) -> dict[str, Any]:
    """As the commands record them where no option is given."""
    return {"window": dict(PAPERS_WINDOW)} if is_model(agent) else {}


def no_new_years() -> str:
    """In place of a name for a new folder, on a board that serves one arena."""
    raise RunError("this board serves one arena; start new years on a board of their own: ecbench board")


def _store_names(year: Episode | None) -> dict[str, str]:
    """By id; none once the year is over."""
    return {store.id: store.name for store in year.account.books.stores.values()} if year else {}
