"""Values that take seconds to compute: the first request for one computes it, further ones wait for it or find it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

MOST_KEPT = 64
Value = TypeVar("Value")


class SingleFlight(Generic[Value]):
    """A cache of values by key, each computed once however many threads ask. An error is not cached."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: OrderedDict[Hashable, Future[Value]] = OrderedDict()

    def ready(self, key: Hashable) -> bool:
        """Whether `get` would answer at once."""
        found = self._found.get(key)
        return found is not None and found.done()

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The cached value, or what `compute` returns; every thread that waits for it gets its error."""
        with self._lock:
            found = self._found.get(key)
            own = found is None
            if found is None:
                found = self._found[key] = Future()
            self._found.move_to_end(key)
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        if own:
            try:
                found.set_result(compute())
            except BaseException as problem:
                self._found.pop(key, None)
                found.set_exception(problem)
        return found.result()
