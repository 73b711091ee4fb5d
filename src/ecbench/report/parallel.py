"""Parts of a report, made in a few worker processes where that is worthwhile."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.workers.inline import Inline
from ecbench.runs.workers.pool import Task, run_pool
from ecbench.runs.workers.processes import Processes

MOST = 2  # processes, each of which may hold a long year: more would take more memory than a report may
WORTHWHILE = 50_000_000  # bytes to read, below which a process would take longer to start than to work


@dataclass(frozen=True, slots=True)
class Job:
    """Work: `make` and what it returns must be picklable."""

    make: Callable[[], Any]
    weight: int  # bytes to read

    def __call__(self, *_: object) -> Any:
        return self.make()


class _Parts(dict[int, Any]):
    """The receiver of the parts, by their numbers."""

    def received(self, number: int, message: Any) -> None:
        """A part reports nothing before its end."""

    def finished(self, number: int, part: Any) -> None:
        self[number] = part

    def given_up(self, _number: int, problem: str) -> None:
        raise RunError(f"a part of the report cannot be made: {problem}; is there enough memory?")


def made(jobs: Sequence[Job]) -> list[Any]:
    """What the jobs make, in their order; the heaviest begin. Raises what a job raises."""
    workers, parts = min(MOST, len(jobs), os.cpu_count() or 1), _Parts()
    apart = workers > 1 and sum(job.weight for job in jobs) >= WORTHWHILE
    tasks = [Task(number, jobs[number]) for number in sorted(range(len(jobs)), key=lambda n: -jobs[n].weight)]
    run_pool(tasks, parts, executor=Processes() if apart else Inline(), jobs=workers)
    return [parts[number] for number in range(len(jobs))]
