"""Worker processes on this machine, reused from task to task. They write what they make; only messages arrive here."""

import pickle
from collections.abc import Iterable
from multiprocessing.connection import wait

from ecbench.runs.workers.pool import Task, TaskQueue
from ecbench.runs.workers.worker_process import QUIT, TaskFailed, TaskFinished, TaskMessage, Worker, start_worker

PAUSE_SECONDS = 0.2  # between checks of the stop flag


class Processes:
    """Runs each task in one of a few processes. One that dies is replaced, and costs no task but its own."""

    def run(self, queue: TaskQueue) -> None:
        busy: dict[Worker, Task] = {}
        idle: list[Worker] = []
        with queue.stop.ending(lambda: self.kill([*busy, *idle])):
            try:
                while queue.open_tasks:
                    _assign(queue, busy, idle)
                    if queue.stop.requested:
                        for worker in busy:
                            worker.request_stop(cancel=queue.stop.cancelling)
                    for worker in _ready(busy, PAUSE_SECONDS):
                        _handle_report(worker, queue, busy, idle)
                for worker in idle:
                    worker.send(QUIT)
                while idle:
                    idle.pop().release()
            finally:
                self.kill([*busy, *idle])

    def kill(self, workers: list[Worker]) -> None:
        """All at once, and then wait for each."""
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.kill()


def _assign(queue: TaskQueue, busy: dict[Worker, Task], idle: list[Worker]) -> None:
    while (task := queue.take()) is not None:
        worker = idle.pop() if idle else start_worker()
        worker.send(pickle.dumps(task.work))
        busy[worker] = task


def _ready(workers: Iterable[Worker], seconds: float) -> list[Worker]:
    listening = list(workers)
    ready = wait([worker.connection for worker in listening], seconds)
    return [worker for worker in listening if worker.connection in ready]


def _handle_report(worker: Worker, queue: TaskQueue, busy: dict[Worker, Task], idle: list[Worker]) -> None:
    task = busy[worker]
    try:
        report = worker.connection.recv()
    except (EOFError, OSError):
        del busy[worker]
        worker.release()
        queue.lose(task, f"exit code {worker.process.returncode}")
        return
    match report:
        case TaskMessage(content, progress):
            queue.receive(task, content, progress=progress)
        case TaskFailed(error):
            raise error
        case TaskFinished(result, retiring):
            del busy[worker]
            if retiring:
                worker.release()
            else:
                idle.append(worker)
            queue.finish(task, result)
