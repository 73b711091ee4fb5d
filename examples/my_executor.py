"""An executor of your own: tasks run in threads of the program's process.

ecbench run --agent haggler --episodes 4 --jobs 2 --executor my_executor:Threads
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any

from ecbench.runs.workers.pool import Task, TaskQueue


class Threads:
    """Every call to the queue is made in the thread that called `run`; the others pass theirs on."""

    def run(self, queue: TaskQueue) -> None:
        reports: SimpleQueue[Callable[[], object]] = SimpleQueue()

        def work(task: Task) -> None:
            def send(message: Any, /, *, progress: bool = False) -> None:
                reports.put(partial(queue.receive, task, message, progress=progress))

            try:
                reports.put(partial(queue.finish, task, task.work(send, queue.stop)))
            except Exception as error:
                reports.put(partial(fail, error))

        with ThreadPoolExecutor(queue.jobs) as threads:
            while queue.open_tasks:
                while (task := queue.take()) is not None:
                    threads.submit(work, task)
                reports.get()()


def fail(error: Exception) -> None:
    raise error
