"""Killed or stopped at any instant, a run loses at most the turn in flight, and continues to the same files."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.harness.provider import KEY, Provider, Turn, serve
from tests.runs.conftest import TRADER
from tests.runs.lives import KILL, KILL_A_WORKER, STOPS
from tests.runs.ordeal import MODELS, Ordeal, undergo
from tests.runs.test_models import NAME, diligent

ONCE = [death for death in STOPS if len(death.signals) == 1]
TWICE = [death for death in STOPS if len(death.signals) == 2]


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_run_killed_at_random_instants_ends_with_the_same_files(small_world: Path, tmp_path: Path) -> None:
    ordeal = Ordeal(("--agent", TRADER, "--world", str(small_world), "--days", "60"), seconds=0.15)
    deaths = [*STOPS, *[KILL] * 7]
    toll = undergo(ordeal, deaths, tmp_path, random.Random("a merchant here"))
    assert toll.unharmed, str(toll)  # whole: pytest shortens other values
    assert sum(toll.met.values()) == len(deaths)
    assert toll.endings > 1


def test_worker_processes_ended_at_random_instants_come_to_the_same_files(small_world: Path, tmp_path: Path) -> None:
    terms = ("--agent", TRADER, "--world", str(small_world), "--days", "20", "-n", "2")
    ordeal = Ordeal(terms, seconds=0.8, where=("-j", "2"), episodes=2)
    deaths = [*ONCE[:1], *TWICE[:1], KILL_A_WORKER, *[KILL] * 2]
    toll = undergo(ordeal, deaths, tmp_path, random.Random("workers"))
    assert toll.unharmed, str(toll)
    assert sum(toll.met.values()) == len(deaths)


def swiftly(request: dict[str, Any]) -> Turn:
    turn = diligent(request)
    return Turn(turn.text, turn.calls, turn.reasoning, delay=0.005)


def models(small_world: Path, provider: Provider, *terms: str, episodes: int) -> Ordeal:
    run = ("--agent", NAME, "-M", f"base_url={provider.url}", "--world", str(small_world), "-n", str(episodes), *terms)
    return Ordeal(run, 0.4, ("-j", str(episodes)), episodes, {"LOOPBACK_API_KEY": KEY}, MODELS)


def test_models_ended_at_random_instants_come_to_the_same_transcripts(small_world: Path, tmp_path: Path) -> None:
    with serve(swiftly) as provider:
        ordeal = models(small_world, provider, "--days", "6", episodes=2)
        toll = undergo(ordeal, [*STOPS, *[KILL] * 3], tmp_path, random.Random("models"))
    assert toll.unharmed, str(toll)
    assert sum(toll.met.values()) == len(STOPS) + 3
