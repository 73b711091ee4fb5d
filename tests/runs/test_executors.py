"""Where episodes are played makes no difference to them."""

import re
from pathlib import Path

import pytest
from tests.runs.conftest import Diary, NewRun, files_of, play_on

from ecbench.runs.errors import RunError
from ecbench.runs.play.episodes import Result
from ecbench.runs.workers import get_executor
from ecbench.world.model import World


def test_processes_play_the_same_years_as_this_process(new_run: NewRun, world: World) -> None:
    here, there = new_run(episodes=3, days=60, name="here"), new_run(episodes=3, days=60, name="there")
    for run, executor in ((here, "inline"), (there, "processes")):
        diary = Diary()
        results = play_on(executor, run, diary)
        assert sorted(result.episode for result in results) == [0, 1, 2]
        assert sorted(diary.openings) == [0, 1, 2]
        assert {episode for episode, _ in diary.states} == {0, 1, 2}
    for episode in range(3):
        assert files_of(here, episode) == files_of(there, episode)


def test_a_worker_that_is_killed_is_replaced_and_its_year_goes_on(
    new_run: NewRun, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOOMED_LIVES", str(tmp_path / "lives"))
    run, diary = new_run("Doomed"), Diary()
    (result,) = play_on("processes", run, diary)
    assert result.end is not None and result.end.ending == "bankruptcy"
    assert len((tmp_path / "lives").read_text().split()) == 2
    assert diary.openings[0].turns == 100
    monkeypatch.setenv("DOOMED_LIVES", str(tmp_path / "nine-lives"))
    (tmp_path / "nine-lives").write_text("0\n")
    never_killed = new_run("Doomed", name="never-killed")
    play_on("inline", never_killed, diary, jobs=1)
    assert files_of(run) == files_of(never_killed)


def test_a_year_that_always_kills_its_worker_is_given_up(new_run: NewRun, world: World, tmp_path: Path) -> None:
    fatal = tmp_path / "fatal.py"
    fatal.write_text(
        "import os\nclass Fatal:\n    def play(self, schemas):\n        yield os.kill(os.getpid(), 9)\n",
        encoding="utf-8",
    )
    run, diary = new_run(f"{fatal}:Fatal"), Diary()
    (result,) = play_on("processes", run, diary)
    lost = "its worker was lost 3 times in a row without progress (exit code -9); ecbench resume tries again"
    assert result == Result(0, problem=lost)


def test_a_stop_ends_the_years_that_play_and_begins_no_other(new_run: NewRun, world: World) -> None:
    run, diary = new_run(episodes=4, days=150), Diary(stop_on_day=1)
    results = play_on("processes", run, diary)
    assert {result.end.ending for result in results if result.end} == {"stopped"}
    assert 1 <= len(results) <= 2
    whole, diary = new_run(episodes=4, days=150, name="whole"), Diary()
    for each in (run, whole):
        play_on("inline", each, diary, jobs=1)
    for episode in range(4):
        assert files_of(run, episode) == files_of(whole, episode)


def test_an_unknown_executor_is_refused_with_the_known_ones() -> None:
    for name in ("cloud", ":", ":Cloud", "cloud:"):
        with pytest.raises(RunError, match="there are inline, concurrent, processes, ray, or module:Class of your own"):
            get_executor(name)
    with pytest.raises(RunError, match="has no class 'Cloud'"):
        get_executor("ecbench.runs.workers.inline:Cloud")
    with pytest.raises(RunError, match="No module named 'nowhere'"):
        get_executor("nowhere:Cloud")
    with pytest.raises(RunError, match="executor os:path cannot be loaded: os has no class 'path'"):
        get_executor("os:path")
    with pytest.raises(RunError, match=r"an executor needs a method run\(self, queue\)"):
        get_executor("json:JSONDecoder")


def test_an_executor_that_exits_as_it_is_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quitting_executor.py").write_text(
        "class Quits:\n    def __init__(self):\n        raise SystemExit(3)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    message = "executor quitting_executor:Quits cannot be loaded: SystemExit: 3 (quitting_executor.py, line 3)"
    with pytest.raises(RunError, match=re.escape(message)):
        get_executor("quitting_executor:Quits")


def test_an_executor_of_the_user_plays_the_same_years(new_run: NewRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    here, there = new_run(episodes=3, days=60, name="here"), new_run(episodes=3, days=60, name="there")
    play_on("inline", here)
    assert len(play_on("my_executor:Threads", there)) == 3
    for episode in range(3):
        assert files_of(here, episode) == files_of(there, episode)
