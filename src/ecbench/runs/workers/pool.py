"""The worker pool: tasks in, messages and results back, with one retry rule and one cancellation for every executor.

A task is work that runs to its end somewhere. An executor decides where: in this process, in worker processes, on a
cluster. It takes tasks from a queue and reports to it; the queue passes everything on to the receiver of the caller.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError

Send = Callable[[Any], None]
"""Sends a message from running work to the caller."""

Work = Callable[[Send, StopFlag], Any]
"""What a task does. An executor that leaves this process pickles it, with its messages and its result."""


@dataclass(frozen=True, slots=True)
class Task:
    """One item of work in a pool, known by its key."""

    key: Hashable
    work: Work


class Receiver(Protocol):
    """The caller's side of a pool. Every method is called from the thread that called `run_pool`."""

    def received(self, key: Any, message: Any, /) -> None: ...
    def finished(self, key: Any, result: Any, /) -> None: ...
    def given_up(self, key: Any, problem: str, /) -> None:
        """The workers of this task were lost too often."""
        ...


class TaskQueue:
    """The tasks that wait for a worker, and the way back to the caller. Its methods belong to the caller's thread.

    At most `jobs` tasks run at the same time. When `stop` is requested, no further task starts. A task whose worker is
    lost runs once more, if `retries`.
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        receiver: Receiver,
        *,
        jobs: int = 1,
        stop: StopFlag | None = None,
        retries: bool = True,
    ) -> None:
        self.jobs = jobs
        self.stop = stop or StopFlag()
        self._waiting = deque(tasks)
        self._receiver = receiver
        self._retries = retries
        self._lost: set[Hashable] = set()
        self._running: set[Hashable] = set()

    @property
    def open_tasks(self) -> int:
        """How many tasks may still need a worker: those that run and, unless a stop is requested, those that wait."""
        return len(self._running) + (0 if self.stop.requested else len(self._waiting))

    def take(self) -> Task | None:
        """The next task to start; None while `jobs` of them run or none waits, and once a stop is requested."""
        if self.stop.requested or not self._waiting or len(self._running) >= self.jobs:
            return None
        task = self._waiting.popleft()
        self._running.add(task.key)
        return task

    def take_all(self) -> list[Task]:
        """Every task that waits, for an executor that starts them by itself."""
        tasks = list(self._waiting)
        self._waiting.clear()
        self._running.update(task.key for task in tasks)
        return tasks

    def receive(self, task: Task, message: Any) -> None:
        self._receiver.received(task.key, message)

    def finish(self, task: Task, result: Any) -> None:
        self._running.remove(task.key)
        self._receiver.finished(task.key, result)

    def give_up(self, task: Task, problem: str) -> None:
        self._running.remove(task.key)
        self._receiver.given_up(task.key, problem)

    def lose(self, task: Task, cause: str) -> None:
        """The retry rule: a task whose worker was lost is the next to be taken, once."""
        if task.key in self._lost or not self._retries:
            self.give_up(task, f"its worker was lost{' twice' * self._retries} ({cause})")
        else:
            self._lost.add(task.key)
            self._running.remove(task.key)
            self._waiting.appendleft(task)

    def sender(self, task: Task) -> Send:
        """For work that runs in this thread."""

        def send(message: Any) -> None:
            self.receive(task, message)

        return send


class Executor(Protocol):
    """A place where tasks run."""

    def run(self, queue: TaskQueue) -> None:
        """Take tasks from the queue and run them until `queue.open_tasks` is 0.

        What a task raises is raised here. When a stop is requested, running work ends at its next opportunity.
        """
        ...


class Inline:
    """Runs one task after another in this process."""

    def run(self, queue: TaskQueue) -> None:
        while (task := queue.take()) is not None:
            queue.finish(task, task.work(queue.sender(task), queue.stop))


def run_pool(
    tasks: Iterable[Task], receiver: Receiver, *, executor: Executor, jobs: int = 1, stop: StopFlag | None = None
) -> None:
    """Run every task to its end, or until a stop is requested; raises what a task raises."""
    queue = TaskQueue(tasks, receiver, jobs=jobs, stop=stop)
    if queue.open_tasks:
        executor.run(queue)


def map_pool(function: Callable[[Any], Any], items: Sequence[Any], *, executor: Executor, jobs: int = 1) -> list[Any]:
    """What the function returns for each item, in their order; raises what it raises for one of them."""
    collector = _Collector()
    tasks = [Task(number, _Call(function, item)) for number, item in enumerate(items)]
    run_pool(tasks, collector, executor=executor, jobs=jobs)
    return [collector.results[number] for number in range(len(items))]


@dataclass(frozen=True, slots=True)
class _Call:
    """Work: call a function with an item."""

    function: Callable[[Any], Any]
    item: Any

    def __call__(self, _send: Send, _stop: StopFlag) -> Any:
        return self.function(self.item)


class _Collector:
    """A receiver that collects the results of tasks by their numbers."""

    def __init__(self) -> None:
        self.results: dict[int, Any] = {}

    def received(self, number: int, message: Any) -> None:
        """A function call sends no messages."""

    def finished(self, number: int, result: Any) -> None:
        self.results[number] = result

    def given_up(self, _number: int, problem: str) -> None:
        raise RunError(f"{problem}; is there enough memory?")
