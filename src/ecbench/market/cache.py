"""Answers that are worked out once."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FunctionCache(dict[K, V]):
    """A table of a pure function: what it does not hold yet it works out, and it starts over when it grows too large.

    It is read by subscript. Python takes a detour to subscript a subclass of its dictionary and none to call `get`, so
    the two loops that make most of a year's lookups (`selling.sell` and `shipping.ship`) write
    `table.get(key) or table[key]`: without it a year replays a few percent slower. Elsewhere it gains nothing.
    """

    __slots__ = ("_most", "_work_out")

    def __init__(self, work_out: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        answer = self[key] = self._work_out(key)
        return answer
