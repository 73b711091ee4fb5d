"""A site that is built once."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from tests.cli.command import Cli, Command
from tests.site.seasons import little_season, write_submissions

from ecbench.site.build import BuiltSite, build_site
from ecbench.suite.seasons import Season


@dataclass(frozen=True)
class Example:
    """A season, its submissions and the site of them."""

    season: Season
    submissions: Path
    out: Path
    built: BuiltSite


@pytest.fixture(scope="package")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    place = tmp_path_factory.mktemp("season")
    season = little_season(place / "worlds")
    submissions = write_submissions(season, place)
    built = build_site(submissions, place / "site", season, progress=lambda *_: None)
    return Example(season, submissions, place / "site", built)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command of the program."""
    return partial(Command, capsys)
