"""Playing in a process of its own, for an executor that starts processes which take signals as they like."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import psutil

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.workers.executor import Work
from ecbench.runs.workers.progress_messages import Reporter, pass_on
from ecbench.runs.workers.worker_process import Line, Worker, hire

PAUSE_SECONDS = 0.2  # between looks at the stop flag

Play = Callable[[Work], list[Result]]


def play_apart(play: Play, work: Work) -> list[Result]:
    """`play` this work elsewhere: no signal to the run's process group reaches it or what it starts."""
    worker = hire(partial(_play, play, work.run, work.episodes, work.jobs))
    with work.stop.ending(partial(_kill, worker)):
        try:
            return _follow(worker, work)
        finally:
            _kill(worker)


def _follow(worker: Worker, work: Work) -> list[Result]:
    results: list[Result] = []
    while True:
        if work.stop.requested:
            worker.tell_to_stop()
        if not worker.line.poll(PAUSE_SECONDS):
            continue
        try:
            news = worker.line.recv()
        except (EOFError, OSError):
            worker.dismiss()
            raise RunError(f"the process that played was lost (exit code {worker.process.returncode})") from None
        if news is None:
            worker.dismiss()
            return results
        pass_on(news, work.listener)
        if isinstance(news[1], Result):
            results.append(news[1])


def _play(play: Play, run: Run, episodes: Sequence[int], jobs: int, line: Line, stop: StopFlag) -> None:
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    reporter = Reporter(line)
    with stop.ending(kill_descendants), reporter.telling_of_errors():
        play(Work(run, episodes, run.load_world(), jobs, reporter, stop))
        line.send(None)


def kill_descendants() -> None:
    kill_all(psutil.Process().children(recursive=True))


def kill_all(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


def _kill(worker: Worker) -> None:
    """It and whoever descends from it, the first of them first: what it has started does not outlive it."""
    family: list[psutil.Process] = []
    with suppress(psutil.Error):
        family = psutil.Process(worker.process.pid).children(recursive=True)
    worker.kill()
    kill_all(family)
