"""Workers of a Ray cluster. They may be on other machines, so what they make is written here, from what they send."""

import asyncio
import logging
import os
import queue as queues
import sys
import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import chdir, suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import ray
from ray.exceptions import RayError, RayTaskError

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.workers.pool import DetachableWork, DetachedWork, Send, Settled, Task, TaskQueue
from ecbench.runs.workers.processes import Processes
from ecbench.runs.workers.worker_process import TaskFailed, TaskFinished, TaskMessage, Worker

WAIT_SECONDS = 0.2  # between checks of the stop flag
AHEAD = 2  # batches a worker may be ahead of what is written here
BATCH = 32  # messages that may be sent together: a model's turns go one by one, a merchant's hundreds a second do not

# Ray's own types know neither actors of plain classes nor streams.
_remote: Any = ray.remote
_wait: Any = ray.wait

Report = TaskMessage | TaskFinished | TaskFailed


class RayCluster:
    """Uses the cluster that Ray finds by its own rules; where there is none, Ray starts one on this machine."""

    def run(self, queue: TaskQueue) -> None:
        if ray.is_initialized():
            ClusterDriver(queue).run()
        else:
            _run_in_own_process(queue)


def _run_in_own_process(queue: TaskQueue) -> None:
    """Ray starts daemons that handle signals in their own way: no signal to the run's process group may reach them."""
    tasks = {task.key: task for task in queue.move()}
    driver = Task("driver", DriveCluster(tuple(tasks.values()), queue.jobs))
    _ProcessFamily().run(TaskQueue([driver], DriverReceiver(queue, tasks), stop=queue.stop, attempts=1))


class _ProcessFamily(Processes):
    """Processes that are killed with their descendants."""

    def kill(self, workers: list[Worker]) -> None:
        family: list[psutil.Process] = []
        for worker in workers:
            with suppress(psutil.Error):
                family += psutil.Process(worker.process.pid).children(recursive=True)
        super().kill(workers)
        kill_all(family)


