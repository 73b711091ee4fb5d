"""A year from its first turn to its end, and on from wherever it stopped."""

import json

import pytest
from tests.cli.command import Command
from tests.runs.conftest import Diary, NewRun, Play, files_of

from ecbench.episode import Episode
from ecbench.runs.folder import Run
from ecbench.runs.record.reader import read_record
from ecbench.runs.results.derived_files import DERIVED
from ecbench.world.model import World


def recorded_calls(run: Run) -> list[list[dict[str, object]]]:
    return [list(turn.calls) for turn in read_record(run.events_path(0).read_bytes(), "events").turns]


def test_the_record_alone_gives_the_same_year_to_the_cent(new_run: NewRun, play: Play, world: World) -> None:
    run = new_run()
    result = play(run)
    year = Episode(world, stake=100_000.0)
    for calls in recorded_calls(run):
        year.act(calls)
    assert result.end is not None
    assert (result.end.ending, result.end.day) == ("year_end", 365)
    assert result.end.final_assets == year.bank + year.wallet + year.escrow
    [metrics] = json.loads(files_of(run)["metrics.json"])["seats"]
    report = year.report()
    del report["negotiation"]["per_negotiation"]  # which results.db contains
    assert {name: metrics[name] for name in report} == json.loads(json.dumps(report))


@pytest.mark.parametrize("day", [0, 77, 364])
def test_a_year_stopped_on_any_day_and_resumed_is_the_year_never_stopped(new_run: NewRun, play: Play, day: int) -> None:
    whole, broken = new_run(name="whole"), new_run(name="broken")
    play(whole)
    stopped = play(broken, diary=Diary(stop_on_day=day))
    assert stopped.end is not None and stopped.end.ending == "stopped" and stopped.end.resumable
    assert json.loads(files_of(broken)["metrics.json"])["seats"][0]["run"]["ending"] == "stopped"
    again = Diary()
    play(broken, diary=again)
    assert again.openings[0].turns == stopped.end.turns
    assert files_of(broken) == files_of(whole)


def test_a_finished_year_is_left_alone(new_run: NewRun, play: Play) -> None:
    run = new_run("Sleeper")
    first = play(run)
    before = files_of(run)
    diary = Diary()
    assert play(run, diary=diary) == first
    assert files_of(run) == before
    assert diary.states == []


@pytest.mark.parametrize(("agent", "turns"), [("Quitter", 3), ("Silent", 4)])
def test_a_merchant_that_stops_trading_ends_the_year_as_idle(
    new_run: NewRun, play: Play, agent: str, turns: int
) -> None:
    result = play(new_run(agent))
    assert result.end is not None
    assert (result.end.ending, result.end.turns, result.end.resumable) == ("idle", turns, False)


def test_a_merchant_that_changes_its_mind_cannot_be_resumed_and_loses_nothing(new_run: NewRun, play: Play) -> None:
    run = new_run("Moody")
    play(run, diary=Diary(stop_on_day=20))
    before = files_of(run)
    result = play(run)
    assert result.end is None
    assert result.problem.startswith("episode 0, turn 1, call 1: the record has ")
    assert "an agent must answer the same replies with the same calls" in result.problem
    assert files_of(run) == before


def test_derived_files_of_another_end_are_recomputed_and_their_figures_never_shown(
    capsys: pytest.CaptureFixture[str], new_run: NewRun, play: Play
) -> None:
    whole, stopped = new_run(days=60, name="whole"), new_run(days=60)
    play(whole)
    play(stopped, diary=Diary(stop_on_day=30))
    new, old, folder = files_of(whole), files_of(stopped), stopped.episode_folder(0)
    stopped.events_path(0).write_bytes(new["events.jsonl"])
    for names in (*((name,) for name in DERIVED), DERIVED, None):  # the files that are old; None: all are missing
        for name in DERIVED:
            if names is None:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes((old if name in names else new)[name])
        summary = json.loads(Command(capsys, "resume", str(stopped.folder), "--quiet", "--json").out)
        assert summary["axes"]["final_assets"] == summary["episodes"][0]["final_assets"]
        assert files_of(stopped) == new, f"old were {names}"
