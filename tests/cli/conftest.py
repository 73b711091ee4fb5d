"""Commands write where they are given and may add to the search path: each test has a place and a path of its own."""

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from shutil import copytree

import pytest
from tests.cli.command import Cli, Command, complete
from tests.conftest import write_little_world
from tests.harness.provider import KEY
from tests.runs.conftest import MERCHANTS

Careless = Callable[[int], Path]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command of the program."""
    return partial(Command, capsys)


@pytest.fixture(scope="session")
def careless_years(tmp_path_factory: pytest.TempPathFactory) -> Careless:
    """Plays a merchant that makes every mistake for so many days, once."""
    place = tmp_path_factory.mktemp("careless")
    world = write_little_world(place)

    @cache
    def played(days: int) -> Path:
        out = place / f"{days}"
        terms = ("--agent", f"{MERCHANTS}:Careless", "--world", str(world), "--days", str(days), "--out", str(out))
        complete("run", *terms, "--quiet")
        return out

    return played


@pytest.fixture
def careless(careless_years: Careless, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of such a run, of as many days as the module says."""
    return Path(copytree(careless_years(request.module.DAYS), tmp_path / "careless"))
