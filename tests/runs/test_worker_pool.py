"""The worker pool: reused workers, one retry rule, and nothing that one task leaves to the next."""

import os
import random
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from tests.runs.conftest import NewRun, Received, play_on, run_tasks

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.workers.inline import Inline
from ecbench.runs.workers.pool import Send, Task, TaskQueue, map_pool, run_pool
from ecbench.runs.workers.processes import Processes


def own_id(*_: object) -> int:
    return os.getpid()


def test_a_worker_runs_one_task_after_another() -> None:
    ids = run_tasks(Processes(), *[own_id] * 5).results
    assert len(set(ids.values())) == 1 and os.getpid() not in ids.values()


def meet(folder: Path, number: int, *_: object) -> int:
    """Returns once another task has begun elsewhere."""
    (folder / str(number)).touch()
    while len(list(folder.iterdir())) < 2:
        sleep(0.01)
    return os.getpid()


def test_as_many_tasks_run_side_by_side_as_there_are_jobs(tmp_path: Path) -> None:
    ids = run_tasks(Processes(), partial(meet, tmp_path, 0), partial(meet, tmp_path, 1), own_id, jobs=2).results
    assert len(set(ids.values())) == 2


def change_state(module: Path, *_: object) -> None:
    os.environ["ECBENCH_LEFT_BEHIND"] = "1"
    os.environ.pop("PATH")
    sys.path.insert(0, str(module.parent))
    __import__(module.stem)
    sys.setrecursionlimit(5_000)
    random.seed(7)
    os.chdir("/")
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def state(module: Path, *_: object) -> dict[str, Any]:
    return {
        "environment": dict(os.environ),
        "search path": sys.path,
        "module": module.stem in sys.modules,
        "recursion": sys.getrecursionlimit(),
        "folder": Path.cwd(),
        "signals": signal.getsignal(signal.SIGINT) is signal.SIG_DFL,
        "process": os.getpid(),
    }


def test_what_a_task_changes_of_its_process_the_next_one_does_not_see(tmp_path: Path) -> None:
    module = tmp_path / "left_behind.py"
    module.write_text("")
    look = partial(state, module)
    found = run_tasks(Processes(), look, partial(change_state, module), look).results
    assert found[0] == found[2]


def draw(*_: object) -> float:
    return random.random()


def seed(*_: object) -> None:
    random.seed(7)


def test_the_numbers_that_a_task_draws_do_not_follow_from_another_tasks_seed() -> None:
    found = run_tasks(Processes(), seed, draw).results
    assert found[1] != random.Random(7).random()


def leave_thread(*_: object) -> int:
    threading.Thread(target=sleep, args=(30,), daemon=True).start()
    return os.getpid()


def test_a_worker_in_which_a_task_left_a_thread_is_replaced() -> None:
    ids = run_tasks(Processes(), leave_thread, own_id).results
    assert ids[0] != ids[1]


def test_a_merchants_modules_are_loaded_afresh_for_every_episode(new_run: NewRun, tmp_path: Path) -> None:
    (tmp_path / "days_waited.py").write_text("DAYS = []\n")
    merchant = tmp_path / "waiter.py"
    merchant.write_text(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport days_waited\n"
        "class Waiter:\n"
        "    def play(self, schemas):\n"
        "        while len(days_waited.DAYS) < 3:\n"
        "            days_waited.DAYS.append(1)\n"
        "            yield [{'name': 'wait_for_next_day', 'arguments': {}}]\n"
    )
    results = play_on("processes", new_run(f"{merchant}:Waiter", episodes=3, days=5), jobs=1)
    assert [result.end.turns for result in results if result.end] == [3, 3, 3]


def die_until(lives: Path, count: int, progress: bool, send: Send, _stop: StopFlag) -> str:
    """Kills its worker so often, each time after a message."""
    lives.write_text(lives.read_text() + "x" if lives.exists() else "x")
    send("alive", progress=progress)
    if len(lives.read_text()) <= count:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


@pytest.mark.parametrize(("deaths", "progress", "given_up"), [(2, False, False), (3, False, True), (5, True, False)])
def test_a_task_is_retried_until_three_workers_in_a_row_made_no_progress(
    tmp_path: Path, deaths: int, progress: bool, given_up: bool
) -> None:
    received = run_tasks(Processes(), partial(die_until, tmp_path / "lives", deaths, progress), own_id)
    assert 1 in received.results
    assert (0 in received.results) is not given_up
    lost = "its worker was lost 3 times in a row without progress (exit code -9)"
    assert received.problems == ({0: lost} if given_up else {})


def refuse(*_: object) -> None:
    raise RunError("there is nothing here")


def divide(*_: object) -> float:
    return 1 / 0


@pytest.mark.parametrize(
    ("work", "error", "message"),
    [(refuse, RunError, "^there is nothing here$"), (divide, RuntimeError, "(?s)Traceback.*ZeroDivisionError")],
)
def test_what_a_task_raises_is_raised_by_the_pool(
    work: Callable[..., Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        run_tasks(Processes(), work, own_id, jobs=2)


def test_results_of_a_map_are_in_the_order_of_its_items() -> None:
    for executor in (Inline(), Processes()):
        assert map_pool(str.upper, ["a", "b", "c"], executor=executor, jobs=2) == ["A", "B", "C"]


def test_no_task_begins_after_a_stop() -> None:
    stop, received = StopFlag(), Received()

    def first(*_: object) -> None:
        stop.request()

    run_pool([Task(0, first), Task(1, own_id)], received, executor=Inline(), stop=stop)
    assert received.results == {0: None}


class Forgetful:
    """An executor that runs one task and leaves the others."""

    def run(self, queue: TaskQueue) -> None:
        task = queue.take()
        assert task is not None
        queue.run_here(task)


def test_an_executor_that_leaves_tasks_undone_is_refused() -> None:
    with pytest.raises(RunError, match="executor Forgetful returned with 2 tasks not done"):
        run_tasks(Forgetful(), own_id, own_id, own_id)
