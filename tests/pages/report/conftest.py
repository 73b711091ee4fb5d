"""Runs on the little world, played once for all tests of reports, and charts that are drawn once."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import vl_convert
from tests.conftest import write_little_world
from tests.runs.conftest import MERCHANTS, TRADER, Diary

from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.play_here import play_here
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

NewRun = Callable[..., Run]


_draw = vl_convert.vegalite_to_svg


@pytest.fixture(scope="session", autouse=True)
def _charts_are_drawn_once() -> Iterator[None]:
    """Most of a report's time is Vega's, and the tests write the same charts again and again."""
    drawn: dict[str, str] = {}

    def draw(chart: Any) -> str:
        key = json.dumps(chart, default=str)
        if key not in drawn:
            drawn[key] = _draw(chart)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", draw)
        yield


@pytest.fixture
def drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that is about drawing the same twice."""
    monkeypatch.setattr(vl_convert, "vegalite_to_svg", _draw)


@pytest.fixture(scope="session")
def little_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_little_world(tmp_path_factory.mktemp("world"))


def play(
    folder: Path,
    world: Path,
    agent: str,
    *,
    days: int = 365,
    stake: float = 100_000.0,
    episodes: int = 1,
    stop: int = 0,
) -> Run:
    """A run that was played, `stop` being the day on which it was stopped."""
    loaded = load_world(world)
    if agent.isidentifier():
        agent = f"{MERCHANTS}:{agent}" if agent[0].isupper() else agent
    terms = Terms.alone(loaded, agent=agent, days=days, stake=stake)
    run = create_run(folder, terms, episodes=episodes, world_source=str(world))
    for episode in range(episodes):
        diary = Diary(stop_on_day=stop or None)
        play_here(run, episode, diary, diary.stop)
    return run


@pytest.fixture(scope="session")
def trader(tmp_path_factory: pytest.TempPathFactory, little_world: Path) -> Run:
    return play(tmp_path_factory.mktemp("trader") / "trader", little_world, TRADER, episodes=2)


@pytest.fixture(scope="session")
def careless(tmp_path_factory: pytest.TempPathFactory, little_world: Path) -> Run:
    return play(tmp_path_factory.mktemp("careless") / "careless", little_world, "Careless")


@pytest.fixture(scope="session")
def idle(tmp_path_factory: pytest.TempPathFactory, little_world: Path) -> Run:
    """A year without a store, a deal or a sale."""
    return play(tmp_path_factory.mktemp("idle") / "idle", little_world, "idle", days=20)
