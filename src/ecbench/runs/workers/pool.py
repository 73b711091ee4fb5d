"""Work in, messages and results back, wherever it runs.

An executor decides where work runs: in this process, in worker processes, on a cluster. It reports everything to the
caller's thread, with the number of the work that it is about.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from ecbench.cancellation import StopFlag

Send = Callable[[Any], None]
"""Sends a message from running work to the caller."""

Work = Callable[[Send, StopFlag], Any]
"""Runs to its end somewhere. An executor that leaves this process pickles it, with its messages and its result."""

Report = Callable[[int, Any], None]
"""Called in the caller's thread with the number of the work and a message of it; the last is `Finished` or `Lost`."""


class Finished(NamedTuple):
    """What work returned."""

    result: Any


class Lost(NamedTuple):
    """The workers of a task were lost too often."""

    problem: str


class Executor(Protocol):
    """Where tasks run."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        """Run all of it, at most `jobs` at a time. What work raises is raised here.

        When a stop is requested, running work ends at its next opportunity, and no other begins.
        """
        ...


class Inline:
    """Runs one work after another in this process."""

    def run(self, works: Sequence[Work], _jobs: int, stop: StopFlag, report: Report) -> None:
        for number, work in enumerate(works):
            if stop.requested:
                return
            report(number, Finished(work(partial(report, number), stop)))
