"""Rate limits: a token bucket for each client, and one for all requests with an unknown token."""

import time
from collections.abc import Callable

UNKNOWN_A_SECOND = 20.0  # requests with an unknown token that are answered with 401
BURST_SECONDS = 2.0  # of unused requests that a client may make at once

Clock = Callable[[], float]
"""Seconds since any moment."""


class Rate:
    """A token bucket that fills steadily."""

    __slots__ = ("_clock", "_filled", "_full", "_left", "_per_second")

    def __init__(self, per_second: float, clock: Clock = time.monotonic, burst_seconds: float = BURST_SECONDS) -> None:
        self._clock = clock
        self._per_second = per_second
        self._left = self._full = max(1.0, per_second * burst_seconds)
        self._filled = clock()

    def allows(self) -> bool:
        """Whether a request may be made now; it then counts."""
        now = self._clock()
        self._left = min(self._full, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
