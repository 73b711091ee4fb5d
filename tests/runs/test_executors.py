"""Where episodes are played makes no difference to them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.runs.conftest import Diary, NewRun, files_of, play_on
from tests.runs.lives import PATIENCE_SECONDS

from ecbench.errors import RunError
from ecbench.runs.play.play_here import choose_executor
from ecbench.runs.terms import worlds_at
from ecbench.world.model import World
from ecbench.world.save import save_world


def test_every_executor_plays_the_same_years_each_on_its_own_world(
    new_run: NewRun, world: World, tmp_path: Path, elsewhere: str
) -> None:
    save_world(replace(world, name="second", seed=6), tmp_path / "second")
    here, there = new_run(episodes=3, days=40, name="here"), new_run(episodes=3, days=40, name="there")
    for run, executor in ((here, "here"), (there, elsewhere)):
        both, diary = run.stating(worlds=(*run.worlds, *worlds_at([str(tmp_path / "second")]))), Diary()
        results = play_on(executor, both, diary)
        assert sorted(result.episode for result in results) == sorted(diary.openings) == [0, 1, 2]
        assert {episode for episode, _ in diary.states} == (set() if executor == "ray" else {0, 1, 2})
    for episode in range(3):
        assert files_of(here, episode) == files_of(there, episode)
    assert files_of(here, 0)["results.db"] != files_of(here, 1)["results.db"]


def test_a_worker_that_is_killed_is_replaced_and_its_year_is_played_to_its_end(
    new_run: NewRun, lives_file: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: str
) -> None:
    """In worker processes it continues after its recorded turns, on a cluster it is played again."""
    lives_file.unlink(missing_ok=True)
    monkeypatch.setenv("DOOMED_LIVES", str(lives_file))
    run, diary = new_run("Doomed"), Diary()
    (result,) = play_on(elsewhere, run, diary)
    assert result.end is not None and result.end.ending == "bankruptcy"
    assert len(set(lives_file.read_text().split())) == 2
    if elsewhere == "processes":
        assert 50 <= diary.openings[0].turns <= 100
        assert [state.day for _, state in diary.states] == list(range(1, result.end.day + 1))
    never_killed = new_run("Doomed", name="never-killed")
    play_on("here", never_killed)
    assert files_of(run) == files_of(never_killed)


SLOW = """
import time
from pathlib import Path

class Slow:
    def play(self, schemas):
        for day in range(366):
            Path(__file__).with_name("playing").touch()
            time.sleep(0.02)
            yield [{"name": "wait_for_next_day", "arguments": {}}]
"""


def test_a_stop_ends_the_years_that_play_and_begins_no_other(new_run: NewRun, tmp_path: Path, elsewhere: str) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    agent, diary = f"{tmp_path / 'slow.py'}:Slow", Diary()
    run, whole = (new_run(agent, episodes=4, days=60, name=name) for name in ("run", "whole"))

    def stop() -> None:
        limit = monotonic() + PATIENCE_SECONDS
        while not (tmp_path / "playing").exists() and monotonic() < limit:
            sleep(0.01)
        diary.stop.request()

    with ThreadPoolExecutor() as stopping:
        stopping.submit(stop)
        results = play_on(elsewhere, run, diary)
    assert len(results) == 0 if elsewhere == "ray" else 1 <= len(results) <= 2
    ends = [result.end for result in results if result.end]
    assert all(end.ending == "stopped" and end.turns < 60 for end in ends) and (not ends or any(e.turns for e in ends))
    for each in (run, whole):
        play_on("here", each)
    for episode in range(4):
        assert files_of(run, episode) == files_of(whole, episode)


def test_an_episode_that_cannot_be_played_has_a_problem_in_place_of_an_end(new_run: NewRun, elsewhere: str) -> None:
    (result,) = play_on(elsewhere, new_run(f"{Path(__file__).with_name('absent.py')}:Nobody"))
    assert result.end is None and result.problem.startswith("no Python file at ")


@pytest.mark.parametrize("name", ["cloud", ":", "os:path", ""])
def test_an_unknown_executor_is_refused_with_the_known_ones(new_run: NewRun, name: str) -> None:
    with pytest.raises(RunError, match=r"there are processes and ray$"):
        choose_executor(name, new_run().terms)
