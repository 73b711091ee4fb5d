"""What a signal does to a command: the first asks it to stop, the next ends it at once, quietly, with exit code 130."""

import atexit
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ecbench.cancellation import SIGNALS, take_signals
from ecbench.cli.exit_codes import INTERRUPTED

ECHO_SECONDS = 0.05  # a program that starts commands may send a signal twice: to the command, and to its group

Action = Callable[[], None]


@contextmanager
def heeding_signals(ask: Action, end: Action) -> Iterator[None]:
    """Meanwhile the first signal does `ask` and the next one `end`, both at once, whatever the program is doing.

    They are counted in a thread of its own: the main one may be long in some library, or for ever in a merchant.
    """

    def listen() -> None:
        asked_at: float | None = None
        with ear:
            while rung := ear.recv(1):
                now = time.monotonic()
                if rung[0] not in SIGNALS:
                    continue
                if asked_at is None:
                    asked_at = now
                    ask()
                elif now - asked_at > ECHO_SECONDS:
                    ending.set()
                    end()
                    _go()

    if not _hears_signals():
        yield
        return
    ending = threading.Event()
    ear, bell = socket.socketpair()
    bell.setblocking(False)
    threading.Thread(target=listen, daemon=True).start()
    waked = signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
    before = take_signals(lambda *_: None, _heard())
    try:
        yield
    finally:
        if ending.is_set():
            threading.Event().wait()  # for the end: whatever it did to the program must not become another exit code
        _give_back(before)
        signal.set_wakeup_fd(waked)
        bell.close()


@contextmanager
def leaving_on_signals(*, to_the_last: bool) -> Iterator[None]:
    """For a command with nothing to finish. `to_the_last`: also behind its own end, while Python clears up.

    It does not raise an exception: that could strike where Python prints it and goes on, or where a merchant's code is
    tried.
    """
    if not _hears_signals():
        yield
        return
    before = take_signals(_go, _heard())
    try:
        yield
    finally:
        if to_the_last:
            atexit.register(_be_deaf)  # what Python does behind that would make another exit code of a signal
        else:
            _give_back(before)


def call_out(line: str) -> None:
    """Tell whoever reads errors. Straight to the file: a signal may come in the middle of another write."""
    try:
        os.write(2, f"{line}\n".encode(errors="replace"))
    except OSError:
        fall_silent()  # the terminal is gone


def fall_silent() -> None:
    """From now on whatever is printed goes nowhere, and fails nothing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _hears_signals() -> bool:
    """In a program that runs commands in another thread, signals are that program's business."""
    return threading.current_thread() is threading.main_thread()


def _heard() -> list[int]:
    """A command under nohup does not end with its terminal."""
    return [number for number in SIGNALS if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN]


def _give_back(before: dict[int, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)


def _go(*_: object) -> None:
    os._exit(INTERRUPTED)


def _be_deaf() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
