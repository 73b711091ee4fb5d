"""The worker pool: reused workers and one retry rule."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from tests.runs.conftest import Received, run_tasks

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.workers.pool import Inline, Processes, Send


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


def die_until(lives: Path, count: int, send: Send, _stop: StopFlag) -> str:
    """Kills its worker so often, each time after a message."""
    lives.write_text(lives.read_text() + "x" if lives.exists() else "x")
    send("alive")
    if len(lives.read_text()) <= count:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


@pytest.mark.parametrize(("deaths", "given_up"), [(1, False), (2, True)])
def test_a_task_whose_worker_is_lost_runs_once_more(tmp_path: Path, deaths: int, given_up: bool) -> None:
    received = run_tasks(Processes(), partial(die_until, tmp_path / "lives", deaths), own_id)
    assert received.messages == [(0, "alive")] * 2
    assert 1 in received.results
    assert (0 in received.results) is not given_up
    assert received.problems == ({0: "its worker was lost twice (exit code -9)"} if given_up else {})


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


def test_no_task_begins_after_a_stop() -> None:
    stop, received = StopFlag(), Received()

    def first(*_: object) -> None:
        stop.request()

    Inline().run([first, own_id], 1, stop, received)
    assert received.results == {0: None}
