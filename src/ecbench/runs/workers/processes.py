"""Worker processes on this machine: each runs one task after another that its pool sends through a connection.

A worker writes what it makes; messages and results come back through the connection, and a request to stop goes along
it. A worker whose connection breaks exits at once, as its pool is gone. What a task needs is imported with the task, so
that a worker which is still starting notices that, too.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeAlias

from ecbench.cancellation import SIGNALS, StopFlag, signals_held, take_signals
from ecbench.errors import RunError
from ecbench.redaction import protect, protected
from ecbench.runs.play.gc_policy import collect_seldom
from ecbench.runs.workers.pool import Task, TaskQueue

Pipeline: TypeAlias = "Connection[Any, Any]"

PAUSE_SECONDS = 0.2  # between checks of the stop flag
STOP, FINISH, QUIT = b"stop", b"finish", b"quit"  # in place of pickled work
ORPHANED = 1  # exit code; no process is left to read it
GRACE_SECONDS = 2  # for threads that a task left behind, once the worker is to exit
LAST_SECONDS = 1  # for a killed worker to be gone


# A forked process would inherit threads and sockets in the middle of an operation, and a process of Python's own pool
# would print a traceback if its parent were killed at the instant in which it starts.
_PROGRAM = "import sys; sys.path[:] = {path!r}; from ecbench.runs.workers.processes import serve; serve({number})"


class TaskMessage(NamedTuple):
    """What work sent."""

    content: Any


class TaskFinished(NamedTuple):
    """The result of a task."""

    result: Any


class TaskFailed(NamedTuple):
    """What a task raised."""

    error: Exception


@dataclass(slots=True, eq=False)
class Worker:
    """A process of a pool, and the connection to it."""

    process: "subprocess.Popen[bytes]"
    connection: Pipeline
    stopping: bytes = b""  # the last request to stop

    def send(self, content: bytes) -> None:
        with suppress(OSError):  # the next message of a worker that is gone is the end of its connection
            self.connection.send_bytes(content)

    def request_stop(self, *, cancel: bool) -> None:
        """After its turn; `cancel` gives up requests in flight."""
        wanted = STOP if cancel else FINISH
        if self.stopping != wanted:
            self.stopping = wanted
            self.send(wanted)

    def release(self) -> None:
        """Let it exit by itself for a moment, then kill it."""
        self._wait(GRACE_SECONDS)
        self.kill()
        self.connection.close()

    def kill(self) -> None:
        self.process.kill()
        self._wait(LAST_SECONDS)

    def _wait(self, seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


class Processes:
    """Runs each task in one of a few processes. One that dies is replaced, and costs no task but its own."""

    def run(self, queue: TaskQueue) -> None:
        busy: dict[Worker, Task] = {}
        idle: list[Worker] = []
        with queue.stop.ending(lambda: self.kill([*busy, *idle])):
            try:
                while queue.open_tasks:
                    _assign(queue, busy, idle)
                    if queue.stop.requested:
                        for worker in busy:
                            worker.request_stop(cancel=queue.stop.cancelling)
                    for worker in _ready(busy, PAUSE_SECONDS):
                        _handle_report(worker, queue, busy, idle)
                for worker in idle:
                    worker.send(QUIT)
                while idle:
                    idle.pop().release()
            finally:
                self.kill([*busy, *idle])

    def kill(self, workers: list[Worker]) -> None:
        """All at once, and then wait for each."""
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.kill()


def _assign(queue: TaskQueue, busy: dict[Worker, Task], idle: list[Worker]) -> None:
    while (task := queue.take()) is not None:
        worker = idle.pop() if idle else start_worker()
        worker.send(pickle.dumps(task.work))
        busy[worker] = task


def _ready(workers: Iterable[Worker], seconds: float) -> list[Worker]:
    listening = list(workers)
    ready = wait([worker.connection for worker in listening], seconds)
    return [worker for worker in listening if worker.connection in ready]


def _handle_report(worker: Worker, queue: TaskQueue, busy: dict[Worker, Task], idle: list[Worker]) -> None:
    task = busy[worker]
    try:
        report = worker.connection.recv()
    except (EOFError, OSError):
        del busy[worker]
        worker.release()
        queue.lose(task, f"exit code {worker.process.returncode}")
        return
    match report:
        case TaskMessage(content):
            queue.receive(task, content)
        case TaskFailed(error):
            raise error
        case TaskFinished(result):
            del busy[worker]
            idle.append(worker)
            queue.finish(task, result)


def start_worker() -> Worker:
    """Raises RunError where the system starts no more processes."""
    here, there = Pipe()
    with there:
        try:
            with signals_held():
                process = _start(there.fileno())
        except OSError as error:
            here.close()
            raise RunError(f"cannot start a worker: {error.strerror}") from error
    worker = Worker(process, here)
    worker.send(pickle.dumps(protected()))
    return worker


def _start(number: int) -> "subprocess.Popen[bytes]":
    """It inherits this one file or, on Windows, handle, and finds modules where this process finds them."""
    command = [sys.executable, "-c", _PROGRAM.format(path=sys.path, number=number)]
    if sys.platform != "win32":
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[number])
    os.set_handle_inheritable(number, True)
    inherit = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [number]})
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, startupinfo=inherit)


def serve(number: int) -> None:
    """The main program of a worker: run tasks until there are no more."""
    _ignore_signals()
    collect_seldom()
    connection = _connection(number)
    stop, inbox = StopFlag(), SimpleQueue[bytes]()
    threading.Thread(target=_listen, args=(connection, stop, inbox), daemon=True).start()

    def send(content: Any) -> None:
        with suppress(OSError):  # the thread that listens is about to end this process
            connection.send(TaskMessage(content))

    protect(*pickle.loads(inbox.get()))
    while (task := inbox.get()) != QUIT:
        try:
            answer: TaskFinished | TaskFailed = TaskFinished(pickle.loads(task)(send, stop))
        except Exception as error:
            answer = TaskFailed(error if isinstance(error, RunError) else RuntimeError(traceback.format_exc()))
        _ignore_signals()
        with suppress(OSError):
            connection.send(answer)


if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    def _connection(number: int) -> Pipeline:
        return PipeConnection(number)

else:

    def _connection(number: int) -> Pipeline:
        return Connection(number)


def _listen(connection: Pipeline, stop: StopFlag, inbox: "SimpleQueue[bytes]") -> None:
    with suppress(EOFError, OSError):
        while True:
            content = connection.recv_bytes()
            if content == STOP:
                stop.request()
            elif content == FINISH:
                stop.finish_turns()
            else:
                inbox.put(content)
    stop.end()
    os._exit(ORPHANED)


def _ignore_signals() -> None:
    """A terminal signals every process of a run, but only the one that the user started decides what that means.

    The signals have a handler that does nothing, rather than being ignored: programs that a merchant starts are
    stopped as usual.
    """
    take_signals(_do_nothing)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def _do_nothing(*_: object) -> None:
    pass
