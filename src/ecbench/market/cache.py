"""A cache of a pure function."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FunctionCache(dict[K, V]):
    """Results of a pure function by argument: a missing key is computed, and a full cache is cleared."""

    __slots__ = ("_compute", "_max_entries")

    def __init__(self, compute: Callable[[K], V], max_entries: int) -> None:
        super().__init__()
        self._compute = compute
        self._max_entries = max_entries

    def __missing__(self, key: K) -> V:
        if len(self) >= self._max_entries:
            self.clear()
        result = self[key] = self._compute(key)
        return result
