"""Asking the engine on a Ray cluster. Its machines need hold neither the run nor its world: both are sent."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import psutil
import ray
from ray.exceptions import RayError, RayTaskError

from ecbench.review.questions import Evaluation, Inquiry, answers, ask_workers, end_workers, send_answers
from ecbench.runs.errors import RunError
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.workers.ray import unpacked_world
from ecbench.runs.workers.separate_process import kill_all, kill_descendants
from ecbench.runs.workers.worker_process import Worker
from ecbench.world.load import load_world
from ecbench.world.save import world_files

WAIT_SECONDS = 0.2  # between looks at the stop flag

# Ray's own types know neither plain functions nor streams.
_remote: Any = ray.remote
_wait: Any = ray.wait


def ask_ray(inquiry: Inquiry, jobs: int, stop: StopFlag) -> Iterator[Evaluation]:
    """From a process of its own: Ray starts daemons that take signals as they like."""
    if inquiry.seat is not None:
        raise RunError("a seat of an arena is reviewed where its arena lies; use --executor processes")
    return ask_workers([partial(send_answers, ask_cluster, inquiry, jobs)], stop, _end)


def ask_cluster(inquiry: Inquiry, jobs: int, stop: StopFlag) -> Iterator[Evaluation]:
    """Uses the cluster that Ray finds, as its own documentation says, and starts one on this machine otherwise."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        with stop.ending(kill_descendants):
            yield from _streamed(inquiry, jobs, stop)
    except RayTaskError:
        raise
    except RayError as error:
        raise RunError(
            f"the cluster lost a worker ({type(error).__name__}); what was found out is kept, so give the command again"
        ) from error
    finally:
        cluster = psutil.Process().children(recursive=True)
        ray.shutdown()
        kill_all(cluster)  # a daemon that is slow to shut down is killed by Ray, and leaves its agents for a minute


def _streamed(inquiry: Inquiry, jobs: int, stop: StopFlag) -> Iterator[Evaluation]:
    files = ray.put(world_files(load_world(inquiry.world)))
    ask = _remote(num_cpus=1, max_retries=0)(answer_remotely).options(num_returns="streaming")
    streams = [ask.remote(part, files) for part in inquiry.parts(jobs)]
    while streams and not stop.requested:
        ready, _ = _wait(streams, num_returns=1, timeout=WAIT_SECONDS)
        for stream in ready:
            try:
                news = ray.get(next(stream))
            except StopIteration:
                streams.remove(stream)
                continue
            if isinstance(news, str):
                raise RunError(news)
            yield news
    for stream in streams:
        ray.cancel(stream)


def answer_remotely(inquiry: Inquiry, files: Mapping[str, str]) -> Iterator[Evaluation | str]:
    """On a worker; a text is why it cannot go on."""
    try:
        yield from answers(inquiry, unpacked_world(tuple(files.items())), StopFlag())
    except RunError as problem:
        yield str(problem)


def _end(workers: Sequence[Worker]) -> None:
    """With whatever they have started."""
    family: list[psutil.Process] = []
    for worker in workers:
        with suppress(psutil.Error):
            family += psutil.Process(worker.process.pid).children(recursive=True)
    end_workers(workers)
    kill_all(family)
