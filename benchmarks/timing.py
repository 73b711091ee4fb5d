"""Times of work that is measured several times in one process."""

import time
from collections.abc import Callable


def best(work: Callable[[], object], rounds: int) -> float:
    """The quickest of several rounds, in seconds: the one the machine disturbed least."""
    return min(_seconds(work) for _ in range(rounds))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
