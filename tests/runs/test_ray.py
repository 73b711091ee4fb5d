"""A Ray cluster: runs that are stopped and ended while it works for them."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.runs.conftest import RAY_SETTINGS
from tests.runs.lives import KILL, PATIENCE_SECONDS, STOPS, Life

from ecbench.cli.progress import STOPPING

ray: Any = pytest.importorskip("ray", reason="the extra `ray` is not installed")

CTRL_C_TWICE = next(death for death in STOPS if death.name == "Ctrl-C twice")


STUCK = """
import os, time
from pathlib import Path
HERE = Path(__file__).parent

class Stuck:
    def play(self, schemas):
        for day in range(366):
            if day == 3 and (HERE / "stuck").exists():
                (HERE / f"worker-{os.getpid()}").touch()
                time.sleep(3600)
            yield [{"name": "wait_for_next_day", "arguments": {}}]
"""


def commanded(tmp_path: Path, small_world: Path, out: str, *options: str, **environment: str) -> Life:
    (tmp_path / "stuck.py").write_text(STUCK, encoding="utf-8")
    agent = ("--agent", str(tmp_path / "stuck.py:Stuck"), "--world", str(small_world), "--days", "6", "-n", "2")
    arguments = ("run", *agent, *options, "--out", str(tmp_path / out), "--quiet")
    return Life(*arguments, log=tmp_path / "log", environment=RAY_SETTINGS | environment)


@pytest.mark.parametrize("where", ["its own", "another"])
def test_no_process_outlives_a_run_that_is_ended_while_its_merchants_sleep(
    tmp_path: Path, small_world: Path, where: str, request: pytest.FixtureRequest
) -> None:
    """On a cluster of its own, Ctrl-C twice; on one that continues, kill -9."""
    own, address = where == "its own", dict[str, str]()
    if not own:
        request.getfixturevalue("cluster")
        address = {"RAY_ADDRESS": ray.get_runtime_context().gcs_address}
    (tmp_path / "stuck").touch()
    life = commanded(tmp_path, small_world, "out", "-j", "2", "--executor", "ray", **address)
    await_true(lambda: len(workers(tmp_path)) == 2 or not life.running)
    assert life.running, life.said
    life.meet(CTRL_C_TWICE if own else KILL)
    assert life.end() == (130 if own else -9)
    said = life.said.splitlines()
    assert (said[:1], said[-1:]) == (
        ([STOPPING], [f"Continue with: ecbench resume {tmp_path / 'out'}"]) if own else ([], [])
    )
    await_true(lambda: not any(map(lives, workers(tmp_path))))
    assert life.orphans() == []
    (tmp_path / "stuck").unlink()
    assert Life("resume", str(tmp_path / "out"), "--quiet", log=tmp_path / "log").end() == 0
    assert commanded(tmp_path, small_world, "whole").end() == 0
    for episode in (0, 1):
        events = [(tmp_path / out / f"episodes/{episode}/events.jsonl").read_bytes() for out in ("out", "whole")]
        assert events[0] == events[1]


def test_a_run_whose_node_is_lost_fails_and_can_be_resumed(tmp_path: Path, small_world: Path) -> None:
    (tmp_path / "stuck").touch()
    life = commanded(tmp_path, small_world, "out", "-j", "2", "--executor", "ray")
    await_true(lambda: len(workers(tmp_path)) == 2 or not life.running)
    for process in psutil.Process(life.pid).children(recursive=True):
        if process.name() == "raylet":
            process.kill()
    assert life.end() == 1
    assert life.said.splitlines()[-1] == f"Continue with: ecbench resume {tmp_path / 'out'}"
    assert life.orphans() == []
    (tmp_path / "stuck").unlink()
    assert Life("resume", str(tmp_path / "out"), "--quiet", log=tmp_path / "log").end() == 0


def workers(tmp_path: Path) -> list[int]:
    return [int(path.name.removeprefix("worker-")) for path in tmp_path.glob("worker-*")]


def lives(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def await_true(happens: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE_SECONDS
    while not happens():
        assert time.monotonic() < limit
        time.sleep(0.01)
