"""A recorded year to look at, whether it is over, interrupted or still being played. Nothing is written or locked."""

from dataclasses import dataclass
from functools import cached_property
from sqlite3 import Connection
from typing import NamedTuple

from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result, read_episode, stored_result
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import Recording, YearEnd, read_end
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.results.database import RESULTS, open_results, read_tables
from ecbench.runs.results.derived_files import Report, results_of, seat_results, stored_reports
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.year_tables import YearTables
from ecbench.world.model import World


class StoredYear(NamedTuple):
    """What an episode came to at the seat of the run's entry, by its derived files."""

    end: End
    report: Report
    head: str  # of the record


@dataclass(frozen=True)
class YearView:
    """An episode as its record has it, at the seat of the run's entry.

    One that has no end is settled as if it had stopped where its record does.
    """

    run: Run
    episode: int
    end: End
    report: Report  # what metrics.json says, or would say
    database: Connection  # what results.db holds, or would hold
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
        return YearView(run, episode, stored.end, stored.report, database)
    return view_record(run, episode, read_episode(run, episode))


def stored_year(run: Run, episode: int) -> StoredYear | None:
    """Without a look at its turns. None if there is no end, or no report that was made from this record."""
    found, seat = _end_of_record(run, episode), run.seat(episode)
    reports = stored_reports(run.episode_folder(episode), found.head, run.seats) if found else None
    return StoredYear(found.ends[seat], reports[seat], found.head) if found and reports else None


def stored_episode(run: Run, episode: int) -> Result | None:
    """The result of an episode at every seat, by its derived files; None if they are not of its record."""
    found = _end_of_record(run, episode)
    return stored_result(run, episode, found) if found else None


def _end_of_record(run: Run, episode: int) -> YearEnd | None:
    try:
        content = read_file(run.events_path(episode))
    except OSError:
        return None
    return read_end(content, run.terms_of(episode), episode)


def view_record(run: Run, episode: int, recording: Recording, world: World | None = None) -> YearView:
    """What the record says, as far as it is whole; raises Divergence where its replay differs."""
    table = table_to_read(run, episode, recording, world)
    table.catch_up()
    seat = run.seat(episode)
    end = table.settle(seat)
    found = seat_results(table.session.years[seat], end, table.recorder.counters[seat], table.terms.voice)
    return YearView(run, episode, end, found.report, results_of({seat: found}), recording)


def table_to_read(run: Run, episode: int, recording: Recording, world: World | None = None) -> RecordedTable:
    """A table on its first morning, to `catch_up` with its record; it writes nothing."""
    terms = run.terms_of(episode)
    voice = recorded_voice(terms, recording.turns)
    return RecordedTable.open(terms, episode, world or run.load_world(episode), recording, voice, _drop)


def _drop(*_: object) -> None:
    """A year that is only looked at has nothing to write; one that never began would want its first line written."""
