"""A recorded year to look at, whether it is over, interrupted or still being played. Nothing is written or locked."""

from dataclasses import dataclass
from typing import NamedTuple

from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result, read_episode, verified_result
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import Recording, YearEnd, read_end
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.results.checksum_manifest import Report, verified_report
from ecbench.runs.results.derived_files import full_report
from ecbench.runs.results.tables import YearTables, read_sheets, year_tables
from ecbench.world.model import World


class VerifiedYear(NamedTuple):
    """What a year came to, by derived files that match their checksums."""

    end: End
    report: Report


@dataclass(frozen=True, slots=True)
class YearView:
    """A year as its record has it, at the seat of the run's entry.

    One that has no end is settled as if it had stopped where its record does.
    """

    run: Run
    episode: int
    end: End
    report: Report  # what metrics.json says, or would say
    tables: YearTables
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

    def turns(self) -> list[Turn]:
        """The complete turns of the seat."""
        recording = self.read or read_episode(self.run, self.episode)
        return recording.complete_turns(self.run.seat(self.episode))

    def states(self) -> list[State]:
        return [turn.state for turn in self.turns() if turn.state is not None]


def view_year(run: Run, episode: int) -> YearView:
    """From the derived files where they match their checksums, else by a replay of what is recorded."""
    run.require(episode)
    verified = verified_year(run, episode)
    if verified is not None:
        tables = read_sheets(run.results_folder(episode))
        return YearView(run, episode, verified.end, verified.report, tables)
    return view_record(run, episode, read_episode(run, episode))


def verified_year(run: Run, episode: int) -> VerifiedYear | None:
    """Without a look at its turns: the checksums cover every byte. None where they do not, or there is no end."""
    found = _end_of_record(run, episode)
    report = verified_report(run.results_folder(episode), found.head, run.seat(episode)) if found else None
    return None if found is None or report is None else VerifiedYear(found.ends[run.seat(episode)], report)


def verified_episode(run: Run, episode: int) -> Result | None:
    """The result of an episode at every seat, by derived files that match their checksums; None where one does not."""
    found = _end_of_record(run, episode)
    return verified_result(run, episode, found) if found else None


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
    counters, year = table.recorder.counters[seat], table.session.years[seat]
    report = full_report(year, end, counters, table.terms.voice)
    return YearView(run, episode, end, report, year_tables(year, counters.rows), recording)


def table_to_read(run: Run, episode: int, recording: Recording, world: World | None = None) -> RecordedTable:
    """A table on its first morning, to `catch_up` with its record; it writes nothing."""
    terms = run.terms_of(episode)
    voice = recorded_voice(terms, recording.turns)
    return RecordedTable.open(terms, episode, world or run.load_world(episode), recording, voice, _drop)


def _drop(*_: object) -> None:
    """A year that is only looked at has nothing to write; one that never began would want its first line written."""
