"""A recorded episode to look at, also while it is played: its end, its tables, its calls. Nothing is written."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from sqlite3 import Connection
from typing import Any, NamedTuple

from ecbench.errors import RunError
from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result, read_episode, stored_result
from ecbench.runs.play.recorded_table import RecordedTable, close_as_recorded
from ecbench.runs.record.atomic_write import opened
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import Recording, read_end
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.results.database import RESULTS, YearTables, make_results, open_results, read_rows, read_tables
from ecbench.runs.results.derived_files import Report
from ecbench.runs.results.statement import Statement
from ecbench.tools.outcome import Outcome
from ecbench.world.model import Supplier, World


@dataclass(frozen=True)
class YearView:
    """An episode at the seat of the run's entry. One without an end is settled as if it had stopped there."""

    run: Run
    episode: int
    end: End
    report: Report  # what metrics.json says, or would say
    database: Connection  # the tables of results.db, or those it would have
    read: Recording | None = None  # None: its files are enough, so nothing has read its turns yet

    @property
    def unfinished(self) -> bool:
        return self.read is not None and self.read.year_end is None

    @property
    def damage(self) -> str:
        return self.read.damage if self.read else ""

    @property
    def dropped(self) -> str:
        return self.read.dropped if self.read else ""

    @property
    def seat(self) -> int:
        return self.run.seat(self.episode)

    @property
    def result(self) -> Result:
        """The episode as summaries take it: without an end unless its record has one."""
        ends = () if self.unfinished or self.damage else (self.end,)
        return Result(self.episode, ends, reports=(self.report,) if ends else ())

    @cached_property
    def tables(self) -> YearTables:
        return read_tables(self.database, self.seat)

    @property
    def statement(self) -> Statement:
        """Where the money went."""
        return Statement(self.database, self.seat)

    def turns(self) -> list[Turn]:
        """The complete turns of the seat."""
        recording = self.read or read_episode(self.run, self.episode)
        return recording.complete_turns(self.seat)

    def states(self) -> list[State]:
        return [turn.state for turn in self.turns() if turn.state is not None]


def view_year(run: Run, episode: int) -> YearView:
    """From the derived files if they belong to the record, else by a replay of what is recorded."""
    run.require(episode)
    stored = stored_year(run, episode)
    database = open_results(run.episode_folder(episode) / RESULTS, stored.head) if stored else None
    if stored is not None and database is not None:
        seat = run.seat(episode)
        return YearView(run, episode, stored.ends[seat], stored.reports[seat], database)
    return view_record(run, episode, read_episode(run, episode))


def stored_year(run: Run, episode: int) -> Result | None:
    """The result of an episode at every seat; None if it has no end, or its derived files are not of its record."""
    try:
        with opened(run.events_path(episode)) as file:
            found = read_end(file, run.terms_of(episode), episode)
    except OSError:
        return None
    return stored_result(run, episode, found) if found else None


def stored_rows(run: Run, episode: int, head: str, table: str) -> list[Any] | None:
    """One table at the seat of the run's entry; None unless `results.db` was made from the record with this head."""
    database = open_results(run.episode_folder(episode) / RESULTS, head, [table])
    if database is None:
        return None
    with closing(database):
        return list(read_rows(database, table, run.seat(episode)))


def view_record(run: Run, episode: int, recording: Recording, world: World | None = None) -> YearView:
    """What the record says, as far as it is whole; raises Divergence if its replay differs."""
    table = table_to_read(run, episode, recording, world)
    table.catch_up()
    seat = run.seat(episode)
    found = close_as_recorded(table).seats[seat]
    return YearView(run, episode, found.end, found.report, make_results("", {seat: found.tables}), recording)


def table_to_read(run: Run, episode: int, recording: Recording, world: World | None = None) -> RecordedTable:
    """A table on its first morning, to `catch_up` with its record; it writes nothing."""
    terms = run.terms_of(episode)
    voice = recorded_voice(terms, recording.turns)
    # Nothing is written; a year that never began would want its first line written.
    return RecordedTable(terms, episode, world or run.load_world(episode), recording, voice, lambda *_: None)


class RecordedCall(NamedTuple):
    """A call as the table of calls has it, and what it did."""

    row: Any
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        return {**self.row._asdict(), "arguments": self.outcome.call.get("arguments"), "reply": self.outcome.text}


def transcript(
    view: YearView, *, day: int | None = None, tool: str | None = None, supplier: Supplier | None = None
) -> Iterator[RecordedCall]:
    """In the order of the calls; those of a day, to a tool, or to a supplier."""
    address = supplier.email.lower() if supplier else ""
    made = (outcome for turn in view.turns() for outcome in turn.outcomes)
    for row, outcome in zip(view.tables.calls, made, strict=True):
        if day not in (None, row.day) or tool not in (None, row.tool):
            continue
        if address and not (row.tool == "chatbox" and address in str(outcome.call.get("arguments")).lower()):
            continue
        yield RecordedCall(row, outcome)


def supplier_called(world: World, name: str) -> Supplier:
    """By name, id or e-mail address."""
    for each in world.suppliers:
        if name.lower() in (each.name.lower(), each.email.lower(), each.id.lower()):
            return each
    known = "`ecbench show RUN --by supplier` lists those that were paid"
    raise RunError(f"no supplier of world {world.name} is called {name!r:.60}; {known}")
