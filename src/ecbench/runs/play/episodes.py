"""Episodes of a run folder: open the record, see that it belongs here, play on, write what follows from it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from ecbench.harness.messages import RetryNotice
from ecbench.ranges import quoted
from ecbench.runs.errors import DamagedRecord, RunError
from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.recorded_seat import Played, replay_year
from ecbench.runs.play.year import play_year
from ecbench.runs.record.append_only_log import EventsFile
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import End, State, Terms
from ecbench.runs.record.reader import Recording, read_events
from ecbench.runs.record.recorder import Append
from ecbench.runs.results.checksums import Report, read_seal, sealed_before, sealed_report
from ecbench.runs.results.derived_files import write_derived
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an episode: its end and what `metrics.json` says of it, or why it has none.

    With an end, a problem says that the files beside the events could not be brought up to date.
    """

    episode: int
    end: End | None = None
    problem: str = ""
    report: Report | None = None
    salvageable: bool = False
    stack: str = ""  # of a merchant's failure, for its author

    @classmethod
    def failed(cls, episode: int, problem: RunError) -> "Result":
        return cls(episode, problem=str(problem), salvageable=isinstance(problem, DamagedRecord))


class EpisodeOpening(NamedTuple):
    """Where an episode starts from."""

    turns: int
    state: State | None  # None: nothing has been played yet
    dropped: str  # what a killed process left unfinished and is now gone

    @classmethod
    def of(cls, recording: Recording) -> "EpisodeOpening":
        return cls(len(recording.turns), recording.states[-1] if recording.states else None, recording.dropped)


class Listener(Protocol):
    """Told how the episodes get on, from one thread."""

    def opened(self, episode: int, opening: EpisodeOpening, /) -> None: ...
    def progressed(self, episode: int, state: State, /) -> None: ...
    def on_retry(self, episode: int, notice: RetryNotice, /) -> None: ...
    def closed(self, result: Result, /) -> None: ...


@dataclass(slots=True)
class OpenEpisode:
    """An episode whose record is locked for writing."""

    run: Run
    episode: int
    events: EventsFile
    recording: Recording
    _synced_day: int = -1

    @property
    def folder(self) -> Path:
        return self.run.episode_folder(self.episode)

    @property
    def terms(self) -> Terms:
        return self.run.terms_of(self.episode)

    def append(self, lines: bytes, state: State | None) -> None:
        """A turn of a model, or from outside, costs seconds or money: it is on the disk before anybody hears of it.

        A merchant's turns are played again in no time, and are many: they are seen to the disk once a day.
        """
        terms = self.run.terms
        costly = is_model(terms.agent) or terms.voice != "template" or terms.door != ""
        day = -1 if state is None else state.day
        sync = costly or state is None or day != self._synced_day
        self.events.append(lines, sync=sync)
        self._synced_day = day

    def telling(self, listener: Listener) -> Append:
        """Writes every turn, and then tells of it."""

        def append(lines: bytes, state: State | None) -> None:
            self.append(lines, state)
            if state is not None:
                listener.progressed(self.episode, state)

        return append

    def close_with(self, played: Played) -> Result:
        """The year is recorded, whatever becomes of the files beside its record."""
        try:
            write_derived(self.folder, played.files)
            problem = ""
        except RunError as error:
            problem = str(error)
        return Result(self.episode, played.end, problem, played.report, stack=played.stack)


@contextmanager
def open_episode(run: Run, episode: int) -> Iterator[OpenEpisode]:
    """Raises RunError, with everything left as it was, when the record is damaged or belongs to other terms.

    A year that is over can be opened where nothing may be written.
    """
    path = run.events_path(episode)
    if not path.exists():
        _refuse_damage(run, read_episode(run, episode))  # before an empty file is made there
    with EventsFile(path) as events:
        recording = examined(run, episode, events.read())
        _refuse_damage(run, recording)
        if events.locked_out and not recording.finished:
            raise RunError(f"cannot write {path}: {events.locked_out}")
        events.keep(recording.kept)
        yield OpenEpisode(run, episode, events, recording)


