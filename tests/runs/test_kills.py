"""kill -9 at any instant loses at most the turn in flight, and the resumed run ends with the same bytes."""

import os
import random
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from tests.runs.conftest import TRADER

from ecbench.cli import main

KILLS = 24
MOST_LIVES = 200

# Every life of the run is a process of its own, forked where the imports are done already.
forking = get_context("forkserver")
forking.set_forkserver_preload(
    ["ecbench.cli.run", "ecbench.cli.resume", "ecbench.cli.run_tables", "ecbench.runs.executors.inline"]
)

Start = Callable[..., BaseProcess]


def command(arguments: tuple[str, ...]) -> None:
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        main([*arguments, "--quiet"])


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.chdir(tmp_path)

    def start_command(*arguments: str) -> BaseProcess:
        process = forking.Process(target=command, args=(arguments,))
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


def files_in(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder, "episodes/0").iterdir()}


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_a_run_killed_at_random_instants_ends_with_the_same_events_and_money(start: Start, small_world: Path) -> None:
    """A run that got to its end before its next death is compared, and another one begins, until enough have died."""
    run = ("run", "--agent", TRADER, "--world", str(small_world), "--out")
    finish(start(*run, "whole"))
    whole = files_in("whole")
    step = len(whole["events.jsonl"]) // 8

    draws = random.Random("instants of death")
    killed = grown = ended = 0
    for life in range(MOST_LIVES):
        folder = f"broken-{ended}"
        events = Path(folder, "episodes/0/events.jsonl")
        before = size_of(events)
        process = start("resume", folder) if Path(folder, "run.json").exists() else start(*run, folder)
        if life % 4 == 3:
            died = kill_after(process, draws.uniform(0.0, 0.3))
        else:
            died = kill_when_grown(process, events, before + draws.randrange(1, step))
        killed += died
        grown += died and size_of(events) > before
        if not died:
            assert process.exitcode == 0
            assert files_in(folder) == whole
            ended += 1
        if killed >= KILLS and grown >= KILLS // 2:
            break
    assert killed >= KILLS
    assert grown >= KILLS // 2
    if Path(f"broken-{ended}", "run.json").exists():
        finish(start("resume", f"broken-{ended}"))
        assert files_in(f"broken-{ended}") == whole
        ended += 1
    assert ended >= 1
