"""Signals to a command: the first requests a stop, the second ends it at once, silently, with exit code 130."""

import atexit
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ecbench.cancellation import SIGNALS, StopFlag, take_signals
from ecbench.cli.terminal import INTERRUPTED

REPEAT_SECONDS = 0.05  # a program that starts commands may send a signal twice: to the command, and to its group


@contextmanager
def stopping_on_signals(stop: StopFlag, requested: str, ended: str) -> Iterator[None]:
    """The first signal requests a stop and prints `requested`; the second prints `ended` and ends every worker.

    A separate thread counts them: the main one may spend minutes in a library, or hang in a merchant.
    """

    def count() -> None:
        requested_at: float | None = None
        with receiver:
            while received := receiver.recv(1):
                if received[0] not in SIGNALS:
                    continue
                if requested_at is None:
                    stop.request()
                    _print_error(requested)
                    requested_at = time.monotonic()  # a busy machine may take long over the request
                elif time.monotonic() - requested_at > REPEAT_SECONDS:
                    ending.set()
                    _print_error(ended)
                    _discard_output()  # the command may fail as its workers end, and has nothing to add
                    stop.end()
                    _exit()

    if threading.current_thread() is not threading.main_thread():
        yield  # a program that runs commands in another thread handles signals itself
        return
    ending = threading.Event()
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    threading.Thread(target=count, daemon=True).start()
    earlier = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    before = take_signals(lambda *_: None, _handled())
    try:
        yield
    finally:
        if ending.is_set():
            threading.Event().wait()  # for the exit: an error that ending the workers caused must not set the exit code
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(earlier)
        sender.close()


def leave_on_signals() -> None:
    """From now on a signal ends the process without an exception: for a command that has nothing to finish."""
    take_signals(_exit, _handled())
    atexit.register(_ignore_signals)  # after that, Python would turn a signal into another exit code


def _print_error(line: str) -> None:
    """Write to the file descriptor: a signal may arrive in the middle of another write to the stream."""
    try:
        os.write(2, f"{line}\n".encode(errors="replace"))
    except OSError:
        _discard_output()  # the terminal is gone


def _discard_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _handled() -> list[int]:
    """All signals but those that the parent set to be ignored: a command under nohup outlives its terminal."""
    return [number for number in SIGNALS if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN]


def _exit(*_: object) -> None:
    os._exit(INTERRUPTED)


def _ignore_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
