"""Recorded years on the little world, where the engine answers in an instant."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.runs.conftest import NewRun, Play, new_run, play

from ecbench.analysis.review.build_review import Depth, Progress, Reviewed, review_year
from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run
from ecbench.runs.workers.pool import Inline

__all__ = ["new_run", "play"]

DEPTH = Depth(quick=False, step=7, variants=(0, 5, 10))
DAYS = 60

Make = Callable[..., Reviewed]


@pytest.fixture
def traded(new_run: NewRun, play: Play) -> Run:
    """Two months of a merchant that buys and sells a little."""
    run = new_run(days=DAYS)
    play(run)
    return run


@pytest.fixture
def make() -> Make:
    def made(run: Run, told: list[Progress] | None = None, **changes: Any) -> Reviewed:
        tell = (told if told is not None else []).append
        given = {"depth": DEPTH, "executor": Inline(), "jobs": 1, "stop": StopFlag(), "tell": tell, **changes}
        return review_year(run, 0, **given)

    return made