def read_episode(run: Run, episode: int) -> Recording:
    """The record of an episode as it stands, to look at; it is not locked and may be growing."""
    run.require(episode)
    path = run.events_path(episode)
    try:
        content = read_file(path)
    except FileNotFoundError as error:
        if path.is_symlink():
            raise RunError(f"cannot read {path}: it is a link that leads nowhere") from error
        content = b""
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    return examined(run, episode, content)


def examined(run: Run, episode: int, content: bytes) -> Recording:
    """A record that belongs here. Raises RunError when it was made under other terms, or a fork lacks its beginning."""
    path = run.events_path(episode)
    recording = read_events(content, str(path))
    check_terms(run, episode, recording, path)
    if not recording.damage:
        recording.damage = _lost_turns(run, episode, recording)
    return recording


def _lost_turns(run: Run, episode: int, recording: Recording) -> str:
    """The files of an end are written after it, so a record that is shorter than they say has lost its end since."""
    found = read_seal(run.episode_folder(episode))
    if found is None or found.turns <= len(recording.turns):
        return ""
    return (
        f"{run.events_path(episode)} holds {len(recording.turns):,} turns, but the files beside it were made when it "
        f"had {found.turns:,}: the end of it is lost"
    )


def play_here(run: Run, episode: int, world: World, listener: Listener, stop: StopFlag) -> Result:
    """Play one episode in this process to its end."""
    try:
        with open_episode(run, episode) as opened:
            listener.opened(episode, EpisodeOpening.of(opened.recording))
            result = settled(opened, world)
            if result is None:
                append, on_retry = opened.telling(listener), partial(listener.on_retry, episode)
                result = opened.close_with(
                    play_year(opened.terms, episode, world, opened.recording, append, stop, on_retry)
                )
            return result
    except RunError as problem:
        return Result.failed(episode, problem)


def settled(opened: OpenEpisode, world: World) -> Result | None:
    """What became of a year that is over already; files that are missing or of another end are made from its events."""
    recording = opened.recording
    if not recording.finished:
        return None
    report = sealed_report(opened.folder, recording.end_check)
    if report is not None:
        return Result(opened.episode, recording.end, report=report)
    result = opened.close_with(replay_year(opened.terms, opened.episode, world, recording))
    # Where nothing may be written, files of an earlier version may stay as they are.
    return replace(result, problem="") if sealed_before(opened.folder, recording.end_check) else result


def check_terms(run: Run, episode: int, recording: Recording, path: Path) -> None:
    """A record must have been made under the terms that run.json states, and a fork hold what it took over."""
    check_start(run, episode, recording, path)
    inherited = run.terms.fork.turns if run.terms.fork else 0
    if len(recording.turns) < inherited:
        raise RunError(
            f"{path} lacks turns that it took over: it holds {len(recording.turns):,} of {inherited:,}; fork the "
            "original run again"
        )


def check_start(run: Run, episode: int, recording: Recording, path: Path) -> None:
    """The first line of a record states the terms of its run."""
    if recording.terms is not None:
        stated, recorded = run.terms_of(episode).to_json(), recording.terms.to_json()
        for name, value in recorded.items():
            if value != stated[name]:
                raise RunError(
                    f"{path} was recorded with {name} {quoted(value)}, but {run.folder / MANIFEST} says "
                    f"{quoted(stated[name])}; one of them was edited or belongs to another run"
                )
        if recording.episode != episode:
            raise RunError(f"{path} is the record of episode {recording.episode}, not of episode {episode}")


def _refuse_damage(run: Run, recording: Recording) -> None:
    if recording.damage:
        raise DamagedRecord(
            f"{recording.damage}. Nothing was changed. To go on behind the last whole turn: ecbench resume "
            f"{run.folder} --salvage; what is there now is kept beside it"
        )
