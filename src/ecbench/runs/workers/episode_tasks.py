"""Episodes of a run as tasks of the worker pool."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from ecbench.harness.messages import RetryNotice
from ecbench.runs.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import EpisodeOpening, Listener, OpenEpisode, Result, open_episode, play_here, settled
from ecbench.runs.play.recorded_seat import Played
from ecbench.runs.play.year import play_year
from ecbench.runs.record.events import State, Terms
from ecbench.runs.record.reader import read_events
from ecbench.runs.results.year_view import sealed_year
from ecbench.runs.workers.pool import DetachedWork, Executor, Send, Settled, Task, run_pool
from ecbench.runs.workers.sent_worlds import WorldFiles, packed_world, unpacked_world
from ecbench.world.model import World

MOST_WORLDS = 12  # in the memory of a worker, about 10 MB each
TURN_SECONDS = 1.0  # a merchant's hundreds of turns in that time are not reported one by one

_worlds: dict[str, World] = {}  # of a worker, by id, for its next episodes


def play_episodes(
    run: Run,
    episodes: Sequence[int],
    world: World,
    *,
    executor: Executor,
    jobs: int,
    listener: Listener,
    stop: StopFlag,
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Play these episodes, each from where its record stands; `world` is that of the run's first episode, if loaded.

    When a stop is requested, episodes end after their turn, and those that have not begun do not begin.
    """
    receiver = EpisodeReceiver(listener, on_result)
    tasks = [Task(episode, PlayEpisode(run, episode, world)) for episode in episodes]
    run_pool(tasks, receiver, executor=executor, jobs=jobs, stop=stop)
    return receiver.results


def finished_episodes(run: Run) -> list[Result]:
    """The episodes that are over and whose files are verified by their checksums: their turns need not be read."""
    results = []
    for episode in range(run.episodes):
        with suppress(RunError):  # which playing the episode reports
            year = sealed_year(run, episode)
            if year is not None and not year.end.resumable:
                results.append(Result(episode, year.end, report=year.report))
    return results


class EpisodeReceiver:
    """Passes the messages and results of episodes on to a listener, and collects the results."""

    def __init__(self, listener: Listener, on_result: Callable[[Result], None] | None) -> None:
        self.results: list[Result] = []
        self._listener = listener
        self._on_result = on_result

    def received(self, episode: int, message: EpisodeOpening | State | RetryNotice) -> None:
        match message:
            case EpisodeOpening():
                self._listener.opened(episode, message)
            case State():
                self._listener.progressed(episode, message)
            case RetryNotice():
                self._listener.on_retry(episode, message)

    def finished(self, _episode: int, result: Result) -> None:
        self.results.append(result)
        if self._on_result is not None:
            self._on_result(result)
        self._listener.closed(result)

    def given_up(self, episode: int, problem: str) -> None:
        self.finished(episode, Result(episode, problem=f"{problem}; ecbench resume tries again"))


class EpisodeSender:
    """A listener at the worker's end: reports a day at a time, or a turn where a day takes long."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._day = -1
        self._sent_at = 0.0

    def opened(self, _episode: int, opening: EpisodeOpening) -> None:
        self._send(opening)

    def progressed(self, _episode: int, state: State) -> None:
        now = monotonic()
        if state.day != self._day or now - self._sent_at > TURN_SECONDS:
            self._day, self._sent_at = state.day, now
            self._send(state, progress=True)

    def on_retry(self, _episode: int, notice: RetryNotice) -> None:
        self._send(notice)

    def closed(self, result: Result) -> None:
        """The result of a task is reported by its worker."""


@dataclass(frozen=True, slots=True)
class PlayEpisode:
    """Work: play an episode from where its record stands, and write its files."""

    run: Run
    episode: int
    first_world: World | None = None  # of the first episode of the run; not pickled, a worker loads its own

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayEpisode, (self.run, self.episode)

    def __call__(self, send: Send, stop: StopFlag) -> Result:
        try:
            world = self.world()
        except RunError as problem:
            return Result.failed(self.episode, problem)
        return play_here(self.run, self.episode, world, EpisodeSender(send), stop)

    def world(self) -> World:
        """Raises RunError where it cannot be found."""
        site = self.run.site(self.episode)
        if self.first_world is not None:
            return self.first_world if site == self.run.sites[0] else self.run.load_world(self.episode)
        if site.id not in _worlds:
            if len(_worlds) >= MOST_WORLDS:
                _worlds.clear()
            _worlds[site.id] = self.run.load_world(self.episode)
        return _worlds[site.id]

    def detach(self, send: Send) -> "DetachedEpisode | Settled":
        """The record stays here: it is written from the turns that the other machine sends."""
        with ExitStack() as record:
            try:
                opened = record.enter_context(open_episode(self.run, self.episode))
                send(EpisodeOpening.of(opened.recording))
                world = self.world()
                result = settled(opened, world)
            except RunError as problem:
                return Settled(Result.failed(self.episode, problem))
            return Settled(result) if result is not None else DetachedEpisode(opened, record.pop_all(), world)


class DetachedEpisode(DetachedWork):
    """An episode that another machine plays: its open record here."""

    __slots__ = ("_opened", "_record")

    def __init__(self, opened: OpenEpisode, record: ExitStack, world: World) -> None:
        remote = partial(play_remotely, opened.terms, opened.episode, opened.recording.written)
        super().__init__(remote, partial(packed_world, world), world.id)
        self._opened = opened
        self._record = record

    def received(self, message: tuple[bytes, State | None] | RetryNotice) -> State | RetryNotice | None:
        if isinstance(message, RetryNotice):
            return message
        self._opened.append(*message)
        return message[1]

    def finished(self, result: Played) -> Result:
        return self._opened.close_with(result)

    def failed(self, problem: RunError) -> Result:
        return Result.failed(self._opened.episode, problem)

    def close(self) -> None:
        self._record.close()


def play_remotely(terms: Terms, episode: int, written: bytes, files: WorldFiles, send: Send, stop: StopFlag) -> Played:
    """Work on another machine: play on after what is written, and send every turn."""

    def append(lines: bytes, state: State | None) -> None:
        send((lines, state), progress=state is not None)

    recording = read_events(written, f"episode {episode}")
    return play_year(terms, episode, unpacked_world(files), recording, append, stop, send)
