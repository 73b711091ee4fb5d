"""Episodes on a Ray cluster: two workers on this machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.runs.conftest import Diary, NewRun, files_of

from ecbench.runs.executors import Work, get_executor
from ecbench.world.model import World

ray: Any = pytest.importorskip("ray", reason="the extra `ray` is not installed")


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lives") / "lives"


@pytest.fixture(scope="module", autouse=True)
def _cluster(lives: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            runtime_env={"env_vars": {"DOOMED_LIVES": str(lives)}},
        )
        yield
        ray.shutdown()


def test_workers_play_the_same_years_as_this_process(new_run: NewRun, world: World) -> None:
    here, there = new_run(episodes=3, days=60, name="here"), new_run(episodes=3, days=60, name="there")
    for run, executor in ((here, "inline"), (there, "ray")):
        diary = Diary()
        results = get_executor(executor).play(Work(run, range(3), world, 2, diary, diary.stop))
        assert sorted(result.episode for result in results) == [0, 1, 2]
        assert {episode for episode, _ in diary.states} == {0, 1, 2}
    for episode in range(3):
        assert files_of(here, episode) == files_of(there, episode)


def test_the_year_of_a_lost_worker_goes_on_elsewhere(new_run: NewRun, world: World, lives: Path) -> None:
    run, diary = new_run("Doomed"), Diary()
    (result,) = get_executor("ray").play(Work(run, [0], world, 2, diary, diary.stop))
    assert result.end is not None and result.end.ending == "bankruptcy"
    first, second = lives.read_text().split()
    assert first != second
    assert 50 <= diary.openings[0].turns <= 100
    days = [state.day for _, state in diary.states]
    assert days == list(range(1, result.end.day + 1))


def test_a_stop_reaches_the_workers_and_the_year_goes_on_in_this_process(new_run: NewRun, world: World) -> None:
    run, whole = new_run(days=200), new_run(days=200, name="whole")
    diary = Diary(stop_on_day=20)
    (result,) = get_executor("ray").play(Work(run, [0], world, 1, diary, diary.stop))
    assert result.end is not None and result.end.ending == "stopped"
    for each in (run, whole):
        diary = Diary()
        get_executor("inline").play(Work(each, [0], world, 1, diary, diary.stop))
    assert files_of(run) == files_of(whole)


def test_what_a_run_cannot_go_on_with_is_told_here(new_run: NewRun, world: World) -> None:
    run, diary = new_run(f"{Path(__file__).with_name('absent.py')}:Nobody"), Diary()
    (result,) = get_executor("ray").play(Work(run, [0], world, 1, diary, diary.stop))
    assert result.end is None
    assert result.problem.startswith("no Python file at ")
