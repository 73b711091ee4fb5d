"""A recorded year to look at, whether it is over, interrupted or still being played. Nothing is written or locked."""

from dataclasses import dataclass
from typing import NamedTuple

from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_seat import RecordedSeat, refuse_alone
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import End
from ecbench.runs.record.reader import Recording, read_end
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.results.checksums import Report, sealed_report
from ecbench.runs.results.derived_files import full_report
from ecbench.runs.results.tables import YearTables, read_sheets, year_tables
from ecbench.world.model import World


class SealedYear(NamedTuple):
    """What a year came to, by files that are sealed with its end."""

    end: End
    report: Report


@dataclass(frozen=True, slots=True)
class YearView:
    """A year as its record has it; one that has no end is settled as if it had stopped where its record does."""

    run: Run
    episode: int
    end: End
    report: Report  # what metrics.json says, or would say
    tables: YearTables
    read: Recording | None = None  # None: its files tell all, so nobody has looked at its turns yet

    @property
    def unfinished(self) -> bool:
        return self.read is not None and self.read.end is None

    @property
    def damage(self) -> str:
        return self.read.damage if self.read else ""

    @property
    def dropped(self) -> str:
        return self.read.dropped if self.read else ""

    def recording(self) -> Recording:
        return self.read or read_episode(self.run, self.episode)


def view_year(run: Run, episode: int, world: World | None = None) -> YearView:
    """From the files beside the record where they are sealed with its end, else by playing what is recorded again.

    `world` spares a caller of many years the time to load it for each. Raises RunError for a seat of an arena whose
    files are not there: its market has to be played again as a whole.
    """
    sealed = sealed_year(run, episode)
    if sealed is not None:
        return YearView(run, episode, sealed.end, sealed.report, read_sheets(run.episode_folder(episode)))
    return view_record(run, episode, read_episode(run, episode), world)


def sealed_year(run: Run, episode: int) -> SealedYear | None:
    """Without a look at its turns: the checksums vouch for every byte. None where they do not, or there is no end."""
    try:
        content = read_file(run.events_path(episode))
    except OSError:
        return None
    found = read_end(content, run.terms_of(episode), episode)
    report = sealed_report(run.episode_folder(episode), found[1]) if found else None
    return None if found is None or report is None else SealedYear(found[0], report)


def view_record(run: Run, episode: int, recording: Recording, world: World | None = None) -> YearView:
    """What the events say, as far as they are whole; raises Divergence where they do not come out as recorded."""
    terms = run.terms_of(episode)
    refuse_alone(terms)
    seat = seat_to_read(run, episode, recording, world)
    seat.catch_up()
    ending, reason = (recording.end.ending, recording.end.reason) if recording.end else ("stopped", "")
    seat.year.finish(ending)
    end, _ = seat.recorder.end(seat.year, ending, reason)
    tally = seat.recorder.tally
    report = full_report(seat.year, end, tally, seat.recorder.voice)
    return YearView(run, episode, end, report, year_tables(seat.year, tally.calls.rows), recording)


def seat_to_read(run: Run, episode: int, recording: Recording, world: World | None = None) -> RecordedSeat:
    """A seat at the first morning, to `catch_up` with its record; it writes nothing."""
    terms = run.terms_of(episode)
    voice = recorded_voice(terms, recording.turns)
    return RecordedSeat(terms, episode, world or run.load_world(episode), recording, voice, _drop)


def _drop(_lines: bytes, _state: object) -> None:
    """A year that is only looked at has nothing to write; one that never began would want its first line written."""
