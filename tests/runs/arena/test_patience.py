"""Seats that keep the others waiting: named, and let go after the seconds that the terms give them."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ecbench.runs.arena import patience
from ecbench.runs.arena.folder import open_arena
from ecbench.runs.arena.verify import verify_round
from tests.cli.command import Command
from tests.runs.arena.table import WAIT, under_way
from tests.runs.arena.test_rounds import NewArena, Onlooker, endings, files_of, new_arena, play
from tests.runs.conftest import TRADER
from tests.runs.lives import PATIENCE_SECONDS, Life

from ecbench.adapters.instructions import detail
from ecbench.cli.progress import how_it_ended

__all__ = ["new_arena"]

HANGING = Path(__file__).with_name("hanging.py")


class Enough(BaseException):
    """Also for merchants that take every error for one of their own."""


@pytest.fixture(autouse=True)
def _no_merchant_hangs_for_ever() -> Iterator[None]:
    """What is tested here is what keeps the test from hanging."""

    def strike(*_: object) -> None:
        raise Enough

    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def hanging(name: str) -> str:
    return f"{HANGING}:{name}"


@pytest.mark.parametrize("name", ["Looper", "Dozer", "Stubborn"])
def test_a_merchant_that_never_yields_leaves_and_the_others_play_on(new_arena: NewArena, name: str) -> None:
    run = new_arena(TRADER, hanging(name), days=8, turn_seconds=1.0)
    result = play(run)
    assert endings(result) == ["year_end", "failed"]
    reason = result.seats[1].end.reason if result.seats[1].end else ""
    assert reason == "it gave no turn within 1 s, in turn 3"
    before = files_of(run)
    assert verify_round(run, 0)[0] == ""
    for path in run.round_folder(0).rglob("seal.json"):
        path.unlink()
    assert endings(play(open_arena(run.folder))) == ["year_end", "failed"]  # the merchant is not asked again
    assert files_of(run) == before


def test_a_merchant_that_does_not_leave_holds_nobody_up(new_arena: NewArena) -> None:
    run = new_arena(hanging("Clinging"), "idle", days=3, turn_seconds=1.0)
    assert endings(play(run)) == ["year_end", "year_end"]


def test_a_silent_visitor_leaves_and_the_others_play_on(new_arena: NewArena) -> None:
    run = new_arena("http", TRADER, days=6, turn_seconds=1.0)
    with under_way(run) as table:
        table.sit_down(0).take(WAIT)
        assert endings(table.result()) == ["failed", "year_end"]
        told = table.sit_down(0).visit.result
        assert told and told.end
        assert detail(told.end) == "it gave no turn within 1 s, in turn 2, on day 1, with ¥100,000.00"
        assert how_it_ended(told.end) == "failed on day 1 with ¥100,000 (it gave no turn within 1 s, in turn 2)"
    assert verify_round(run, 0)[0] == ""


def test_whoever_keeps_the_others_waiting_is_named(new_arena: NewArena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_WORD_SECONDS", 0.2)
    run, told = new_arena("idle", hanging("Dozer"), days=8, turn_seconds=1.0), Onlooker()
    play(run, onlooker=told)
    assert {(number, seat, wait.day, wait.thinks) for number, seat, wait in told.waits} == {(0, 1, 2, False)}
    assert all(wait.seconds >= 0.2 for _, _, wait in told.waits)


@pytest.mark.parametrize(("jobs", "name"), [(1, "Looper"), (2, "Dozer")])  # two that loop would keep two cores busy
def test_one_signal_ends_an_arena_in_which_a_merchant_hangs(
    small_world: Path, tmp_path: Path, jobs: int, name: str
) -> None:
    terms = ("--worlds", str(small_world), "--days", "5", "--rounds", str(jobs), "--jobs", str(jobs))
    folder = tmp_path / "a"
    seats = ("--seats", f"{hanging(name)},{TRADER}")
    life = Life("arena", *seats, *terms, "--out", str(folder), log=tmp_path / "log")
    record = folder / "rounds/0/seats/0/episodes/0/events.jsonl"
    limit = time.monotonic() + PATIENCE_SECONDS
    while life.running and time.monotonic() < limit:
        if record.exists() and record.read_bytes().count(b'{"event":"state"') == 2:
            break  # and now it hangs
        time.sleep(0.01)
    life.send(signal.SIGINT)
    assert life.end() == 130, life.said
    assert f"Continue with: ecbench resume {folder}" in life.said and "Traceback" not in life.said
    assert not life.orphans()
    assert verify_round(open_arena(folder), 0)[0] == ""
    resumed = Life("resume", str(folder), "--turn-seconds", "1", "--jobs", str(jobs), log=tmp_path / "log")
    assert resumed.end() == 1, resumed.said
    assert f"(hanging.py:{name}), day 2: it gave no turn within 1 s, in turn 3\n" in resumed.said
    assert [verify_round(open_arena(folder), number)[0] for number in range(jobs)] == [""] * jobs


@pytest.mark.parametrize("seconds", ["0", "x", "604801"])
def test_seconds_out_of_range_are_refused(seconds: str, tmp_path: Path, capsys: Any) -> None:
    told = Command(capsys, "arena", "--seats", "idle,idle", "--turn-seconds", seconds, "--out", str(tmp_path / "a"))
    assert told.code == 2 and not (tmp_path / "a").exists()
