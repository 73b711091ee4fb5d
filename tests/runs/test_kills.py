"""Killed or stopped at any instant, a run loses at most the turn in flight, and goes on to the same bytes."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.harness.provider import KEY, Turn, serve
from tests.runs.conftest import TRADER, Diary, NewRun, Play
from tests.runs.lives import KILL, KILL_A_WORKER, STOPS
from tests.runs.ordeal import BEFORE_A_WRITE, Ordeal, Toll, die_before_each_write, undergo
from tests.runs.test_concurrent import records
from tests.runs.test_models import NAME, diligent


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


def test_a_resume_killed_before_any_of_its_writes_comes_to_the_same_files(new_run: NewRun, play: Play) -> None:
    whole, stopped, toll = new_run(days=30, name="whole"), new_run(days=30, name="stopped"), Toll()
    play(whole)
    play(stopped, diary=Diary(stop_on_day=10))
    die_before_each_write(stopped.folder, whole.folder, toll)
    assert toll.unharmed, toll
    assert toll.met[BEFORE_A_WRITE] > 5
