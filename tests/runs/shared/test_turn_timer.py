"""Seats that keep the others waiting: reported, and dismissed after the seconds that the terms give them."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.runs.conftest import TRADER, Diary, NewRun, files_of, play_episode, verify
from tests.runs.lives import PATIENCE_SECONDS, Life
from tests.runs.shared.markets import WAIT, endings, under_way

from ecbench.adapters.instructions import detail
from ecbench.cli.progress import how_it_ended
from ecbench.players import turn_timer
from ecbench.runs.folder import open_run
from ecbench.runs.record.reader import read_record
from ecbench.runs.results.derived_files import METRICS

HANGING = Path(__file__).with_name("hanging.py")


class Enough(BaseException):
    """Also for merchants that handle every exception."""


@pytest.fixture(autouse=True)
def _no_merchant_hangs_for_ever() -> Iterator[None]:
    """What is tested here is what keeps the test from hanging."""

    def interrupt(*_: object) -> None:
        raise Enough

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def hanging(name: str) -> str:
    return f"{HANGING}:{name}"


@pytest.mark.parametrize("name", ["Looper", "Dozer", "Stubborn"])
def test_a_merchant_that_never_yields_leaves_and_the_others_play_on(new_arena: NewRun, name: str) -> None:
    run = new_arena(TRADER, hanging(name), days=8, turn_seconds=1.0)
    result = play_episode(run)
    assert endings(result) == ["year_end", "failed"]
    assert result.ends[1].reason == "it gave no turn within 1 s, in turn 3"
    before = files_of(run)
    verify(run)
    for path in run.folder.rglob(METRICS):
        path.unlink()
    assert endings(play_episode(open_run(run.folder))) == ["year_end", "failed"]  # the merchant is not asked again
    assert files_of(run) == before


def test_merchant_that_does_not_close_does_not_delay_the_run(new_arena: NewRun) -> None:
    run = new_arena(hanging("Clinging"), "idle", days=3, turn_seconds=1.0)
    assert endings(play_episode(run)) == ["year_end", "year_end"]


def test_a_silent_external_agent_leaves_and_the_others_play_on(new_arena: NewRun) -> None:
    run = new_arena("http", TRADER, days=6, turn_seconds=1.0)
    with under_way(run) as market:
        market.sit_down(0).take(WAIT)
        assert endings(market.result()) == ["failed", "year_end"]
        end = market.sit_down(0).session.end
        assert end is not None
        assert detail(end) == "it gave no turn within 1 s, in turn 2, on day 1, with ¥100,000.00"
        assert how_it_ended(end) == "failed on day 1 with ¥100,000 (it gave no turn within 1 s, in turn 2)"
    verify(run)


def test_a_seat_that_keeps_the_others_waiting_is_reported(new_arena: NewRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_timer, "FIRST_NOTICE_SECONDS", 0.2)
    run, diary = new_arena("idle", hanging("Dozer"), days=8, turn_seconds=1.0), Diary()
    play_episode(run, diary=diary)
    assert {(turn.seat, turn.day, turn.waits) for turn in diary.slow_turns} == {(1, 2, False)}
    assert all(turn.seconds >= 0.2 for turn in diary.slow_turns)


@pytest.mark.parametrize(("jobs", "name"), [(1, "Looper"), (2, "Dozer")])  # two that loop would keep two cores busy
def test_one_signal_ends_an_arena_in_which_a_merchant_hangs(
    small_world: Path, tmp_path: Path, jobs: int, name: str
) -> None:
    terms = ("--worlds", str(small_world), "--days", "5", "--rounds", str(jobs), "--jobs", str(jobs))
    folder = tmp_path / "a"
    seats = ("--seats", f"{hanging(name)},{TRADER}")
    life = Life("arena", *seats, *terms, "--out", str(folder), log=tmp_path / "log")
    record = folder / "episodes/0/events.jsonl"
    limit = time.monotonic() + PATIENCE_SECONDS
    while life.running and time.monotonic() < limit:
        if record.exists() and len(read_record(record.read_bytes(), "").states_of(0)) == 2:
            break  # and now it hangs
        time.sleep(0.01)
    life.send(signal.SIGINT)
    assert life.end() == 130, life.said
    assert f"Continue with: ecbench resume {folder}" in life.said and "Traceback" not in life.said
    assert not life.orphans()
    verify(open_run(folder))
    resumed = Life("resume", str(folder), "--turn-seconds", "1", "--jobs", str(jobs), log=tmp_path / "log")
    assert resumed.end() == 1, resumed.said
    assert f"(hanging.py:{name}), day 2: it gave no turn within 1 s, in turn 3\n" in resumed.said
    for episode in range(jobs):
        verify(open_run(folder), episode)


def test_an_arena_with_a_limit_in_whole_seconds_is_verified(tmp_path: Path, capsys: Any) -> None:
    out = str(tmp_path / "arena")
    terms = ("--days", "2", "--turn-seconds", "20", "--out", out, "-q")
    assert Command(capsys, "arena", "--seats", "idle,idle", *terms).code == 0
    assert Command(capsys, "verify", out).code == 0
