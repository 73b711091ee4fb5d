"""Branches: a different agent continues a year from one of its days, in a run of its own.

The engine of reviews plays the same year every time, so a second request for what it did is answered with the same
branch.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any

from ecbench.analysis.review.engine import ENGINE, ENGINE_AGENT
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.sessions import PersonSessions, model_options
from ecbench.pages.board.server.subprocesses import Workers
from ecbench.pages.board.views.ending import PERSON
from ecbench.runs.folder import Run, free_folder
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.play.fork import Takeover, take_over
from ecbench.runs.record.lines import is_over
from ecbench.runs.terms import PERSONS_BOARD, Terms

ENGINE_HEIR = "engine"  # as pages call the engine of reviews


class Branches:
    """Makes branches, and has those played that wait for no person."""

    def __init__(self, library: Library, workers: Workers, sessions: PersonSessions, stamp: Callable[[], str]) -> None:
        self._library = library
        self._workers = workers
        self._sessions = sessions
        self._stamp = stamp
        self._lock = Lock()

    def take_over(self, run: Run, episode: int, day: int, agent: str) -> Run:
        """The branch, as the agent that takes over sees it: a new one, or the engine's from an earlier request."""
        seat, transport = run.seat(episode), PERSONS_BOARD if agent == PERSON else ""
        model = _model_terms(agent, run.terms)
        with self._lock:
            takeover = take_over(
                run, episode=episode, day=day, agent=agent, model=model, transport=transport, seat=seat
            )
            branch = self._engines_branch(takeover) if agent == ENGINE_AGENT else None
            if branch is None:
                branch = self._new_branch(takeover, agent)
            self._play_on(branch)
            return branch.of_entry(seat)

    def _new_branch(self, takeover: Takeover, agent: str) -> Run:
        if agent != PERSON:
            self._workers.refuse_if_busy()
        name = "arena" if takeover.terms.shared else ENGINE_HEIR if agent == ENGINE_AGENT else agent.replace("/", "-")
        folder = free_folder(self._library.folder, f"{self._stamp()}_{name}_fork")
        return takeover.create_in(folder, engine=ENGINE if agent == ENGINE_AGENT else None)

    def _play_on(self, branch: Run) -> None:
        """A person's year alone waits for its next turn; rivals of a person play on at once."""
        if all(is_over(recorded_end(entry, 0)) for entry in branch.entries()):
            return
        if not any(seat.transport for seat in branch.terms.seats):
            self._workers.play_on(branch.folder)
        elif branch.terms.shared:
            self._sessions.host(branch)

    def _engines_branch(self, takeover: Takeover) -> Run | None:
        """The branch that this engine began earlier; a different engine would have played on differently."""
        forks = (run for run in self._library.found() if run.terms.fork and run.manifest.engine == ENGINE)
        return next((run for run in forks if takeover.began(run)), None)


def _model_terms(agent: str, terms: Terms) -> dict[str, Any]:
    """As `ecbench fork` records them without options: the usual window, and the suppliers' model as it was."""
    letters = terms.supplier_options if terms.model_voice else {}
    return model_options(agent) | ({"supplier": letters} if letters else {})
