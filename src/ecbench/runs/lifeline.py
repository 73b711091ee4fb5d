"""Workers: processes on this machine, each tied to the one it works for by a line, from its first moments on.

News come along the line, and the word to stop goes along it. A line that breaks ends the worker: nobody is left to work
for. Everything heavy is imported behind the tie, so that a worker which is still starting notices that, too.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from ecbench.runs.stopping import SIGNALS, StopFlag, signals_held, take_signals

# A forked process would inherit threads and sockets in the middle of whatever they were doing.
_spawning = get_context("spawn")

Line: TypeAlias = "Connection[Any, Any]"
Task = Callable[[Line, StopFlag], None]

STOP = "stop"
ORPHANED = 1  # exit code; nobody is left to read it
GRACE_SECONDS = 2  # for what a merchant left running in a worker that has done its task
LAST_SECONDS = 1  # for a killed worker to be gone


@dataclass(slots=True)
class Worker:
    process: BaseProcess
    line: Line
    told_to_stop: bool = False

    def tell_to_stop(self) -> None:
        if not self.told_to_stop:
            self.told_to_stop = True
            with suppress(OSError):
                self.line.send(STOP)

    def dismiss(self) -> None:
        self.process.join(GRACE_SECONDS)
        self.kill()
        self.line.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.join(LAST_SECONDS)


def hire(task: Task) -> Worker:
    here, there = _spawning.Pipe()
    process = _spawning.Process(target=_work, args=(there, pickle.dumps(task)))
    if sys.platform != "win32":
        # The first worker would start this companion of Python's own, and be open to signals for it.
        with signals_held():
            resource_tracker.ensure_running()
    with signals_held():
        process.start()
    there.close()
    return Worker(process, here)


def _work(line: Line, task: bytes) -> None:
    """A worker's life."""
    _leave_signals_to_the_run()
    stop = StopFlag()
    threading.Thread(target=_obey, args=(line, stop), daemon=True).start()
    do: Task = pickle.loads(task)
    do(line, stop)


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
