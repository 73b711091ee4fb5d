"""Parts of a report, made in a few worker processes where that is worthwhile."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.runs.workers.pool import Inline, map_pool
from ecbench.runs.workers.processes import Processes

MOST = 2  # processes, each of which may hold a long year: more would take more memory than a report may
WORTHWHILE = 50_000_000  # bytes to read, below which a process would take longer to start than to work


@dataclass(frozen=True, slots=True)
class Job:
    """`make` and what it returns must be picklable."""

    make: Callable[[], Any]
    weight: int  # bytes to read


def made(jobs: Sequence[Job]) -> list[Any]:
    """What the jobs make, in their order; the heaviest begin. Raises what a job raises."""
    workers = min(MOST, len(jobs), os.cpu_count() or 1)
    apart = workers > 1 and sum(job.weight for job in jobs) >= WORTHWHILE
    heaviest_first = sorted(range(len(jobs)), key=lambda number: -jobs[number].weight)
    executor = Processes() if apart else Inline()
    parts = map_pool(_make, [jobs[number] for number in heaviest_first], executor=executor, jobs=workers)
    by_number = dict(zip(heaviest_first, parts, strict=True))
    return [by_number[number] for number in range(len(jobs))]


def _make(job: Job) -> Any:
    return job.make()
