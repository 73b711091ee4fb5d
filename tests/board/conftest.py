"""A folder with a recorded year, and a board over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.runs.conftest import TRADER

from ecbench.board.run_index import Library
from ecbench.board.server.actions import Desk
from ecbench.board.server.sessions import NoListener
from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import play_here
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

DAYS = 40


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def recorded(shelf: Path, small_world: Path) -> Run:
    world = load_world(small_world)
    terms = Terms(world.name, world.id, world.seed, (SeatTerms(TRADER),), DAYS, 100_000.0)
    run = create_run(shelf / "trader", terms, episodes=1, world_source=str(small_world))
    play_here(run, 0, world, NoListener(), StopFlag())
    return run


@pytest.fixture
def desk(shelf: Path) -> Iterator[Desk]:
    made = Desk(Library(shelf), frozenset({"openai"}), lambda: "20260101-000000")
    yield made
    made.close()
