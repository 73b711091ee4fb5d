"""The run folder: made once, never written over."""

from pathlib import Path

import pytest
from tests.runs.conftest import NewRun, Play

from ecbench.runs.file import EventsFile
from ecbench.runs.folder import open_run
from ecbench.runs.problems import RunError


def test_a_run_is_read_back_as_it_was_made(new_run: NewRun) -> None:
    run = new_run(episodes=3, days=20, rules={"commission": 0.1}, model={"effort": "high"})
    assert open_run(run.folder) == run


def test_a_run_killed_before_its_manifest_was_whole_can_be_started_again(new_run: NewRun, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".run.json.partial").write_text('{"sche')
    run = new_run()
    assert sorted(path.name for path in run.folder.iterdir()) == ["run.json"]


def test_a_record_has_one_writer_at_a_time(new_run: NewRun, play: Play) -> None:
    run = new_run("Sleeper", days=5)
    play(run)
    with EventsFile(run.events_path(0)), pytest.raises(RunError, match="is being written by another process"):
        EventsFile(run.events_path(0), attempts=1)
    EventsFile(run.events_path(0), attempts=1).close()


def test_what_is_not_kept_goes_only_when_something_is_written_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"whole\ntorn")
    with EventsFile(path) as events:
        events.keep(len(b"whole\n"))
    assert path.read_bytes() == b"whole\ntorn"
    with EventsFile(path) as events:
        events.keep(len(b"whole\n"))
        events.append(b"next\n")
    assert path.read_bytes() == b"whole\nnext\n"
