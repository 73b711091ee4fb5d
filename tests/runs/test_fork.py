"""A recorded year that another agent takes over."""

import pytest
from tests.cli.command import Command
from tests.runs.conftest import MERCHANTS, Diary, NewRun, Play, files_of

from ecbench.errors import RunError
from ecbench.harness.brief import system_message
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.play.recorded_table import RecordedTable, replay_episode
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.world.model import World

SLEEPER = f"{MERCHANTS}:Sleeper"


def forked(run: Run, day: int, agent: str = SLEEPER, name: str = "fork") -> Run:
    return take_over(run, episode=0, day=day, agent=agent, model={}).create_in(run.folder.with_name(name))


def test_the_other_agent_finds_the_books_of_that_morning(played: Run, play: Play) -> None:
    fork = forked(played, 100)
    diary = Diary()
    result = play(fork, diary=diary)
    original, taken_over = read_episode(played, 0), read_episode(fork, 0)
    turns = diary.openings[0].turns
    assert taken_over.states[:turns] == original.states[:turns]
    assert taken_over.states[turns - 1].day == 100 and taken_over.states[turns - 2].day == 99
    assert [call["name"] for call in taken_over.turns[turns].calls] == ["check_balance", "wait_for_next_day"]
    assert result.end is not None and result.end.day > 100


def test_a_fork_is_resumed_and_verified_like_any_run(new_run: NewRun, play: Play, world: World) -> None:
    played = new_run(rule_set="fair")
    play(played)
    whole, broken = forked(played, 50, name="whole"), forked(played, 50, name="broken")
    play(whole)
    play(broken, diary=Diary(stop_on_day=80))
    play(broken)
    assert files_of(broken) == files_of(whole)
    assert replay_episode(whole.terms, 0, world, read_episode(whole, 0)).ends[0].resumable is False


def test_a_fork_has_the_turns_that_were_left(new_run: NewRun, play: Play, world: World) -> None:
    """Ten turns, of which a sleeper that reads its balance and waits has used four by day 4."""
    slept = new_run("Sleeper", max_turns=10)
    play(slept)
    fork = forked(slept, 4)
    table = RecordedTable(fork.terms, 0, world, read_episode(fork, 0), recorded_voice(fork.terms, []))
    table.catch_up()
    assert (table.seats[0].turns, table.seats[0].max_turns) == (4, 10)
    brief = brief_of(fork.terms, 0, world, table.seats[0].turns)
    assert brief.max_turns == 6
    assert "There are at most 6 turns." in system_message(brief)
    result = play(fork)
    assert result.end is not None
    assert (result.end.ending, result.end.turns, result.end.day) == ("turn_limit", 10, 10)


@pytest.mark.parametrize("left", [0, 1, 20])
def test_a_fork_that_lacks_what_it_took_over_is_refused_and_never_played_from_day_0(
    capsys: pytest.CaptureFixture[str], played: Run, play: Play, left: int
) -> None:
    fork = forked(played, 100)
    events = fork.events_path(0)
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:left]))
    before = files_of(fork)
    assert "lacks turns that it took over: it has " in play(fork).problem
    for command in ("resume", "show"):
        refused = Command(capsys, command, str(fork.folder))
        assert refused.code == 2 and "fork the original run again" in refused.err
    assert Command(capsys, "resume", str(fork.folder), "--salvage").code == 2
    assert files_of(fork) == before


@pytest.mark.parametrize("day", [365, 400])
def test_a_day_that_the_year_did_not_reach_is_refused(played: Run, day: int) -> None:
    with pytest.raises(RunError, match=f"can be forked at days 0 to 364, not {day}"):
        forked(played, day)
    assert not played.folder.with_name("fork").exists()


def test_the_whole_turns_of_a_damaged_record_can_be_forked(played: Run, play: Play) -> None:
    path = played.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"day":200,"bank"', b'"day":200,"Bank"', 1))
    result = play(forked(played, 199))
    assert result.end is not None
    with pytest.raises(RunError, match="edited or damaged"):
        forked(played, 201, name="late")
