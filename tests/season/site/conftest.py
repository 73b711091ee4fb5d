"""A site that is built once."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from tests.cli.command import Cli, Command
from tests.season.site.seasons import little_season, write_submissions

from ecbench.runs.signatures.keys import write_new_key
from ecbench.season.seasons import Season
from ecbench.season.site.build import BuiltSite, build_site


@dataclass(frozen=True)
class Example:
    """A season, its submissions and the site of them."""

    season: Season
    submissions: Path
    key: str  # trusted
    out: Path
    built: BuiltSite


@pytest.fixture(scope="package")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    place = tmp_path_factory.mktemp("season")
    season = little_season(place / "worlds")
    key = write_new_key(place / "key").public
    submissions = write_submissions(season, place, place / "key")
    built = build_site(submissions, place / "site", season, trusted=[key], progress=lambda *_: None)
    return Example(season, submissions, key, place / "site", built)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command of the program."""
    return partial(Command, capsys)
