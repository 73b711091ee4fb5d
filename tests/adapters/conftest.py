"""A run of a little world, and a client of a host that serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.hosting import Client, begin, hosted

from ecbench.runs.folder import Run
from ecbench.world.model import World


@pytest.fixture
def run(tmp_path: Path, small_world: Path, world: World) -> Run:
    return begin(tmp_path / "run", world, small_world)


@pytest.fixture
def client(run: Run) -> Iterator[Client]:
    with hosted(run) as guest:
        yield guest
