"""Recorded years on the little world, where the engine answers in an instant."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import write_little_world
from tests.runs.conftest import TRADER, Diary, new_run, play

from ecbench.analysis.review.build_review import Depth, Progress, review_year
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.stored_review import REVIEW
from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.play_here import play_here
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Inline
from ecbench.world.load import load_world

__all__ = ["new_run", "play"]

DEPTH = Depth(quick=False, step=7, variants=(0, 5, 10))
DAYS = 60

Make = Callable[..., Review | None]


@pytest.fixture(scope="session")
def reviewed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two months of a merchant that buys and sells a little, and their review."""
    place = tmp_path_factory.mktemp("reviewed")
    source = write_little_world(place)
    world, diary = load_world(source), Diary()
    terms = Terms.alone(world, agent=TRADER, days=DAYS, stake=100_000.0)
    run = create_run(place / "run", terms, episodes=1, world_source=str(source))
    play_here(run, 0, diary, diary.stop)
    made(run)
    return place / "run"


@pytest.fixture
def reviewed(reviewed_folder: Path, tmp_path: Path) -> Run:
    return open_run(Path(shutil.copytree(reviewed_folder, tmp_path / "copy")))


@pytest.fixture
def traded(reviewed: Run) -> Run:
    """The same without the review."""
    (reviewed.episode_folder(0) / REVIEW).unlink()
    return reviewed


def made(run: Run, told: list[Progress] | None = None, **changes: Any) -> Review | None:
    tell = (told if told is not None else []).append
    given = {"depth": DEPTH, "executor": Inline(), "jobs": 1, "stop": StopFlag(), "tell": tell, **changes}
    return review_year(run, 0, **given)


@pytest.fixture
def make() -> Make:
    return made
