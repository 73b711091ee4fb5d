"""A recorded year to look at, whether it is over, interrupted or still being played. Nothing is written or locked."""

from dataclasses import dataclass

from ecbench.runs.derive import full_report
from ecbench.runs.events import End
from ecbench.runs.folder import Run
from ecbench.runs.reader import Recording
from ecbench.runs.seal import Report, sealed_report
from ecbench.runs.seat import RecordedSeat, refuse_alone
from ecbench.runs.session import read_episode
from ecbench.runs.tables import YearTables, read_sheets, year_tables
from ecbench.runs.voices import recorded_voice
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class YearView:
    """A year as its record has it; one that has no end is settled as if it had stopped where its record does."""

    run: Run
    episode: int
    recording: Recording
    end: End
    report: Report  # what metrics.json says, or would say
    tables: YearTables

    @property
    def unfinished(self) -> bool:
        return self.recording.end is None


def view_year(run: Run, episode: int, world: World | None = None) -> YearView:
    """From the files beside the record where they are sealed with its end, else by playing what is recorded again.

    `world` spares a caller of many years the time to load it for each. Raises RunError for a seat of an arena whose
    files are not there: its market has to be played again as a whole.
    """
    recording = read_episode(run, episode)
    if recording.end is not None and not recording.damage:
        folder = run.episode_folder(episode)
        report = sealed_report(folder, recording.end_check)
        if report is not None:
            return YearView(run, episode, recording, recording.end, report, read_sheets(folder))
    return _played_again(run, episode, recording, world or run.load_world(episode))


def _played_again(run: Run, episode: int, recording: Recording, world: World) -> YearView:
    terms = run.terms_of(episode)
    refuse_alone(terms)
    seat = RecordedSeat(terms, episode, world, recording, recorded_voice(terms, recording.turns), _drop)
    seat.catch_up()
    ending, reason = (recording.end.ending, recording.end.reason) if recording.end else ("stopped", "")
    seat.year.finish(ending)
    end, _ = seat.recorder.end(seat.year, ending, reason)
    tally = seat.recorder.tally
    report = full_report(seat.year, end, tally, seat.recorder.voice)
    return YearView(run, episode, recording, end, report, year_tables(seat.year, tally.calls.rows))


def _drop(_lines: bytes, _state: object) -> None:
    """A year that is only looked at has nothing to write; one that never began would want its first line written."""
