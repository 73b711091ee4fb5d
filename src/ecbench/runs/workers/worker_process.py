"""Workers: processes on this machine, each tied to the one it works for by a line, from its first moments on.

News come along the line, and the word to stop goes along it. A line that breaks ends the worker: nobody is left to work
for. Everything heavy is imported behind the tie, so that a worker which is still starting notices that, too.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, TypeAlias, TypeVar

from ecbench.cancellation import SIGNALS, StopFlag, signals_held, take_signals
from ecbench.errors import RunError
from ecbench.runs.workers.gc_policy import collect_seldom

Line: TypeAlias = "Connection[Any, Any]"
Task = Callable[[Line, StopFlag], None]
Key = TypeVar("Key", bound=Hashable)

STOP = "stop"
ORPHANED = 1  # exit code; nobody is left to read it
GRACE_SECONDS = 2  # for what a merchant left running in a worker that has done its task
LAST_SECONDS = 1  # for a killed worker to be gone


# A forked process would inherit threads and sockets in the middle of whatever they were doing, and one of Python's own
# pool of processes would print a traceback if its run were killed in the instant in which it starts.
_PROGRAM = "import sys; sys.path[:] = {path!r}; from ecbench.runs.workers.worker_process import work; work({line})"


@dataclass(slots=True)
class Worker:
    """A process that works for a run, and the line to it."""

    process: "subprocess.Popen[bytes]"
    line: Line
    told_to_stop: bool = False

    def tell_to_stop(self) -> None:
        if not self.told_to_stop:
            self.told_to_stop = True
            with suppress(OSError):
                self.line.send(STOP)

    def dismiss(self) -> None:
        self._wait(GRACE_SECONDS)
        self.kill()
        self.line.close()

    def kill(self) -> None:
        self.process.kill()
        self._wait(LAST_SECONDS)

    def _wait(self, seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def hire(task: Task) -> Worker:
    here, there = Pipe()
    with there:
        try:
            with signals_held():
                process = _start(there.fileno())
        except OSError as error:
            here.close()
            raise RunError(f"cannot start a worker: {error.strerror}") from error
    with suppress(OSError):  # one that is gone already is missed by whoever listens to it
        here.send_bytes(pickle.dumps(task))
    return Worker(process, here)


LOST = object()
"""In place of news: the process at the other end of the line is gone."""


def heard_from(workers: Mapping[Key, Worker], seconds: float | None = None) -> Iterator[tuple[Key, Any]]:
    """A piece of news, or LOST, from each worker that has some; waits so many seconds for the first, or for ever."""
    listening = dict(workers)
    speaking = wait([worker.line for worker in listening.values()], seconds)
    for key, worker in listening.items():
        if worker.line in speaking:
            try:
                news = worker.line.recv()
            except (EOFError, OSError):
                news = LOST
            yield key, news


def _start(line: int) -> "subprocess.Popen[bytes]":
    """It inherits this one file or, on Windows, handle, and finds modules where this process finds them."""
    command = [sys.executable, "-c", _PROGRAM.format(path=sys.path, line=line)]
    if sys.platform != "win32":
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[line])
    os.set_handle_inheritable(line, True)
    inherit = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [line]})
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, startupinfo=inherit)


def work(line_number: int) -> None:
    """A worker's life. It hears first what to do; if nobody is left to tell, there is nothing to do."""
    _leave_signals_to_the_run()
    collect_seldom()
    line = _line(line_number)
    try:
        task = line.recv_bytes()
    except (EOFError, OSError):
        os._exit(ORPHANED)
    stop = StopFlag()
    threading.Thread(target=_obey, args=(line, stop), daemon=True).start()
    do: Task = pickle.loads(task)
    do(line, stop)


if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    def _line(number: int) -> Line:
        return PipeConnection(number)

else:

    def _line(number: int) -> Line:
        return Connection(number)


def _obey(line: Line, stop: StopFlag) -> None:
    with suppress(EOFError, OSError):
        while line.recv() == STOP:
            stop.request()
    stop.end()
    os._exit(ORPHANED)


def _leave_signals_to_the_run() -> None:
    """A terminal signals every process of a run, but only the first decides what that means.

    They are heard and nothing is done, rather than ignored: programs that a merchant starts are stopped as usual.
    """
    take_signals(lambda *_: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
