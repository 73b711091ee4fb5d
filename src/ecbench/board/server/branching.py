"""Branches: somebody else goes on with a year from one of its days, in a run of its own.

The engine of reviews plays the same year every time, so whoever asks twice what it did is shown the same branch.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from ecbench.board.ending import PERSON
from ecbench.board.run_index import Library
from ecbench.board.server.arenas import Arenas
from ecbench.board.server.subprocesses import Workers
from ecbench.harness.context import ContextPolicy
from ecbench.review.engine import ENGINE, ENGINE_AGENT
from ecbench.runs.arena.folder import ArenaRun, open_arena, seat_place
from ecbench.runs.folder import ARENA, MANIFEST, Run, free_folder, open_run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.fork import take_over
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import is_over
from ecbench.runs.record.indexed_record import recorded_end
from ecbench.runs.record.schema import parse
from ecbench.runs.results.summary import PERSONS_BOARD
from ecbench.runs.terms import Terms

ENGINE_HEIR = "engine"  # as pages call the engine of reviews


class Branches:
    """Makes branches, and has those played on that no person plays."""

    def __init__(self, library: Library, workers: Workers, arenas: Arenas, stamp: Callable[[], str]) -> None:
        self._library = library
        self._workers = workers
        self._arenas = arenas
        self._stamp = stamp
        self._lock = Lock()

    def take_over(self, run: Run, episode: int, day: int, agent: str) -> Path:
        """The folder of the branch: a new one, or the engine's own from when it was asked before."""
        with self._lock:
            if run.terms.arena is not None:
                return self._at_seat(run, day, agent)
            return self._alone(run, episode, day, agent)

    def _alone(self, run: Run, episode: int, day: int, agent: str) -> Path:
        door = PERSONS_BOARD if agent == PERSON else ""
        model = _model_terms(agent, run.terms)
        takeover = take_over(run, episode=episode, day=day, agent=agent, model=model, door=door)
        branch = self._engines_branch(takeover.began) if agent == ENGINE_AGENT else None
        if branch is None:
            name = ENGINE_HEIR if agent == ENGINE_AGENT else agent.replace("/", "-")
            branch = takeover.create_in(self._folder(agent, f"{name}_fork"), _provenance(agent))
        if agent != PERSON and not is_over(recorded_end(branch, 0)):
            self._workers.play_on(branch.folder)
        return branch.folder

    def _at_seat(self, run: Run, day: int, agent: str) -> Path:
        seat = seat_place(run.folder).seat
        takeover = self._arenas.take_over(run, day, agent)

        def began(other: Run) -> bool:
            return other.terms.arena == run.terms.arena and takeover.began(seat_place(other.folder).arena)

        known = self._engines_branch(began) if agent == ENGINE_AGENT else None
        if known is not None:
            branch = open_arena(seat_place(known.folder).arena)
        else:
            branch = takeover.create_in(self._folder(agent, "arena_fork"), _provenance(agent))
        if not _is_played(branch) and not self._arenas.play_here(branch):
            self._workers.play_on(branch.folder)
        return branch.seat_folder(0, seat)

    def _engines_branch(self, began: Callable[[Run], bool]) -> Run | None:
        """The branch that this engine began earlier; another engine would have played on differently."""
        of_engine = (run for run in self._library.found() if run.terms.agent == ENGINE_AGENT and run.terms.fork)
        return next((run for run in of_engine if _engine_of(run) == ENGINE and began(run)), None)

    def _folder(self, agent: str, name: str) -> Path:
        if agent != PERSON:
            self._workers.refuse_crowding()
        return free_folder(self._library.folder, f"{self._stamp()}_{name}")


def _is_played(run: ArenaRun) -> bool:
    return all(is_over(recorded_end(open_run(run.seat_folder(0, seat)), 0)) for seat in range(run.terms.seats))


def _provenance(agent: str) -> dict[str, str]:
    return {"engine": ENGINE} if agent == ENGINE_AGENT else {}


def _engine_of(run: Run) -> str | None:
    """As `_provenance` had it written down."""
    manifest = run.folder / MANIFEST if run.terms.arena is None else seat_place(run.folder).arena / ARENA
    try:
        stated = parse(read_file(manifest))
    except (OSError, ValueError):
        return None
    return stated.get("engine") if isinstance(stated, dict) else None


def _model_terms(agent: str, terms: Terms) -> dict[str, Any]:
    """As `ecbench fork` records them without options: the usual window, and the suppliers' model as it was."""
    own = {"window": asdict(ContextPolicy())} if is_model(agent) else {}
    letters = terms.model.get("supplier", {}) if is_model(terms.voice) else {}
    return own | ({"supplier": letters} if letters else {})
