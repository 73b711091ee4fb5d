"""How a worker process is tied to the process it works for, from its first moments.

Everything heavy is imported behind the tie: a worker that is still starting must notice, too, that nobody needs it.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from ecbench.runs.stopping import SIGNALS, StopFlag, take_signals

Line: TypeAlias = "Connection[Any, Any]"
Task = Callable[[Line, StopFlag], None]
ORPHANED = 1  # exit code; nobody is left to read it


def work(line: Line, task: bytes) -> None:
    """A worker's life: do the pickled task and tell of it on the line, which may bring the word to stop."""
    _leave_signals_to_the_run()
    stop = StopFlag()
    threading.Thread(target=_obey, args=(line, stop), daemon=True).start()
    do: Task = pickle.loads(task)
    do(line, stop)


def _obey(line: Line, stop: StopFlag) -> None:
    """Any word means to stop; a line that breaks, that the process which would say it is gone."""
    with suppress(EOFError, OSError):
        while True:
            line.recv()
            stop.request()
    os._exit(ORPHANED)


def _leave_signals_to_the_run() -> None:
    """A terminal signals every process of a run, but only the first decides what that means.

    They are heard and nothing is done, rather than ignored: programs that a merchant starts are stopped as usual.
    """
    take_signals(lambda *_: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
