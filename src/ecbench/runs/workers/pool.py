"""The worker pool: tasks in, messages and results back, with one retry rule and one cancellation for every executor.

A task is work that runs to its end somewhere. An executor decides where: in this process, in worker processes, on a
cluster. It takes tasks from a queue and reports to it; the queue passes everything on to the receiver of the caller.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError

ATTEMPTS = 3  # losses in a row without progress, after which a task is given up


class Send(Protocol):
    """Sends a message from running work to the caller."""

    def __call__(self, message: Any, /, *, progress: bool = False) -> None:
        """`progress` marks what a retry does not repeat, such as a turn that is recorded."""
        ...


class Work(Protocol):
    """What a task does. An executor that leaves this process pickles it, with its messages and its result."""

    def __call__(self, send: Send, stop: StopFlag, /) -> Any: ...


class Settled(NamedTuple):
    """In place of detached work: nothing is left to do, and this is the result."""

    result: Any


@dataclass(slots=True)
class DetachedWork:
    """This side of work that runs on a machine which shares no disk with this one."""

    remote: Callable[..., Any]  # picklable; called there with the shared data, send and stop
    shared: Callable[[], Any]  # makes large data that many tasks need, sent once for each `shared_key`
    shared_key: Hashable

    def received(self, message: Any) -> Any:
        """Take a message of the remote work; returns what the caller should receive, or None."""
        return message

    def finished(self, result: Any) -> Any:
        """The result of the task, from that of the remote work."""
        return result

    def failed(self, problem: RunError) -> Any:
        """The result of a task whose work failed there, or whose files failed here; or raises the problem."""
        raise problem

    def close(self) -> None:
        """Release what is open here for the task."""


@runtime_checkable
class DetachableWork(Protocol):
    """Work that can also run without access to the files of this machine."""

    def detach(self, send: Send, /) -> DetachedWork | Settled: ...


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

    At most `jobs` tasks run at the same time. When `stop` is requested, no further task starts.
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        receiver: Receiver,
        *,
        jobs: int = 1,
        stop: StopFlag | None = None,
        attempts: int = ATTEMPTS,
    ) -> None:
        self.jobs = jobs
        self.stop = stop or StopFlag()
        self._waiting = deque(tasks)
        self._receiver = receiver
        self._attempts = attempts
        self._losses: Counter[Hashable] = Counter()
        self._running: set[Hashable] = set()

    @property
    def open_tasks(self) -> int:
        """How many tasks may still need a worker: those that run and, unless a stop is requested, those that wait."""
        return len(self._running) + (0 if self.stop.requested else len(self._waiting))

    def move(self) -> list[Task]:
        """Take all tasks at once, for a queue elsewhere."""
        tasks = list(self._waiting)
        self._waiting.clear()
        self._running.update(task.key for task in tasks)
        return tasks

    def take(self) -> Task | None:
        """The next task to start; None while `jobs` of them run or none waits, and once a stop is requested."""
        if self.stop.requested or not self._waiting or len(self._running) >= self.jobs:
            return None
        task = self._waiting.popleft()
        self._running.add(task.key)
        return task

    def receive(self, task: Task, message: Any, *, progress: bool = False) -> None:
        if progress:
            self._losses[task.key] = 0
        self._receiver.received(task.key, message)

    def finish(self, task: Task, result: Any) -> None:
        self._running.remove(task.key)
        self._receiver.finished(task.key, result)

    def put_back(self, task: Task) -> None:
        """The task did not end, and is the next to be taken."""
        self._running.remove(task.key)
        self._waiting.appendleft(task)

    def give_up(self, task: Task, problem: str) -> None:
        self._running.remove(task.key)
        self._receiver.given_up(task.key, problem)

    def lose(self, task: Task, cause: str) -> None:
        """The retry rule: a task whose worker was lost is next, until that happens too often without progress."""
        self._losses[task.key] += 1
        if self._losses[task.key] < self._attempts:
            self.put_back(task)
        else:
            often = f"{self._attempts} times in a row without progress " if self._attempts > 1 else ""
            self.give_up(task, f"its worker was lost {often}({cause})")

    def sender(self, task: Task) -> Send:
        """For work that runs in this thread."""

        def send(message: Any, /, *, progress: bool = False) -> None:
            self.receive(task, message, progress=progress)

        return send

    def run_here(self, task: Task) -> None:
        """Run a task in this process and report its result."""
        self.finish(task, task.work(self.sender(task), self.stop))


@runtime_checkable
class Executor(Protocol):
    """A place where tasks run."""

    def run(self, queue: TaskQueue) -> None:
        """Take tasks from the queue and run them until `queue.open_tasks` is 0.

        What a task raises is raised here. When a stop is requested, running work ends at its next opportunity.
        """
        ...


def run_pool(
    tasks: Iterable[Task], receiver: Receiver, *, executor: Executor, jobs: int = 1, stop: StopFlag | None = None
) -> None:
    """Run every task to its end, or until a stop is requested; raises what a task raises."""
    queue = TaskQueue(tasks, receiver, jobs=jobs, stop=stop)
    if queue.open_tasks:
        executor.run(queue)
    if queue.open_tasks:
        raise RunError(f"executor {type(executor).__name__} returned with {queue.open_tasks} tasks not done")


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
