"""How many requests one visitor may make: a page that has gone wild must not take the machine with it."""

from collections.abc import Callable
from dataclasses import dataclass, field

MOST_VISITORS = 1_000

Clock = Callable[[], float]
"""Seconds, from whenever."""


@dataclass(slots=True)
class Allowance:
    """So many at once, and then so many a second; by visitor."""

    at_once: float
    a_second: float
    clock: Clock
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)  # what is left, and when that was worked out

    def take(self, visitor: str) -> bool:
        """False where the visitor has to wait."""
        now = self.clock()
        left, then = self._left.get(visitor, (self.at_once, now))
        left = min(self.at_once, left + (now - then) * self.a_second)
        if len(self._left) >= MOST_VISITORS:
            self._left.clear()
        allowed = left >= 1
        self._left[visitor] = (left - 1 if allowed else left), now
        return allowed
