"""Several agents in one market: one record for all seats, resumed, replayed, verified and forked."""

import json
from pathlib import Path

import pytest
from tests.runs.conftest import MERCHANTS, TRADER, Diary, NewRun, files_of, play_episode, verify
from tests.runs.dying import dying
from tests.runs.shared.markets import endings

from ecbench.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.fork import take_over
from ecbench.runs.results.derived_files import METRICS
from ecbench.runs.results.year_view import view_year


def test_turns_stand_in_the_order_in_which_they_acted(new_arena: NewRun) -> None:
    """The earliest clock acts next; a turn that waits for the morning is handed in first and completed later."""
    run = new_arena("idle", "idle", days=3)
    play_episode(run)
    kinds = [(entry.kind, entry.seat) for entry in read_episode(run, 0).entries]
    assert kinds[:3] == [("handed", 0), ("turn", 1), ("morning", 0)]
    assert kinds[3:6] == [("handed", 1), ("turn", 0), ("morning", 1)]


def test_everybody_moves_on_by_one_seat_after_each_episode(new_arena: NewRun) -> None:
    names = [TRADER, "idle", f"{MERCHANTS}:Sleeper"]
    run = new_arena(*names, episodes=2, days=4)
    for episode in range(2):
        play_episode(run, episode)
    agents = [[seat.agent for seat in run.terms_of(episode).seats] for episode in range(2)]
    assert agents == [names, [names[2], *names[:2]]]
    assert [run.of_entry(1).seat(episode) for episode in range(2)] == [1, 2]


def test_a_stopped_episode_is_resumed_to_the_same_files(new_arena: NewRun) -> None:
    whole, stopped = new_arena(TRADER, TRADER, "idle", name="whole"), new_arena(TRADER, TRADER, "idle", name="stopped")
    play_episode(whole)
    halted = play_episode(stopped, diary=Diary(stop_on_day=8))
    assert not halted.over and endings(halted) == ["stopped"] * 3
    assert play_episode(open_run(stopped.folder)).over
    assert files_of(stopped) == files_of(whole)


def test_a_merchant_that_stops_or_fails_leaves_the_market_and_the_others_play_on(
    new_arena: NewRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy").touch()
    run = new_arena("Quitter", "Clumsy", TRADER)
    result = play_episode(run)
    assert endings(result) == ["idle", "failed", "year_end"]
    reason = result.ends[1].reason
    assert "no such shelf" in reason and "merchants.py, line" in reason and "in turn 6" in reason
    verify(run)
    (tmp_path / "clumsy").unlink()  # mended: what the others were answered rests on its departure all the same
    for path in run.folder.rglob(METRICS):
        path.unlink()
    assert endings(play_episode(run)) == ["idle", "failed", "year_end"]


def test_every_seat_has_its_own_rows(new_arena: NewRun) -> None:
    run = new_arena(TRADER, "idle", days=6)
    ends = play_episode(run).ends
    trader, idle = (view_year(run.at_seat(0, seat), 0) for seat in (0, 1))
    assert {row.tool for row in idle.tables.calls} == {"wait_for_next_day"} < {row.tool for row in trader.tables.calls}
    assert [view.tables.days[-1].total for view in (trader, idle)] == [end.final_assets for end in ends]


def test_seats_in_another_order_are_refused(new_arena: NewRun) -> None:
    run = new_arena(TRADER, "idle", days=6)
    play_episode(run)
    path = run.folder / "run.json"
    manifest = json.loads(path.read_text())
    manifest["seats"].reverse()
    path.write_text(json.dumps(manifest))
    with pytest.raises(RunError, match="was recorded with seats"):
        read_episode(open_run(run.folder), 0)


@pytest.mark.parametrize("step", [9, 40, 90])
def test_an_arena_that_dies_at_any_change_of_the_disk_is_resumed_to_the_same_files(
    new_arena: NewRun, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    whole, broken = (new_arena(TRADER, TRADER, "idle", name=name) for name in ("whole", "broken"))
    play_episode(whole)
    for at in (step, 2 * step // 3):
        with dying(monkeypatch, at) as death:
            play_episode(open_run(broken.folder))
        assert death.struck
    assert play_episode(open_run(broken.folder)).over
    assert files_of(broken) == files_of(whole)


def test_another_agent_takes_a_seat_over_and_the_others_play_on(new_arena: NewRun, tmp_path: Path) -> None:
    run = new_arena(TRADER, TRADER, "idle")
    play_episode(run)
    forked = take_over(run, episode=0, seat=1, day=8, agent="idle", model={}).create_in(tmp_path / "fork")
    result = play_episode(forked)
    assert result.over
    verify(forked)
    fork = forked.terms.fork
    assert fork is not None and (fork.seat, fork.day) == (1, 8)
    original, other = read_episode(run, 0).turns[: fork.turns], read_episode(forked, 0).turns
    assert [turn.calls for turn in original] == [turn.calls for turn in other[: fork.turns]]
    taken = [call["name"] for turn in other[fork.turns :] if turn.seat == 1 for call in turn.calls]
    assert set(taken) == {"wait_for_next_day"}
    again = take_over(run, episode=0, seat=2, day=8, agent="idle", model={}).create_in(tmp_path / "same")
    play_episode(again)
    metrics = [json.loads((each.episode_folder(0) / METRICS).read_text())["seats"][0] for each in (run, again)]
    assert metrics[0] == metrics[1]


def test_a_fork_is_forked_at_its_own_seat_alone(new_arena: NewRun, tmp_path: Path) -> None:
    run = new_arena(TRADER, "Quitter", "idle")
    play_episode(run)
    first = take_over(run, episode=0, seat=0, day=8, agent="idle", model={}).create_in(tmp_path / "first")
    play_episode(first)
    with pytest.raises(RunError, match="is a fork at seat 0, and can be forked at that seat alone"):
        take_over(first, episode=0, seat=2, day=12, agent=TRADER, model={})
    again = take_over(first, episode=0, seat=0, day=14, agent=TRADER, model={}).create_in(tmp_path / "again")
    play_episode(again, diary=Diary(stop_on_day=15))
    assert endings(play_episode(open_run(again.folder))) == ["year_end", "idle", "year_end"]
    verify(again)


def test_a_seat_that_has_left_or_is_bankrupt_cannot_be_taken_over(new_arena: NewRun) -> None:
    run = new_arena("Quitter", "idle", TRADER, days=40, stake=10_000.0)
    ends = play_episode(run).ends
    assert [end.ending for end in ends] == ["idle", "bankruptcy", "year_end"]
    for seat in (0, 1):
        day = ends[seat].day
        assert 0 < day < 38
        take_over(run, episode=0, seat=seat, day=day - 1, agent="idle", model={})
        with pytest.raises(
            RunError, match=rf"the episode of seat {seat} was over .* day {day + 1} \({ends[seat].ending}"
        ):
            take_over(run, episode=0, seat=seat, day=day + 1, agent="idle", model={})
