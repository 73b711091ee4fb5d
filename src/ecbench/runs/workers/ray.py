"""Workers of a Ray cluster. They may be on other machines, so the record is written here, from what they send."""

import asyncio
import logging
import queue
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import psutil
import ray
from ray.exceptions import RayError, RayTaskError

from ecbench.harness.messages import RetryNotice
from ecbench.runs.errors import RunError
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import EpisodeOpening, OpenEpisode, Result, open_episode, settled
from ecbench.runs.play.recorded_seat import Played
from ecbench.runs.play.year import play_year
from ecbench.runs.record.events import State, Terms
from ecbench.runs.record.reader import read_events
from ecbench.runs.workers.executor import Losses, Work
from ecbench.runs.workers.separate_process import kill_all, play_apart
from ecbench.world.load import load_world
from ecbench.world.model import World
from ecbench.world.save import world_files

WAIT_SECONDS = 0.2  # between looks at the stop flag
AHEAD = 2  # parcels a worker may be ahead of what is written here
PARCEL = 32  # turns that may travel together: a model's turns go one by one, a merchant's hundreds a second do not

# Ray's own types know neither actors of plain classes nor streams.
_remote: Any = ray.remote
_wait: Any = ray.wait

News = tuple[bytes, State | None] | RetryNotice | Played | str
"""Lines for the record; a model's retry; the end of the year; or the problem that keeps it from going on."""


@dataclass(slots=True)
class RemoteSeat:
    """An episode that a worker is playing: its open record here, and the stream of what the worker sends."""

    episode: int
    opened: OpenEpisode
    record: ExitStack
    stream: Any


class RayCluster:
    """Uses the cluster that Ray finds, as its own documentation says, and starts one on this machine otherwise."""

    def play(self, work: Work) -> list[Result]:
        return RemoteTable(work).play() if ray.is_initialized() else play_apart(_connect_and_play, work)


def _connect_and_play(work: Work) -> list[Result]:
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        return RemoteTable(work).play()
    finally:
        cluster = psutil.Process().children(recursive=True)
        ray.shutdown()
        kill_all(cluster)  # a daemon that is slow to shut down is killed by Ray, and leaves its agents for a minute


class RemoteTable:
    """The driver's side of a run."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._files: dict[str, Any] = {}  # of each world, by its id
        self._bell = _remote(num_cpus=0)(StopBell).remote()
        ray.get(self._bell.hung.remote())
        self._play_remotely = _remote(num_cpus=1, max_retries=0)(play_remotely).options(
            num_returns="streaming", _generator_backpressure_num_objects=AHEAD
        )
        self._waiting = deque(work.episodes)
        self._seats: list[RemoteSeat] = []
        self._losses = Losses()
        self._results: list[Result] = []

    def play(self) -> list[Result]:
        stop, rung = self._work.stop, False
        try:
            while self._seats or (self._waiting and not stop.requested):
                while self._waiting and len(self._seats) < self._work.jobs and not stop.requested:
                    self._open(self._waiting.popleft())
                if stop.requested and not rung:
                    rung = True
                    self._bell.ring.remote()
                self._hear()
        finally:
            for seat in self._seats:
                ray.cancel(seat.stream)
                seat.record.close()
            ray.kill(self._bell)
        return self._results

    def _open(self, episode: int) -> None:
        with ExitStack() as record:
            try:
                opened = record.enter_context(open_episode(self._work.run, episode))
                self._work.listener.opened(episode, EpisodeOpening.of(opened.recording))
                world = self._work.world_of(episode)
                result = settled(opened, world)
            except RunError as problem:
                self._close(Result.failed(episode, problem))
                return
            if result is not None:
                self._close(result)
                return
            stream = self._play_remotely.remote(
                opened.terms, episode, self._sent(world), opened.recording.written, self._bell
            )
            self._seats.append(RemoteSeat(episode, opened, record.pop_all(), stream))

    def _sent(self, world: World) -> Any:
        """The files of the world, in the cluster's store."""
        if world.id not in self._files:
            self._files[world.id] = ray.put(world_files(world))
        return self._files[world.id]

    def _hear(self) -> None:
        if not self._seats:
            return
        streams = {seat.stream: seat for seat in self._seats}
        ready, _ = _wait(list(streams), num_returns=len(streams), timeout=WAIT_SECONDS)
        for stream in ready:
            seat = streams[stream]
            try:
                for news in ray.get(next(stream)):
                    self._take(seat, news)
            except RunError as problem:
                ray.cancel(stream)  # it plays on and nobody listens any more
                self._leave(seat, Result.failed(seat.episode, problem))
            except RayTaskError:
                raise
            except (RayError, StopIteration) as loss:
                self._leave(seat)
                given_up = self._losses.count(seat.episode, type(loss).__name__)
                if given_up is None:
                    self._waiting.appendleft(seat.episode)
                else:
                    self._close(given_up)

    def _take(self, seat: RemoteSeat, news: News) -> None:
        if isinstance(news, Played):
            self._leave(seat, seat.opened.close_with(news))
        elif isinstance(news, str):
            self._leave(seat, Result(seat.episode, problem=news))
        elif isinstance(news, RetryNotice):
            self._work.listener.on_retry(seat.episode, news)
        else:
            lines, state = news
            seat.opened.append(lines, state)
            if state is not None:
                self._losses.reset(seat.episode)
                self._work.listener.progressed(seat.episode, state)

    def _leave(self, seat: RemoteSeat, result: Result | None = None) -> None:
        """A stream that has sent its last parcel ends by itself: Ray does not bear cancelling a task as it ends."""
        self._seats.remove(seat)
        seat.record.close()
        if result is not None:
            self._close(result)

    def _close(self, result: Result) -> None:
        self._work.listener.closed(result)
        self._results.append(result)


class StopBell:
    """Rung once, heard by every worker."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    async def hung(self) -> None:
        """Answers once it can be rung; an actor takes a moment to start."""

    async def ring(self) -> None:
        self._rung.set()

    async def heard(self) -> None:
        await self._rung.wait()


def play_remotely(
    terms: Terms, episode: int, files: Mapping[str, str], written: bytes, bell: Any
) -> Iterator[list[News]]:
    """On a worker: play on behind what is written, and send every turn. A lost worker is the driver's to replace."""
    outbox: queue.Queue[News | BaseException] = queue.Queue(PARCEL)
    stop = StopFlag()
    threading.Thread(target=_await_stop, args=(bell, stop), daemon=True).start()

    def play() -> None:
        try:
            recording = read_events(written, f"episode {episode}")
            world = unpacked_world(tuple(files.items()))
            outbox.put(play_year(terms, episode, world, recording, lambda *news: outbox.put(news), stop, outbox.put))
        except RunError as problem:
            outbox.put(str(problem))
        except BaseException as problem:
            outbox.put(problem)

    threading.Thread(target=play, daemon=True).start()
    parcel: list[News] = []
    while not parcel or isinstance(parcel[-1], tuple | RetryNotice):
        parcel = []
        while not parcel or (
            len(parcel) < PARCEL and isinstance(parcel[-1], tuple | RetryNotice) and not outbox.empty()
        ):
            news = outbox.get()
            if isinstance(news, BaseException):
                raise news
            parcel.append(news)
        yield parcel


def _await_stop(bell: Any, stop: StopFlag) -> None:
    try:
        ray.get(bell.heard.remote())
    except RayError:
        return  # the run is over
    stop.request()


@lru_cache(maxsize=2)
def unpacked_world(files: tuple[tuple[str, str], ...]) -> World:
    """The world as the driver has it; a worker's machine need not hold its folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files:
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")
        return load_world(Path(folder))
