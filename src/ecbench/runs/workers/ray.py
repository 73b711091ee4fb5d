"""Workers of a Ray cluster play merchants: each plays a whole episode, and returns its record and its results.

The record is locked, written and signed here. Ray runs in a process of its own, since its daemons handle signals in
their own way.
"""

import logging
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import chdir, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import ray
from ray.exceptions import RayError, RayTaskError

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.loop import finish
from ecbench.runs.folder import EVENTS, Run
from ecbench.runs.play.episodes import OpenEpisode, Result, load_finished, open_episode
from ecbench.runs.play.play_here import PlayEpisode
from ecbench.runs.play.recorded_table import Played
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import read_record
from ecbench.runs.workers.pool import Finished, Lost, Processes, Report, Send, Work, Worker

WAIT_SECONDS = 0.2  # between checks of the stop flag
CLUSTER_LOST = 3  # exit code of the driver, for the message
ATTEMPTS = 2  # to play an episode whose worker is lost

# Ray's own types know no actors of plain classes, and not what nodes are.
_remote: Any = ray.remote
_nodes: Any = ray.nodes


class RayCluster:
    """Uses the cluster that Ray finds by its own rules; where there is none, Ray starts one on this machine."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        playing = set(range(len(works)))

        def received(_driver: int, message: Any) -> None:
            match message:
                case Lost(_) if stop.requested:
                    pass  # its merchants are asked for all their turns again, as every merchant is
                case Lost(problem):
                    for number in playing:
                        report(number, Lost(f"the cluster was lost ({problem})"))
                case (number, content):
                    if isinstance(content, Finished | Lost):
                        playing.remove(number)
                    report(number, content)

        episodes = tuple(work for work in works if isinstance(work, PlayEpisode))
        _ProcessFamily().run([DriveCluster(episodes, jobs)], 1, stop, received)


class _ProcessFamily(Processes):
    """Processes that are killed with their descendants."""

    retries = False

    def kill(self, workers: list[Worker]) -> None:
        family: list[psutil.Process] = []
        for worker in workers:
            with suppress(psutil.Error):
                family += psutil.Process(worker.process.pid).children(recursive=True)
        super().kill(workers)
        kill_all(family)


def kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


@dataclass(frozen=True, slots=True)
class DriveCluster:
    """Work of the process that drives a cluster: play episodes there, `jobs` at a time, and send their results."""

    episodes: tuple[PlayEpisode, ...]
    jobs: int

    def __call__(self, send: Send, stop: StopFlag) -> None:
        with stop.ending(lambda: kill_all(psutil.Process().children(recursive=True))):
            try:
                # Ray puts the folder in which it is started first on the import path of its workers.
                with chdir("/"):
                    ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
                self._play_all(send, stop)
            finally:
                cluster = psutil.Process().children(recursive=True)
                ray.shutdown()
                kill_all(cluster)  # a daemon that is slow to shut down is killed by Ray, and leaves its agents running

    def _play_all(self, send: Send, stop: StopFlag) -> None:
        def play(number: int, work: PlayEpisode) -> None:
            send((number, play_on_cluster(work, lambda message: send((number, message)))))

        with ThreadPoolExecutor(self.jobs) as threads:
            playing = {threads.submit(play, *numbered) for numbered in enumerate(self.episodes)}
            while playing:
                ended, playing = wait(playing, WAIT_SECONDS)
                for each in ended:
                    each.result()
                # Ray would wait for another node for ever.
                if stop.requested or not any(node["Alive"] for node in _nodes()):
                    kill_all(psutil.Process().children(recursive=True))
                    os._exit(CLUSTER_LOST)


def play_on_cluster(work: PlayEpisode, send: Send) -> Finished | Lost:
    """The result of an episode, or why it was given up: its worker was lost, and that of a second attempt too."""
    run, episode, here = replace(work.run, signing_key=None), work.episode, os.getcwd()  # noqa: PTH109
    try:
        with open_episode(work.run, episode, send) as opened:
            finished, cause = load_finished(opened, work.run.load_world(episode)), ""
            if finished is not None:
                return Finished(finished)
            for _ in range(ATTEMPTS):
                written = opened.recording.written
                try:
                    found = ray.get(_play_there.remote(run, episode, written, here, sys.path))
                except RayTaskError:
                    raise
                except RayError as loss:
                    cause = type(loss).__name__
                    continue
                if isinstance(found, str):
                    raise RunError(found)
                lines, played = found
                opened.append(lines, None, 0)
                return Finished(opened.close_with(played))
    except RunError as problem:
        return Finished(Result.failed(episode, problem))
    return Lost(f"its worker was lost twice ({cause})")


def play_remotely(run: Run, episode: int, written: bytes, folder: str, path: list[str]) -> tuple[bytes, Played] | str:
    """On a worker: play an episode after the lines that are written. Returns the lines that follow, or a problem.

    The worker finds the files and modules of the user where the driver does, if it is on the same machine.
    """
    with suppress(OSError):
        os.chdir(folder)
    sys.path += [entry for entry in path if entry not in sys.path]
    try:
        world, recording = run.load_world(episode), read_record(written, run.called(episode))
        with TemporaryDirectory(prefix="ecbench-") as own, AppendOnlyLog(Path(own) / EVENTS) as log:
            opened = OpenEpisode(run, episode, log, recording)
            played = finish(PlayEpisode(run, episode).play_on(opened, world, StopFlag()), waits=False)
            return (Path(own) / EVENTS).read_bytes(), played
    except RunError as problem:
        return str(problem)


_play_there = _remote(num_cpus=1, max_retries=0)(play_remotely)  # Ray's own retries would wait for a lost node