def kill_all(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


@dataclass(frozen=True, slots=True)
class DriveCluster:
    """Work of the process that drives a cluster: run tasks there, and send on everything that they report."""

    tasks: tuple[Task, ...]
    jobs: int

    def __call__(self, send: Send, stop: StopFlag) -> None:
        if hasattr(os, "setpgrp"):
            os.setpgrp()
        with stop.ending(lambda: kill_all(psutil.Process().children(recursive=True))):
            try:
                # Ray puts the folder in which it is started first on the import path of its workers.
                with TemporaryDirectory(prefix="ecbench-ray-") as empty, chdir(empty):
                    ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
                send(("connect", None, None))
                ClusterDriver(TaskQueue(self.tasks, DriverSender(send), jobs=self.jobs, stop=stop)).run()
            finally:
                cluster = psutil.Process().children(recursive=True)
                ray.shutdown()
                kill_all(cluster)  # a daemon that is slow to shut down is killed by Ray, and leaves its agents running


class DriverSender:
    """The receiver of the tasks in the driver's process."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def received(self, key: Hashable, message: Any) -> None:
        self._send(("receive", key, message))

    def finished(self, key: Hashable, result: Any) -> None:
        self._send(("finish", key, result))

    def given_up(self, key: Hashable, problem: str) -> None:
        self._send(("give_up", key, problem))


class DriverReceiver:
    """The receiver of the driver's own messages: passes them to the queue that the tasks came from."""

    def __init__(self, queue: TaskQueue, tasks: dict[Hashable, Task]) -> None:
        self._queue = queue
        self._tasks = tasks
        self._connected = False

    def received(self, _driver: str, message: tuple[str, Hashable, Any]) -> None:
        report, key, content = message
        if report == "connect":
            self._connected = True
        elif report == "receive":
            self._queue.receive(self._tasks[key], content)
        else:
            end = self._queue.finish if report == "finish" else self._queue.give_up
            end(self._tasks.pop(key), content)

    def finished(self, _driver: str, _result: None) -> None:
        for task in self._tasks.values():
            self._queue.put_back(task)

    def given_up(self, _driver: str, problem: str) -> None:
        """A cluster that was lost with its tasks fails each of them; one that never worked is bad input."""
        if not self._connected:
            raise RunError(f"the process that drives the cluster failed: {problem}")
        while self._tasks:
            self._queue.give_up(self._tasks.popitem()[1], f"the cluster was lost ({problem})")


@dataclass(slots=True)
class RemoteTask:
    """A task that a worker of the cluster runs: its side here, and the stream of what the worker sends."""

    task: Task
    detached: DetachedWork
    stream: Any


class ClusterDriver:
    """Runs the tasks of a queue on the cluster to which this process is connected."""

    def __init__(self, queue: TaskQueue) -> None:
        self._queue = queue
        self._shared: dict[Hashable, Any] = {}  # references to what is in the cluster's store
        self._stop = _remote(num_cpus=0)(StopBroadcast).remote()
        ray.get(self._stop.ready.remote())
        self._run_remotely = _remote(num_cpus=1, max_retries=0)(run_remotely).options(
            num_returns="streaming", _generator_backpressure_num_objects=AHEAD
        )
        self._running: list[RemoteTask] = []

    def run(self) -> None:
        queue, stopping = self._queue, 0
        try:
            while queue.open_tasks:
                while (task := queue.take()) is not None:
                    self._start(task)
                if (wanted := queue.stop.requested + queue.stop.cancelling) > stopping:
                    stopping = wanted
                    self._stop.request.remote(cancel=queue.stop.cancelling)
                self._handle_reports()
        finally:
            for running in self._running:
                ray.cancel(running.stream)
                running.detached.close()
            ray.kill(self._stop)

    def _start(self, task: Task) -> None:
        if not isinstance(task.work, DetachableWork):
            raise RunError("these tasks need the files of this machine; use --executor processes")
        detached = task.work.detach(self._queue.sender(task))
        if isinstance(detached, Settled):
            self._queue.finish(task, detached.result)
            return
        if detached.shared_key not in self._shared:
            self._shared[detached.shared_key] = ray.put(detached.shared())
        shared = self._shared[detached.shared_key]
        stream = self._run_remotely.remote(detached.remote, shared, self._stop, os.getcwd(), sys.path)  # noqa: PTH109
        self._running.append(RemoteTask(task, detached, stream))

    def _handle_reports(self) -> None:
        if not self._running:
            return
        by_stream = {running.stream: running for running in self._running}
        ready, _ = _wait(list(by_stream), num_returns=len(by_stream), timeout=WAIT_SECONDS)
        for stream in ready:
            running = by_stream[stream]
            try:
                for report in ray.get(next(stream)):
                    self._take(running, report)
            except RunError as problem:
                ray.cancel(stream)  # its worker would go on, and nothing here takes what it sends
                self._finish(running, running.detached.failed(problem))
            except RayTaskError:
                raise
            except (RayError, StopIteration) as loss:
                self._close(running)
                self._queue.lose(running.task, type(loss).__name__)

    def _take(self, running: RemoteTask, report: Report) -> None:
        """A stream that has sent its last batch ends by itself: Ray does not bear cancelling a task as it ends."""
        match report:
            case TaskMessage(content, progress):
                message = running.detached.received(content)
                if message is not None:
                    self._queue.receive(running.task, message, progress=progress)
            case TaskFailed(problem):
                self._finish(running, running.detached.failed(RunError(str(problem))))
            case TaskFinished(content):
                self._finish(running, running.detached.finished(content))

    def _finish(self, running: RemoteTask, result: Any) -> None:
        self._close(running)
        self._queue.finish(running.task, result)

    def _close(self, running: RemoteTask) -> None:
        self._running.remove(running)
        running.detached.close()


class StopBroadcast:
    """An actor that passes a request to stop on to every worker."""

    def __init__(self) -> None:
        self._requested = asyncio.Event()
        self._cancelled = asyncio.Event()

    async def ready(self) -> None:
        """Returns once the actor has started, which takes a moment."""

    async def request(self, *, cancel: bool) -> None:
        self._requested.set()
        if cancel:
            self._cancelled.set()

    async def wait(self, *, cancel: bool) -> None:
        """Until a stop is requested, or with `cancel` one that gives up requests in flight."""
        await (self._cancelled if cancel else self._requested).wait()


def run_remotely(work: Any, shared: Any, broadcast: Any, folder: str, path: list[str]) -> Iterator[list[Report]]:
    """On a worker: run the work in a thread, and send its messages in batches. A lost worker is not replaced here.

    The worker finds the files and modules of the user where the driver does, if it is on the same machine.
    """
    with suppress(OSError):
        os.chdir(folder)
    sys.path += [place for place in path if place not in sys.path]
    outbox: queues.Queue[Report | BaseException] = queues.Queue(BATCH)
    stop = StopFlag()
    threading.Thread(target=_await_stop, args=(broadcast, stop), daemon=True).start()

    def send(message: Any, /, *, progress: bool = False) -> None:
        outbox.put(TaskMessage(message, progress))

    def run() -> None:
        try:
            outbox.put(TaskFinished(work(shared, send, stop), retiring=False))
        except RunError as problem:
            outbox.put(TaskFailed(problem))
        except BaseException as problem:
            outbox.put(problem)

    threading.Thread(target=run, daemon=True).start()
    batch: list[Report] = []
    while not batch or isinstance(batch[-1], TaskMessage):
        batch = []
        while not batch or (len(batch) < BATCH and isinstance(batch[-1], TaskMessage) and not outbox.empty()):
            report = outbox.get()
            if isinstance(report, BaseException):
                raise report
            batch.append(report)
        yield batch


def _await_stop(broadcast: Any, stop: StopFlag) -> None:
    for cancel, action in ((False, stop.finish_turns), (True, stop.request)):
        try:
            ray.get(broadcast.wait.remote(cancel=cancel))
        except RayError:
            return  # the pool is done
        action()
