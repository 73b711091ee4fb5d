"""Commands write where they are given and may add to the search path: each test has a place and a path of its own."""

import sys
from functools import partial
from pathlib import Path

import pytest
from tests.cli.command import Cli, Command
from tests.harness.provider import KEY


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
