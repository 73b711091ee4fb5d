"""Derived files belong to one end of a year. Those of another end are recomputed, and their figures never shown."""

import json
from typing import Any

import pytest
from tests.cli.command import Command
from tests.runs.conftest import Diary, NewRun, Play, files_of

from ecbench.runs.folder import Run
from ecbench.runs.results.derived_files import DERIVED

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def stopped(new_run: NewRun, play: Play) -> Run:
    """A year that was stopped on day 30 of 60: its derived files tell of that day."""
    run = new_run(days=60)
    play(run, diary=Diary(stop_on_day=30))
    return run


@pytest.fixture
def whole(new_run: NewRun, play: Play) -> dict[str, bytes]:
    run = new_run(days=60, name="whole")
    play(run)
    return files_of(run)


def told(capsys: Capture, command: str, run: Run, *options: str) -> Any:
    return json.loads(Command(capsys, command, str(run.folder), *options, "--json").out)


def test_any_mixture_of_old_and_new_files_is_noticed_and_mended(
    capsys: Capture, stopped: Run, whole: dict[str, bytes]
) -> None:
    old = files_of(stopped)
    stopped.events_path(0).write_bytes(whole["events.jsonl"])
    for names in (*((name,) for name in DERIVED), DERIVED, None):  # the files that are old; None: all are missing
        for name in DERIVED:
            path = stopped.episode_folder(0) / name
            if names is None:
                path.unlink()
            else:
                path.write_bytes((old if name in names else whole)[name])
        summary = told(capsys, "resume", stopped, "--quiet")
        assert summary["axes"]["final_assets"] == summary["episodes"][0]["final_assets"]
        assert files_of(stopped) == whole, f"old were {names}"
