"""Limits of memory and time on what a worker process does for one task, where the system has them."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

MOST_MEMORY = 4 << 30  # bytes; a year of 4,000 turns takes a tenth


class TookTooLong(BaseException):
    """A task exceeded its time. No handler of errors on the way may take it for one of its own."""


if sys.platform == "win32":

    @contextmanager
    def process_limits(seconds: float) -> Iterator[None]:
        """Windows has neither of the two limits."""
        del seconds
        yield

else:
    import resource

    @contextmanager
    def process_limits(seconds: float) -> Iterator[None]:
        """Raise TookTooLong in the main thread after `seconds`, and MemoryError beyond MOST_MEMORY."""

        def stop(*_: object) -> NoReturn:
            raise TookTooLong(f"its check took more than {seconds:,g} seconds")

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        with suppress(ValueError, OSError):  # a system without this limit, or with a lower one
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, hard))
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
