"""Where work runs: one after another in this process, or side by side in worker processes on this machine.

Messages, results and a request to stop go through a worker's connection, and one whose connection breaks exits at once.
A worker has a process group of its own, so that the signals of a terminal reach only the process that the user started.
"""

import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeAlias

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.redaction import protect, protected
from ecbench.runs.play.gc_policy import collect_seldom

Pipeline: TypeAlias = "Connection[Any, Any]"

PAUSE_SECONDS = 0.2  # between checks of the stop flag
STOP, FINISH, QUIT = b"stop", b"finish", b"quit"  # in place of pickled work
ORPHANED = 1  # exit code; no process is left to read it
GRACE_SECONDS = 2  # for threads that a task left behind, once the worker is to exit
LAST_SECONDS = 1  # for a killed worker to be gone


# A forked process would inherit threads and sockets in the middle of an operation, and a process of Python's own pool
# would print a traceback if its parent were killed at the instant in which it starts.
_PROGRAM = "import sys; sys.path[:] = {path!r}; from ecbench.runs.workers.pool import serve; serve({number})"

Send = Callable[[Any], None]
"""Sends a message from running work to the caller."""

Work = Callable[[Send, StopFlag], Any]
"""Runs to its end somewhere. An executor that leaves this process pickles it, with its messages and its result."""

Report = Callable[[int, Any], None]
"""Called in the caller's thread with the number of the work and a message of it; the last is `Finished` or `Lost`."""


class Finished(NamedTuple):
    """What work returned."""

    result: Any


class Lost(NamedTuple):
    """The workers of a task were lost too often."""

    problem: str


class Executor(Protocol):
    """Where tasks run."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        """Run all of it, at most `jobs` at a time. What work raises is raised here.

        When a stop is requested, running work ends at its next opportunity, and no other begins.
        """
        ...


class Inline:
    """Runs one work after another in this process."""

    def run(self, works: Sequence[Work], _jobs: int, stop: StopFlag, report: Report) -> None:
        for number, work in enumerate(works):
            if stop.requested:
                return
            report(number, Finished(work(partial(report, number), stop)))


class Failed(NamedTuple):
    """What work raised."""

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

    def receive(self) -> Any:
        """A message of its work; Lost, with the exit code, if the process is gone. Raises what the work raised."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self.release()
            return Lost(f"exit code {self.process.returncode}")
        if isinstance(message, Failed):
            raise message.error
        return message

    def release(self) -> None:
        """Let it exit by itself for a moment, then kill it."""
        self.wait(GRACE_SECONDS)
        self.process.kill()
        self.wait(LAST_SECONDS)
        self.connection.close()

    def wait(self, seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


class Processes:
    """Runs work in a few processes. One that dies is replaced, and its work runs once more, if `retries`."""

    retries = True

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        waiting, lost = deque(range(len(works))), set[int]()
        busy: dict[Worker, int] = {}
        idle: list[Worker] = []
        with stop.ending(lambda: self.kill([*busy, *idle])):
            try:
                while busy or (waiting and not stop.requested):
                    while waiting and len(busy) < jobs and not stop.requested:
                        worker = idle.pop() if idle else start_worker()
                        busy[worker] = waiting.popleft()
                        worker.send(pickle.dumps(works[busy[worker]]))
                    for worker in busy if stop.requested else ():
                        worker.request_stop(cancel=stop.cancelling)
                    ready = wait([worker.connection for worker in busy], PAUSE_SECONDS)
                    for worker in [worker for worker in busy if worker.connection in ready]:
                        number, message = busy[worker], worker.receive()
                        if isinstance(message, Finished | Lost):
                            del busy[worker]
                        if isinstance(message, Finished):
                            idle.append(worker)
                        if not isinstance(message, Lost):
                            report(number, message)
                        elif self.retries and number not in lost:
                            lost.add(number)
                            waiting.appendleft(number)
                        else:
                            twice = " twice" if self.retries else ""
                            report(number, Lost(f"its worker was lost{twice} ({message.problem})"))
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
            worker.wait(LAST_SECONDS)


def start_worker() -> Worker:
    """Raises RunError if the system starts no more processes."""
    here, there = Pipe()
    number, stdout = there.fileno(), None
    with suppress(OSError, AttributeError):
        stdout = sys.stdout.fileno()  # which a command may have redirected
    command = [sys.executable, "-c", _PROGRAM.format(path=sys.path, number=number)]
    with there:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=stdout, pass_fds=[number], process_group=0
            )
        except OSError as error:
            here.close()
            raise RunError(f"cannot start a worker: {error.strerror}") from error
    worker = Worker(process, here)
    worker.send(pickle.dumps(protected()))
    return worker


def serve(number: int) -> None:
    """The main program of a worker: run tasks until there are no more."""
    collect_seldom()
    connection: Pipeline = Connection(number)
    stop, inbox, sending = StopFlag(), SimpleQueue[bytes](), threading.Lock()
    threading.Thread(target=_listen, args=(connection, stop, inbox), daemon=True).start()

    def send(content: Any) -> None:
        with sending, suppress(OSError):  # the thread that listens is about to end this process
            connection.send(content)

    protect(*pickle.loads(inbox.get()))
    while (task := inbox.get()) != QUIT:
        try:
            answer: Finished | Failed = Finished(pickle.loads(task)(send, stop))
        except Exception as error:
            answer = Failed(error if isinstance(error, RunError) else RuntimeError(traceback.format_exc()))
        send(answer)


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
