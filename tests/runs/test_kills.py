"""Killed or stopped at any instant, a run loses at most the turn in flight, and goes on to the same bytes."""

import random
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.harness.provider import KEY, Turn, serve
from tests.runs.conftest import TRADER, Diary, NewRun, Play, files_of
from tests.runs.lives import KILL, KILL_A_WORKER, STOPS, Life
from tests.runs.ordeal import Ordeal, undergo
from tests.runs.test_concurrent import records
from tests.runs.test_models import NAME, diligent

MOST_WRITES = 40


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_ended_at_random_instants_comes_to_the_same_bytes(small_world: Path, tmp_path: Path) -> None:
    ordeal = Ordeal(("--agent", TRADER, "--world", str(small_world), "--days", "90"), seconds=0.2)
    toll = undergo(ordeal, [*STOPS * 3, *[KILL] * 15], tmp_path, random.Random("a merchant here"))
    assert toll.unharmed, toll
    assert toll.endings > 1


def test_worker_processes_ended_at_random_instants_come_to_the_same_bytes(small_world: Path, tmp_path: Path) -> None:
    terms = ("--agent", TRADER, "--world", str(small_world), "--days", "40", "-n", "2", "-j", "2")
    ordeal = Ordeal(terms, seconds=1.0, resume=("-j", "2"), episodes=2)
    deaths = [*STOPS, *[KILL_A_WORKER] * 4, *[KILL] * 5]
    toll = undergo(ordeal, deaths, tmp_path, random.Random("workers"))
    assert toll.unharmed, toll


def test_models_ended_at_random_instants_come_to_the_same_transcripts(small_world: Path, tmp_path: Path) -> None:
    with serve(swiftly) as provider:
        terms = ("--agent", NAME, "--base-url", provider.url, "--world", str(small_world), "--days", "10", "-n", "2")
        ordeal = Ordeal(
            (*terms, "-j", "2"),
            seconds=0.5,
            resume=("-j", "2"),
            episodes=2,
            environment={"LOOPBACK_API_KEY": KEY},
            digest=records,
        )
        toll = undergo(ordeal, [*STOPS * 2, *[KILL] * 8], tmp_path, random.Random("models"))
    assert toll.unharmed, toll


def swiftly(request: dict[str, Any]) -> Turn:
    turn = diligent(request)
    return Turn(turn.text, turn.calls, turn.reasoning, delay=0.005)


def test_a_resume_killed_before_any_of_its_writes_comes_to_the_same_bytes(new_run: NewRun, play: Play) -> None:
    whole, stopped = new_run(days=30, name="whole"), new_run(days=30, name="stopped")
    play(whole)
    play(stopped, diary=Diary(stop_on_day=10))
    for write in range(1, MOST_WRITES):
        broken = replace(stopped, folder=stopped.folder.with_name(f"broken-{write}"))
        copytree(stopped.folder, broken.folder)
        command = ("resume", str(broken.folder), "--quiet")
        code = Life(*command, log=Path("log"), fatal_write=write).end()
        if code == 0:
            break
        assert code == -9
        assert Life(*command, log=Path("log")).end() == 0
        events = [files_of(run)["events.jsonl"] for run in (broken, whole)]
        assert events[0] == events[1], f"killed before write {write}"
    assert 5 < write < MOST_WRITES - 1
