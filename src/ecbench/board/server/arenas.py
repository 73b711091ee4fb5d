"""Arenas with a seat for a person: begun from the page, and played beside the board.

A person's turn waits for the rivals, so each seat has a lock of its own: nobody waits for another person's request.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from ecbench.board.server.errors import RequestRefused
from ecbench.board.server.subprocesses import MOST_AT_ONCE
from ecbench.errors import RunError
from ecbench.harness.context import ContextPolicy
from ecbench.players.turn import Record
from ecbench.runs.arena.folder import ArenaRun, create_arena, open_arena, seat_place
from ecbench.runs.arena.fork import RoundTakeover, take_over_seat
from ecbench.runs.arena.hosting import HostedArena
from ecbench.runs.arena.open_seats import ExternalSeats, SeatSession, has_outside_seats
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_sessions import Visit

PERSONS_SEAT = "person"


class SeatHost(Protocol):
    """Whoever plays an arena in this process."""

    @property
    def playing(self) -> bool: ...
    def visit(self, number: int, seat: int, /) -> Visit: ...
    def close(self) -> None: ...


class Arenas:
    """Those that this process plays, by their folders. `hosted` are played by whoever serves the board."""

    def __init__(self, hosted: Mapping[Path, SeatHost] | None = None) -> None:
        self._hosts: dict[Path, SeatHost] = dict(hosted or {})
        self._visits: dict[Path, Visit] = {}
        self._opening = Lock()
        self._seats: defaultdict[Path, Lock] = defaultdict(Lock)

    def begin(self, folder: Path, rivals: Sequence[str], world: str, days: int, stake: float) -> Path:
        """A new arena of one round; the folder of the person's seat."""
        if sum(host.playing for host in self._hosts.values()) >= MOST_AT_ONCE:
            raise RequestRefused(429, "as many arenas are being played as fit; finish one first")
        models = {agent: options for agent in rivals if (options := _model_options(agent))}
        run = create_arena(folder, ArenaTerms((PERSONS_SEAT, *rivals), 1, (world,), days, stake, models=models))
        self._host(run.folder).visit(0, 0)
        return run.seat_folder(0, 0)

    def take_over(self, run: Run, day: int, agent: str) -> RoundTakeover:
        """The round of a seat, as somebody else would go on with it at that seat."""
        arena, number, seat = seat_place(run.folder)
        return take_over_seat(
            open_arena(arena), number=number, seat=seat, day=day, agent=agent, model=_model_options(agent)
        )

    def play_here(self, run: ArenaRun) -> bool:
        """Whether this process plays an arena from now on: one with seats for others than merchants and models."""
        outside = has_outside_seats(run.terms.agents)
        if outside:
            self._host(run.folder)
        return outside

    def act(self, run: Run, calls: Sequence[Record], said: Record) -> tuple[Visit, list[str]]:
        """A person's turn, once it is over."""
        with self._seats[run.folder]:
            visit = self._visit(run)
            try:
                return visit, visit.take(calls, said)
            except Exception:
                self._visits.pop(run.folder, None)  # it is opened anew, from what is recorded
                raise

    def finish(self, run: Run, reason: str) -> Result:
        with self._seats[run.folder]:
            return self._visit(run).finish(reason)

    def close(self) -> None:
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()

    def _visit(self, run: Run) -> Visit:
        visit = self._visits.get(run.folder)
        if visit is None:
            arena, number, seat = seat_place(run.folder)
            visit = self._visits[run.folder] = self._host(arena).visit(number, seat)
        return visit

    def _host(self, folder: Path) -> SeatHost:
        with self._opening:
            host = self._hosts.get(folder)
            if host is None or not host.playing:
                host = self._hosts[folder] = HostedArena(open_arena(folder))
            return host


class ServedPlaces:
    """An arena that whoever serves the board plays itself."""

    playing = True

    def __init__(self, run: ArenaRun, places: ExternalSeats) -> None:
        self._run = run
        self._places = places

    def visit(self, number: int, seat: int) -> Visit:
        return SeatSession(self._run.seat_folder(number, seat), self._places[number, seat])

    def close(self) -> None:
        """Whoever plays it ends it."""


def no_new_years() -> str:
    """In the place of names for new folders, on a board that is there for one arena."""
    raise RunError("this board is there for one arena; new years begin on one of their own: ecbench serve")


def _model_options(agent: str) -> dict[str, Any]:
    """As `ecbench arena` records them where no option is given."""
    return {"window": asdict(ContextPolicy())} if is_model(agent) else {}
