"""A process for each episode on this machine. Each writes its own record; only progress arrives here."""

import pickle
import sys
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from time import monotonic

from ecbench.harness.messages import Setback
from ecbench.runs.events import State
from ecbench.runs.executors.protocol import Losses, Work
from ecbench.runs.folder import Run
from ecbench.runs.lifeline import Line, work
from ecbench.runs.session import Opening, Result, play_here
from ecbench.runs.stopping import StopFlag, signals_held

# A forked process would inherit threads and sockets in the middle of whatever they were doing.
_spawning = get_context("spawn")

PAUSE_SECONDS = 0.2  # between looks at the stop flag
TURN_SECONDS = 1.0  # a merchant's hundreds of turns in that time are not told one by one
GRACE_SECONDS = 2  # for what a merchant left running in a worker that has played its year
LAST_SECONDS = 1  # for a killed worker to be gone
STOP = "stop"

News = Opening | State | Setback | Result | str | None
"""From a worker: what a listener is told, the traceback of an error of our own, or None when its process is gone."""


@dataclass(slots=True)
class Worker:
    episode: int
    process: BaseProcess
    line: Line
    told_to_stop: bool = False


class Processes:
    def play(self, work: Work) -> list[Result]:
        return Crew(work).play()


class Crew:
    """The workers of a run, and the episodes that wait for one."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._waiting = deque(work.episodes)
        self._workers: list[Worker] = []
        self._losses = Losses()
        self._results: list[Result] = []

    def play(self) -> list[Result]:
        stop = self._work.stop
        _start_tracker()
        with stop.ending(self._kill_all):
            try:
                while self._workers or (self._waiting and not stop.requested):
                    while self._waiting and len(self._workers) < self._work.jobs and not stop.requested:
                        self._hire(self._waiting.popleft())
                    if stop.requested:
                        _tell_to_stop(self._workers)
                    for worker, news in _heard(self._workers):
                        self._take(worker, news)
            finally:
                self._kill_all()
        return self._results

    def _hire(self, episode: int) -> None:
        here, there = _spawning.Pipe()
        task = pickle.dumps(partial(_play, self._work.run, episode))
        process = _spawning.Process(target=work, args=(there, task), name=f"episode-{episode}")
        with signals_held():
            process.start()
            self._workers.append(Worker(episode, process, here))
        there.close()

    def _take(self, worker: Worker, news: News) -> None:
        match news:
            case Opening():
                self._work.listener.opened(worker.episode, news)
            case State():
                self._losses.reset(worker.episode)
                self._work.listener.progressed(worker.episode, news)
            case Setback():
                self._work.listener.set_back(worker.episode, news)
            case Result():
                self._dismiss(worker)
                self._close(news)
            case str():
                raise RuntimeError(f"the worker of episode {worker.episode} failed\n{news}")
            case None:
                self._dismiss(worker)
                given_up = self._losses.count(worker.episode, f"exit code {worker.process.exitcode}")
                if given_up is None:
                    self._waiting.appendleft(worker.episode)
                else:
                    self._close(given_up)

    def _dismiss(self, worker: Worker) -> None:
        worker.process.join(GRACE_SECONDS)
        worker.process.kill()
        worker.process.join()
        worker.line.close()
        self._workers.remove(worker)

    def _kill_all(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join(LAST_SECONDS)

    def _close(self, result: Result) -> None:
        self._work.listener.closed(result)
        self._results.append(result)


def _start_tracker() -> None:
    """Python's own companion of spawned processes. The first worker would start it, and be open to signals for it."""
    if sys.platform != "win32":
        with signals_held():
            resource_tracker.ensure_running()


def _tell_to_stop(crew: list[Worker]) -> None:
    for worker in crew:
        if not worker.told_to_stop:
            worker.told_to_stop = True
            with suppress(OSError):
                worker.line.send(STOP)


def _heard(crew: list[Worker]) -> Iterator[tuple[Worker, News]]:
    speaking = wait([worker.line for worker in crew], PAUSE_SECONDS)
    for worker in [worker for worker in crew if worker.line in speaking]:
        try:
            yield worker, worker.line.recv()
        except (EOFError, OSError):
            yield worker, None


class Reporter:
    """Tells the other side of a line about an episode: a day at a time, or a turn where a day takes long."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._day = -1
        self._told = 0.0

    def opened(self, _episode: int, opening: Opening) -> None:
        self._tell(opening)

    def progressed(self, _episode: int, state: State) -> None:
        if state.day != self._day or monotonic() - self._told > TURN_SECONDS:
            self._day, self._told = state.day, monotonic()
            self._tell(state)

    def set_back(self, _episode: int, setback: Setback) -> None:
        self._tell(setback)

    def closed(self, result: Result) -> None:
        self._tell(result)

    def _tell(self, news: Opening | State | Setback | Result) -> None:
        # Nobody listens any more: the end that follows from it is on its way.
        with suppress(OSError):
            self._line.send(news)


def _play(run: Run, episode: int, line: Line, stop: StopFlag) -> None:
    reporter = Reporter(line)
    try:
        reporter.closed(play_here(run, episode, run.load_world(), reporter, stop))
    except Exception:
        with suppress(OSError):
            line.send(traceback.format_exc())
