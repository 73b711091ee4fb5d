"""The run folder: made once, never written over."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from tests.runs.conftest import NewRun, Play

from ecbench.errors import RunError
from ecbench.runs.folder import free_folder, open_run
from ecbench.runs.record.append_only_log import AppendOnlyLog

STARTERS = 6
ATTEMPTS = 100


def test_a_run_is_read_back_as_it_was_made(new_run: NewRun) -> None:
    run = new_run(episodes=3, days=20, rules={"commission": 0.1}, model={"effort": "high"})
    assert open_run(run.folder) == run


@pytest.mark.parametrize("mine", [".partial", "episodes/0/events.jsonl", "notes.txt"])
def test_a_run_never_begins_beside_anything_else(new_run: NewRun, tmp_path: Path, mine: str) -> None:
    path = tmp_path / "run" / mine
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(RunError, match="run is not empty; give --out a folder that does not exist yet"):
        new_run()
    with pytest.raises(RunError, match=r"is not a run: it contains no run\.json"):
        open_run(tmp_path / "run")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("exists", [False, True])
def test_of_many_that_start_in_one_folder_at_once_exactly_one_does(
    new_run: NewRun, tmp_path: Path, exists: bool
) -> None:
    together = Barrier(STARTERS)

    def start(name: str) -> str:
        together.wait(30)
        try:
            new_run(name=name)
        except RunError as refused:
            return str(refused)
        return ""

    with ThreadPoolExecutor(STARTERS) as starters:
        for attempt in range(ATTEMPTS):
            name = f"run-{attempt}"
            if exists:
                (tmp_path / name).mkdir()
            refusals = list(starters.map(start, [name] * STARTERS))
            assert refusals.count("") == 1
            unexpected = [
                text for text in refusals if text and "not empty" not in text and "written by another" not in text
            ]
            assert not unexpected
            assert [path.name for path in (tmp_path / name).iterdir()] == ["run.json"]
            assert open_run(tmp_path / name).episodes == 1


def test_runs_that_start_in_the_same_second_each_get_a_folder_of_their_own(tmp_path: Path) -> None:
    together = Barrier(STARTERS)

    def start(_: int) -> Path:
        together.wait(30)
        return free_folder(tmp_path / "runs", "20260101-080000_steady")

    with ThreadPoolExecutor(STARTERS) as starters:
        folders = list(starters.map(start, range(STARTERS)))
    assert sorted(folder.name for folder in folders) == [
        "20260101-080000_steady",
        *(f"20260101-080000_steady-{number}" for number in range(2, STARTERS + 1)),
    ]


def test_a_record_has_one_writer_at_a_time(new_run: NewRun, play: Play) -> None:
    run = new_run("Sleeper", days=5)
    play(run)
    with AppendOnlyLog(run.events_path(0)), pytest.raises(RunError, match="is being written by another process"):
        AppendOnlyLog(run.events_path(0), attempts=1)
    AppendOnlyLog(run.events_path(0), attempts=1).close()
