"""Parts of a report made beside one another, each in one of a few processes."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.workers.worker_process import LOST, Line, Worker, heard_from, hire

MOST = 2  # processes, each of which may hold a long year: more would take more memory than a report may
WORTHWHILE = 50_000_000  # bytes to read, below which a process would take longer to start than to work

Answer = tuple[int, Any, Exception | None]


@dataclass(frozen=True, slots=True)
class Job:
    """`make` must be of a kind that can be sent to another process, and so must what it returns."""

    make: Callable[[], Any]
    weight: int  # bytes to read


def made(jobs: Sequence[Job]) -> list[Any]:
    """What the jobs make, in their order; small ones are done here. Raises what a job raises."""
    hands = min(MOST, len(jobs), os.cpu_count() or 1)
    if hands < 2 or sum(job.weight for job in jobs) < WORTHWHILE:
        return [job.make() for job in jobs]
    shares: list[dict[int, Callable[[], Any]]] = [{} for _ in range(hands)]
    loads = [0] * hands
    for number in sorted(range(len(jobs)), key=lambda number: -jobs[number].weight):
        lightest = loads.index(min(loads))
        shares[lightest][number] = jobs[number].make
        loads[lightest] += jobs[number].weight
    workers = [hire(partial(_work, share)) for share in shares]
    try:
        return _gathered(workers, len(jobs))
    finally:
        for worker in workers:
            worker.kill()
            worker.line.close()


def _gathered(workers: Sequence[Worker], count: int) -> list[Any]:
    """A worker that has nothing more to send is gone, and so is one that was lost: what came says which it was."""
    parts: dict[int, Any] = {}
    working = dict(enumerate(workers))
    while working:
        for place, news in heard_from(working):
            if news is LOST:
                del working[place]
                continue
            number, part, error = news
            if error is not None:
                raise error
            parts[number] = part
    if len(parts) < count:
        raise RunError("a process that made a part of the report was lost; is there memory enough?")
    return [parts[number] for number in range(count)]


def _work(share: dict[int, Callable[[], Any]], line: Line, _stop: StopFlag) -> None:
    for number, make in share.items():
        try:
            answer: Answer = (number, make(), None)
        except Exception as error:
            answer = (number, None, error)
        line.send(answer)
