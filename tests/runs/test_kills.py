"""kill -9 at any instant loses at most the turn in flight, and the resumed run ends with the same bytes."""

import random
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from tests.runs.conftest import TRADER

from ecbench.cli import main

KILLS = 28

# Every life of the run is a process of its own, forked where the imports are done already.
forking = get_context("forkserver")
forking.set_forkserver_preload(
    ["ecbench.cli.run", "ecbench.cli.resume", "ecbench.cli.run_tables", "ecbench.runs.executors.inline"]
)

Start = Callable[..., BaseProcess]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.chdir(tmp_path)

    def start_command(*arguments: str) -> BaseProcess:
        process = forking.Process(target=main, args=([*arguments, "--quiet", "--json"],))
        process.start()
        return process

    return start_command


def finish(process: BaseProcess) -> None:
    process.join(60)
    assert process.exitcode == 0


def kill_when_grown(process: BaseProcess, events: Path, size: int) -> bool:
    """Kill it while it writes; False if it was over before."""
    while process.is_alive() and size_of(events) < size:
        time.sleep(0.0002)
    return kill(process)


def kill_after(process: BaseProcess, seconds: float) -> bool:
    """Kill it wherever it is: while it starts, plays again or plays on."""
    process.join(seconds)
    return kill(process)


def kill(process: BaseProcess) -> bool:
    process.kill()
    process.join()
    return process.exitcode == -9


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_a_run_killed_at_random_instants_ends_with_the_same_events_and_money(start: Start, small_world: Path) -> None:
    run = ("run", "--agent", TRADER, "--world", str(small_world), "--out")
    finish(start(*run, "whole"))
    whole, broken = Path("whole/episodes/0"), Path("broken/episodes/0")
    events = broken / "events.jsonl"
    step = size_of(whole / "events.jsonl") // KILLS

    draws = random.Random("instants of death")
    killed, grown = 0, 0
    for number in range(KILLS):
        process = start("resume", "broken") if Path("broken/run.json").exists() else start(*run, "broken")
        before = size_of(events)
        if number % 4 == 3:
            killed += kill_after(process, draws.uniform(0.0, 0.4))
        else:
            killed += kill_when_grown(process, events, before + draws.randrange(1, 2 * step))
        grown += size_of(events) > before
    assert killed >= 20
    assert grown >= 10
    finish(start("resume", "broken"))
    for file in whole.iterdir():
        assert (broken / file.name).read_bytes() == file.read_bytes()
