"""A request to stop at the end of the turn, from a signal handler or another thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class StopFlag:
    def __init__(self) -> None:
        self.requested = False
        self._actions: list[Callable[[], None]] = []

    def request(self) -> None:
        self.requested = True
        for action in list(self._actions):
            action()

    @contextmanager
    def also(self, action: Callable[[], None]) -> Iterator[None]:
        """Meanwhile a request does this too, such as giving up a model call that is in flight."""
        self._actions.append(action)
        try:
            yield
        finally:
            self._actions.remove(action)
