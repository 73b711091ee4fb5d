"""Cancellation of a run: a request stops each episode after its turn; an end kills the workers by their process ids."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any
from weakref import WeakSet

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a run to stop: Ctrl-C, a polite kill, a terminal that closes."""

Action = Callable[[], None]
Handler = Callable[[int, FrameType | None], object]

_taken: WeakSet[Handler] = WeakSet()


class StopFlag:
    """Raised by a signal handler or another thread."""

    def __init__(self) -> None:
        self.requested = False
        self.cancelling = False  # whether requests in flight are given up
        self._on_request: list[Action] = []
        self._on_end: list[Action] = []

    def finish_turns(self) -> None:
        """Stop each episode after the turn that is under way, whose answer is still awaited: it is paid already."""
        self.requested = True

    def request(self) -> None:
        self.cancelling = self.requested = True  # who sees the request sees that it cancels
        for action in list(self._on_request):
            action()

    def end(self) -> None:
        """Kill the workers of the run outside this process; what runs within it ends with it."""
        for action in list(self._on_end):
            action()

    @contextmanager
    def also(self, action: Action) -> Iterator[None]:
        """Meanwhile a request does this too, such as giving up a model call that is in flight."""
        with _listed(self._on_request, action):
            yield

    @contextmanager
    def ending(self, action: Action) -> Iterator[None]:
        """Meanwhile this is what the end takes, in another thread; it must not wait for long."""
        with _listed(self._on_end, action):
            yield


@contextmanager
def _listed(actions: list[Action], action: Action) -> Iterator[None]:
    actions.append(action)
    try:
        yield
    finally:
        actions.remove(action)


def take_signals(handler: Handler, numbers: Iterable[int] = SIGNALS) -> dict[int, Any]:
    """Handle signals in this process, but not in those that it forks; returns the previous handlers."""
    _taken.add(handler)
    before = {number: signal.signal(number, handler) for number in numbers}
    return {number: signal.SIG_DFL if earlier is None else earlier for number, earlier in before.items()}


def _give_signals_back() -> None:
    """A merchant may fork processes and stop them; to those a signal does what it usually does."""
    for number in SIGNALS:
        if signal.getsignal(number) in _taken:
            signal.set_wakeup_fd(-1)
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


os.register_at_fork(after_in_child=_give_signals_back)


@contextmanager
def signals_held() -> Iterator[None]:
    """Signals wait meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
