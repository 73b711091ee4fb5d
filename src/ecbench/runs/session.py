"""Episodes of a run folder: open the record, see that it belongs here, play on, write what follows from it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple, Protocol

from ecbench.harness.messages import Setback
from ecbench.runs.derive import DERIVED, write_derived
from ecbench.runs.events import End, State
from ecbench.runs.file import EventsFile
from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.play import Played, play_year, replay_year
from ecbench.runs.problems import RunError
from ecbench.runs.reader import Recording, read_events
from ecbench.runs.recorder import Append
from ecbench.runs.stopping import StopFlag
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an episode: its end, or the message that says why it has none."""

    episode: int
    end: End | None = None
    problem: str = ""


class Opening(NamedTuple):
    """Where an episode starts from."""

    turns: int
    state: State | None  # None: nothing has been played yet
    dropped: str  # what a killed process left unfinished and is now gone

    @classmethod
    def of(cls, recording: Recording) -> "Opening":
        return cls(len(recording.turns), recording.states[-1] if recording.states else None, recording.dropped)


class Listener(Protocol):
    """Told how the episodes get on, from one thread."""

    def opened(self, episode: int, opening: Opening, /) -> None: ...
    def progressed(self, episode: int, state: State, /) -> None: ...
    def set_back(self, episode: int, setback: Setback, /) -> None: ...
    def closed(self, result: Result, /) -> None: ...


@dataclass(slots=True)
class OpenEpisode:
    """An episode whose record is locked for writing."""

    events: EventsFile
    recording: Recording
    folder: Path

    def telling(self, listener: Listener, episode: int) -> Append:
        """Writes every turn, and then tells of it."""

        def append(lines: bytes, state: State | None) -> None:
            self.events.append(lines)
            if state is not None:
                listener.progressed(episode, state)

        return append

    def close_with(self, played: Played) -> End:
        write_derived(self.folder, played.files)
        return played.end


@contextmanager
def open_episode(run: Run, episode: int) -> Iterator[OpenEpisode]:
    """Raises RunError, with everything left as it was, when the record is damaged or belongs to other terms."""
    path = run.events_path(episode)
    with EventsFile(path) as events:
        recording = read_events(events.read(), str(path))
        check_terms(run, episode, recording, path)
        if recording.damage:
            raise RunError(f"{recording.damage}. {_way_out(run)}")
        events.keep(recording.kept)
        yield OpenEpisode(events, recording, path.parent)


def read_episode(run: Run, episode: int) -> Recording:
    """The record of an episode as it stands, to look at; it is not locked and may be growing."""
    if not 0 <= episode < run.episodes:
        raise RunError(f"{run.folder} has no episode {episode}; its episodes are 0 to {run.episodes - 1}")
    path = run.events_path(episode)
    try:
        recording = read_events(path.read_bytes(), str(path))
    except FileNotFoundError:
        return Recording()
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    check_terms(run, episode, recording, path)
    return recording


def play_here(run: Run, episode: int, world: World, listener: Listener, stop: StopFlag) -> Result:
    """Play one episode in this process to its end."""
    try:
        with open_episode(run, episode) as opened:
            listener.opened(episode, Opening.of(opened.recording))
            end = settled_end(run, episode, world, opened)
            if end is None:
                append, tell = opened.telling(listener, episode), partial(listener.set_back, episode)
                end = opened.close_with(play_year(run.terms, episode, world, opened.recording, append, stop, tell))
            return Result(episode, end)
    except RunError as problem:
        return Result(episode, problem=str(problem))


def settled_end(run: Run, episode: int, world: World, opened: OpenEpisode) -> End | None:
    """The end of a year that is over already; files that it lacks are made from its events."""
    if not opened.recording.finished:
        return None
    if not all((opened.folder / name).exists() for name in DERIVED):
        opened.close_with(replay_year(run.terms, episode, world, opened.recording))
    return opened.recording.end


def check_terms(run: Run, episode: int, recording: Recording, path: Path) -> None:
    """A record must have been made under the terms that run.json states."""
    if recording.terms is None:
        return
    stated, recorded = run.terms.to_json(), recording.terms.to_json()
    for name, value in recorded.items():
        if value != stated[name]:
            raise RunError(
                f"{path} was recorded with {name} {value!r}, but {run.folder / MANIFEST} says {stated[name]!r}; "
                "one of them was edited or belongs to another run"
            )
    if recording.episode != episode:
        raise RunError(f"{path} is the record of episode {recording.episode}, not of episode {episode}")
    inherited = recording.terms.fork.turns if recording.terms.fork else 0
    if len(recording.turns) < inherited:
        raise RunError(f"{path} lacks turns that it took over; fork the original run again")


def salvage(run: Run, episode: int) -> Path | None:
    """Put a damaged record aside and leave its whole turns in its place; None where nothing is damaged."""
    path = run.events_path(episode)
    if not path.exists():
        return None
    with EventsFile(path) as events:
        recording = read_events(events.read(), str(path))
        if not recording.damage:
            return None
        copies = (path.with_name(f"events.damaged-{number}.jsonl") for number in count(1))
        aside = next(copy for copy in copies if not copy.exists())
        try:
            aside.write_bytes(recording.content)
            os.truncate(path, recording.kept)
        except OSError as error:
            raise RunError(f"cannot write {aside}: {error.strerror}; nothing was changed") from error
        return aside


def _way_out(run: Run) -> str:
    return (
        f"Nothing was changed. To go on behind the last whole turn: ecbench resume {run.folder} --salvage; the damaged "
        "file is kept beside it"
    )
