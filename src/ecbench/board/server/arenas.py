"""Arenas with a seat for a person: begun from the page, and played beside the board from the first turn that is taken.

A person's turn waits for the rivals, so each seat has a lock of its own: nobody waits for another person's request.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from ecbench.ranges import SEATS
from ecbench.runs.arena.folder import create_arena, open_arena
from ecbench.runs.arena.hosting import HostedArena
from ecbench.runs.arena.seat_names import OUTSIDE, door_of
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.folder import Run
from ecbench.runs.session import Result
from ecbench.runs.visitors import Visit
from ecbench.seat import Record

PERSON = "person"
FEWEST = 2  # seats; alone one plays a year


class SeatHost(Protocol):
    """Whoever plays an arena in this process."""

    @property
    def playing(self) -> bool: ...
    def visit(self, number: int, seat: int, /) -> Visit: ...
    def close(self) -> None: ...


class Arenas:
    """Those that this board plays, by their folders. `hosted` are played by whoever serves the board."""

    def __init__(self, hosted: Mapping[Path, SeatHost] | None = None) -> None:
        self._hosts: dict[Path, SeatHost] = dict(hosted or {})
        self._visits: dict[Path, Visit] = {}
        self._opening = Lock()
        self._seats: defaultdict[Path, Lock] = defaultdict(Lock)

    def begin(
        self, folder: Path, rivals: Sequence[str], worlds: str, days: int, stake: float, model: Callable[[str], Any]
    ) -> Path:
        """A new arena of one round; the folder of the person's seat."""
        agents = (PERSON, *rivals)
        SEATS.check("seats", len(agents))
        models = {agent: options for agent in rivals if (options := model(agent))}
        run = create_arena(folder, ArenaTerms(agents, 1, (worlds,), days, stake, models=models))
        with self._opening:
            self._hosts[run.folder] = host = HostedArena(run)
        host.visit(0, 0)
        return run.seat_folder(0, 0)

    def act(self, run: Run, calls: Sequence[Record], said: Record) -> tuple[Visit, list[str]]:
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
            visit = self._visits[run.folder] = self._host(run.folder.parents[3]).visit(
                int(run.folder.parents[1].name), int(run.folder.name)
            )
        return visit

    def _host(self, folder: Path) -> SeatHost:
        with self._opening:
            host = self._hosts.get(folder)
            if host is None or not host.playing:
                host = self._hosts[folder] = HostedArena(open_arena(folder))
            return host


def is_persons(run: Run) -> bool:
    return door_of(run.terms.agent) == OUTSIDE[PERSON]
