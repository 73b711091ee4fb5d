"""The year behind a sample of an Inspect evaluation: set up by the task, played by any solver, scored at the end.

Its folder is named by what an `inspect eval-retry` shares with the evaluation: task id, sample and epoch.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from inspect_ai.hooks import Hooks, SampleEnd, SampleStart, TaskStart, hooks
from inspect_ai.solver import TaskState
from inspect_ai.util import store

from ecbench.gate import admit
from ecbench.players.loop import Interrupted
from ecbench.players.turn import Record, State
from ecbench.rules import DEFAULT_SET
from ecbench.runs.folder import MANIFEST, Run, create_run, free_folder, open_run
from ecbench.runs.play.episodes import OpenEpisode, open_episode
from ecbench.runs.play.external_sessions import ExternalSession, TurnRequest, YearSession
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.terms import OWN_LOOP_IN_INSPECT, Terms
from ecbench.suppliers.voices import TemplateVoice
from ecbench.tools.outcome import Outcome
from ecbench.world.load import load_world
from ecbench.world.model import World

RECORDS = "ecbench-years"  # the folder of the records
SAMPLE = "ecbench_sample"  # the key of a sample's id in Inspect's store
OTHER_SOLVER = "inspect-tools"  # the transport of solvers other than our own loop


@dataclass(frozen=True, slots=True)
class YearTerms:
    """The task's parameters."""

    world: str
    days: int
    stake: float
    max_turns: int
    wording: str | None = None  # of another brief
    rule_set: str = DEFAULT_SET
    records: str = RECORDS

    def of_run(self, world: World, agent: str, transport: str) -> Terms:
        return Terms.alone(
            world,
            agent=agent,
            days=self.days,
            stake=self.stake,
            max_turns=self.max_turns,
            rule_set=self.rule_set,
            model={"brief": self.wording} if self.wording else {},
            transport=transport,
        )


@dataclass(slots=True)
class SampleYear:
    """The table of a sample, once a solver has opened it, and its record."""

    terms: YearTerms
    agent: str
    location: Path  # of the run folder
    interrupted: Mapping[int, Interrupted] = field(default_factory=dict)  # why the turn loop stopped early
    _table: RecordedTable | None = None
    _opened: OpenEpisode | None = None
    _session: ExternalSession | None = None  # of another solver
    _held: ExitStack = field(default_factory=ExitStack)

    def resume(self) -> RecordedTable:
        """For our own loop: the year of an earlier attempt, if there was one, else a new one."""
        world, terms = self._terms(OWN_LOOP_IN_INSPECT)
        begun = (self.location / MANIFEST).exists()
        recording = self._open(open_run(self.location) if begun else self._begin(self.location, terms)).recording
        self._table = RecordedTable(terms, 0, world, recording, TemplateVoice(), self._append)
        return self._table

    def act(self, calls: Sequence[Mapping[str, Any]]) -> Sequence[Outcome]:
        """For other solvers, which cannot resume an earlier attempt: each begins a year. Raises TurnRefused."""
        request = TurnRequest(admit(calls))
        if self._session is None:
            world, terms = self._terms(OTHER_SOLVER)
            run = self._begin(free_folder(self.location.parent, self.location.name), terms)
            self._session = ExternalSession(partial(YearSession, run, 0, world))
        return self._session.take(request).turn.outcomes

    def release(self) -> None:
        """Release the record: if the sample has failed, a retry in this process opens it again."""
        self._held.close()
        self._opened = None

    def close(self) -> Record | None:
        """The report of the year, which is settled as it stands if it is not over; None if no solver opened it."""
        if self._session is not None:
            with self._session.used() as year:
                assert isinstance(year, YearSession), "a sample has a year of its own"
                year.finish("", "turn_limit")
                return dict(year.report or {})
        if self._table is None:
            return None
        opened = self._opened or self._open(open_run(self.location))
        played = self._table.close(self.interrupted, "turn_limit")
        opened.close_with(played)
        self.release()
        return dict(played.seats[0].report)

    def _terms(self, transport: str) -> tuple[World, Terms]:
        world = load_world(self.terms.world)
        return world, self.terms.of_run(world, self.agent, transport)

    def _begin(self, folder: Path, terms: Terms) -> Run:
        return create_run(folder, terms, episodes=1, world_source=self.terms.world)

    def _open(self, run: Run) -> OpenEpisode:
        self._opened = self._held.enter_context(open_episode(run, 0))
        return self._opened

    def _append(self, lines: bytes, state: State | None, seat: int) -> None:
        assert self._opened is not None, "a turn is played while the record is open"
        self._opened.append(lines, state, seat)


_YEARS: dict[str, SampleYear] = {}
"""By the uuid of a sample under way: a table is no JSON, so Inspect's own store cannot hold it."""


_TASKS: dict[str, str] = {}
"""The ids of tasks by the id of their evaluation, and by that of each of their samples."""


@hooks(name="ecbench_tasks", description="Tells ecbench which task a sample belongs to.")
class TaskHooks(Hooks):
    """A retried evaluation keeps the id of its task, and nothing else in public tells it to a solver."""

    async def on_task_start(self, data: TaskStart) -> None:
        _TASKS[data.eval_id] = data.spec.task_id

    async def on_sample_start(self, data: SampleStart) -> None:
        _TASKS[data.sample_id] = _TASKS.get(data.eval_id, data.sample_id)

    async def on_sample_end(self, data: SampleEnd) -> None:
        _TASKS.pop(data.sample_id, None)


def set_up(state: TaskState, terms: YearTerms) -> SampleYear:
    """Begin the year of a sample."""
    location = Path(terms.records) / _TASKS.get(state.uuid, state.uuid) / f"{state.sample_id}-{state.epoch}"
    state.store.set(SAMPLE, state.uuid)
    year = _YEARS[state.uuid] = SampleYear(terms, str(state.model), location)
    return year


def current_year() -> SampleYear:
    """The year of the sample that the current task runs."""
    return _YEARS[store().get(SAMPLE)]


def close_sample_year(sample: str) -> Record | None:
    """End the sample's year and return its report; None if none was played."""
    year = _YEARS.pop(sample, None)
    return None if year is None else year.close()
