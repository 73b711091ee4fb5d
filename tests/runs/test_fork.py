"""A recorded year that another agent takes over."""

from pathlib import Path

import pytest
from tests.runs.conftest import MERCHANTS, Diary, NewRun, Play, files_of

from ecbench.runs.folder import Run
from ecbench.runs.fork import fork_run
from ecbench.runs.play import replay_year
from ecbench.runs.problems import RunError
from ecbench.runs.session import read_episode
from ecbench.world.model import World

SLEEPER = f"{MERCHANTS}:Sleeper"


@pytest.fixture
def traded(new_run: NewRun, play: Play) -> Run:
    run = new_run()
    play(run)
    return run


def forked(run: Run, day: int, agent: str = SLEEPER, name: str = "fork") -> Run:
    return fork_run(run, run.folder.with_name(name), episode=0, day=day, agent=agent, model={})


def test_the_other_agent_finds_the_books_of_that_morning(traded: Run, play: Play) -> None:
    fork = forked(traded, 100)
    diary = Diary()
    result = play(fork, diary=diary)
    original, taken_over = read_episode(traded, 0), read_episode(fork, 0)
    turns = diary.openings[0].turns
    assert taken_over.states[:turns] == original.states[:turns]
    assert taken_over.states[turns - 1].day == 100 and taken_over.states[turns - 2].day == 99
    assert [call["name"] for call in taken_over.turns[turns].calls] == ["check_balance", "wait_for_next_day"]
    assert result.end is not None and result.end.day > 100


def test_a_fork_is_resumed_and_verified_like_any_run(traded: Run, play: Play, world: World) -> None:
    whole, broken = forked(traded, 50, name="whole"), forked(traded, 50, name="broken")
    play(whole)
    play(broken, diary=Diary(stop_on_day=80))
    play(broken)
    assert files_of(broken) == files_of(whole)
    assert replay_year(whole.terms, 0, world, read_episode(whole, 0)).end.resumable is False


def test_a_fork_on_day_0_is_the_other_agents_whole_year(traded: Run, new_run: NewRun, play: Play) -> None:
    fork, own = forked(traded, 0), new_run("Sleeper", name="own")
    play(fork)
    play(own)
    assert read_episode(fork, 0).states == read_episode(own, 0).states


def test_a_fork_of_a_fork_keeps_both_agents_turns(traded: Run, play: Play) -> None:
    first = forked(traded, 30, name="first")
    play(first)
    second = forked(first, 60, agent=traded.terms.agent, name="second")
    play(second)
    assert read_episode(second, 0).states[: second.terms.fork.turns if second.terms.fork else 0] == [
        state for state in read_episode(first, 0).states if state.turn <= (second.terms.fork or pytest.fail()).turns
    ]


@pytest.mark.parametrize("day", [365, 400])
def test_a_day_that_the_year_did_not_reach_is_refused(traded: Run, day: int) -> None:
    with pytest.raises(RunError, match=f"can be forked at days 0 to 364, not {day}"):
        forked(traded, day)
    assert not traded.folder.with_name("fork").exists()


def test_an_episode_that_does_not_exist_is_refused(traded: Run, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="has no episode 3; its episodes are 0 to 0"):
        fork_run(traded, tmp_path / "fork", episode=3, day=1, agent=SLEEPER, model={})


def test_the_whole_turns_of_a_damaged_record_can_be_forked(traded: Run, play: Play) -> None:
    path = traded.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"day":200,"bank"', b'"day":200,"Bank"', 1))
    result = play(forked(traded, 199))
    assert result.end is not None
    with pytest.raises(RunError, match="edited or damaged"):
        forked(traded, 201, name="late")
