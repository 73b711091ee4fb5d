"""How many requests a second are heard, and how many at once."""

import time
from collections.abc import Callable

STRANGERS_A_SECOND = 20.0  # requests with a wrong token that are told so
BURST_SECONDS = 2.0  # a pause of so long earns a burst of what it left unused


class Rate:
    """A bucket that fills steadily and gives one request at a time."""

    __slots__ = ("_clock", "_filled", "_full", "_left", "_per_second")

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._per_second = per_second
        self._left = self._full = max(1.0, per_second * BURST_SECONDS)
        self._filled = clock()

    def allows(self) -> bool:
        now = self._clock()
        self._left = min(self._full, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
