"""A run of a little world, and a client of a host that serves it. Every test has a folder of its own to work in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.hosting import Client, begin, hosted
from tests.runs.lives import end_all

from ecbench.runs.folder import Run
from ecbench.world.model import World


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process outlives its test."""
    monkeypatch.chdir(tmp_path)
    yield
    end_all()


@pytest.fixture
def run(tmp_path: Path, small_world: Path, world: World) -> Run:
    return begin(tmp_path / "run", world, small_world)


@pytest.fixture
def client(run: Run) -> Iterator[Client]:
    with hosted(run) as guest:
        yield guest
