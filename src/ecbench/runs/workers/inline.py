"""One task after another in this process."""

from ecbench.runs.workers.pool import TaskQueue


class Inline:
    """Runs tasks in this process."""

    def run(self, queue: TaskQueue) -> None:
        while (task := queue.take()) is not None:
            queue.run_here(task)
