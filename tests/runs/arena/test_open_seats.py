"""Seats of an arena that are played from outside: the round waits for what is handed in, and records it."""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.runs.arena.test_rounds import NewArena, Onlooker, endings, files_of, new_arena, play
from tests.runs.conftest import TRADER

from ecbench.agents.driver import begin_play
from ecbench.agents.registry import get_merchant
from ecbench.runs.arena.folder import ArenaRun, create_arena, open_arena
from ecbench.runs.arena.fork import fork_round
from ecbench.runs.arena.open_seats import VisitedSeat, open_seats_of
from ecbench.runs.arena.play import RoundResult, play_round
from ecbench.runs.arena.verify import verify_round
from ecbench.runs.folder import open_run
from ecbench.runs.problems import RunError
from ecbench.runs.session import read_episode

__all__ = ["new_arena"]

SECONDS = 60
WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "check_balance", "arguments": {}}


@contextmanager
def under_way(run: ArenaRun, seat: int, onlooker: Onlooker | None = None) -> Iterator[tuple[Any, Future[RoundResult]]]:
    """A round in a thread of its own, and a seat of it as a door holds it."""
    told = onlooker or Onlooker()
    places = open_seats_of(run)
    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(play_round, run, 0, told, told.stop, places)
        try:
            places[0, seat].opened()
            yield (lambda: VisitedSeat(run.seat_folder(0, seat), places[0, seat])), playing
        finally:
            told.stop.request()


def drive(visit: VisitedSeat, agent: str, days: int) -> None:
    """Let a merchant decide the turns of a seat, from outside."""
    assert visit.year is not None
    plan = begin_play(get_merchant(agent, days=days), visit.year)
    calls = next(plan)
    while visit.result is None:
        replies = visit.take([dict(call) for call in calls])
        if visit.result is None:
            calls = plan.send([json.loads(reply) for reply in replies])


def test_turns_from_outside_make_the_same_arena_as_the_merchant_at_the_seat(new_arena: NewArena) -> None:
    seated, visited = new_arena(TRADER, TRADER, "idle", name="a"), new_arena(TRADER, "http", "idle", name="b")
    play(seated)
    with under_way(visited, 1) as (sit_down, playing):
        drive(sit_down(), TRADER, 20)
        assert playing.result(SECONDS).over
    one, two = files_of(seated), files_of(visited)
    assert one["rounds/0/market.jsonl"] == two["rounds/0/market.jsonl"]
    same = [name for name in one if "/seats/1/" not in name or name.endswith(".csv")]
    assert len(same) > 20 and {name: one[name] for name in same} == {name: two[name] for name in same}
    assert open_run(visited.seat_folder(0, 1)).terms.door == "http"
    assert verify_round(visited, 0)[0] == ""


def test_the_round_waits_for_a_seat_and_a_seat_for_the_evening_of_the_others(new_arena: NewArena) -> None:
    run = new_arena("http", "http:two", days=3)
    places = open_seats_of(run)
    told = Onlooker()
    with ThreadPoolExecutor(2) as threads:
        playing = threads.submit(play_round, run, 0, told, told.stop, places)
        places[0, 0].opened()
        one, two = (VisitedSeat(run.seat_folder(0, seat), places[0, seat]) for seat in (0, 1))
        waiting = threads.submit(one.take, [WAIT])
        assert "bank_balance" in two.take([LOOK])[0]
        assert not waiting.done()  # the other has not reached its evening
        two.take([WAIT])
        assert len(waiting.result(SECONDS)) == 1
        told.stop.request()
        assert endings(playing.result(SECONDS)) == ["stopped", "stopped"]
        with pytest.raises(RunError, match="stopped"):
            one.take([WAIT])


def test_a_turn_that_waited_for_the_evening_is_not_lost_with_the_process(new_arena: NewArena) -> None:
    """Rivals have acted on a market that it changed, so it is run again as it was, whatever the client sends then."""
    run = new_arena("http", "http:two", days=3)
    places, told = open_seats_of(run), Onlooker()
    with ThreadPoolExecutor(2) as threads:
        playing = threads.submit(play_round, run, 0, told, told.stop, places)
        places[0, 0].opened()
        one, two = (VisitedSeat(run.seat_folder(0, seat), places[0, seat]) for seat in (0, 1))
        lost = threads.submit(one.take, [LOOK, WAIT])
        two.take([LOOK])
        assert (run.seat_folder(0, 0) / "pending.json").exists()  # its turn came first, and it has not been answered
        told.stop.request()
        playing.result(SECONDS)
        with pytest.raises(RunError):
            lost.result(SECONDS)
    again = open_arena(run.folder)
    places, told = open_seats_of(again), Onlooker()
    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play_round, again, 0, told, told.stop, places)
        places[0, 1].opened()
        two = VisitedSeat(run.seat_folder(0, 1), places[0, 1])
        assert two.turns == 1
        two.take([WAIT])
        one = VisitedSeat(run.seat_folder(0, 0), places[0, 0])
        assert one.last is not None and [call["name"] for call in one.last.calls] == [LOOK["name"], WAIT["name"]]
        assert not (run.seat_folder(0, 0) / "pending.json").exists()
        told.stop.request()
        playing.result(SECONDS)
    assert verify_round(again, 0)[0] == ""


def test_who_finishes_leaves_the_market_and_the_others_play_on(new_arena: NewArena) -> None:
    run = new_arena("http", TRADER)
    with under_way(run, 0) as (sit_down, playing):
        visit = sit_down()
        visit.take([WAIT])
        result = visit.finish()
        assert result.end is not None and (result.end.ending, result.end.day) == ("idle", 1)
        assert endings(playing.result(SECONDS)) == ["idle", "year_end"]
        assert visit.year is None
    assert b'"reason":"the agent ended the year"' in (run.round_folder(0) / "market.jsonl").read_bytes()
    assert verify_round(run, 0)[0] == ""


def test_another_agent_takes_over_from_outside_and_a_visitor_goes_on_after_a_fork(
    new_arena: NewArena, tmp_path: Path
) -> None:
    run = new_arena(TRADER, "idle")
    play(run)
    forked = fork_round(run, tmp_path / "fork", number=0, seat=0, day=8, agent="http", model={})
    with under_way(forked, 0) as (sit_down, playing):
        visit = sit_down()
        assert visit.year.day == 8 and visit.turns > 8
        while visit.result is None:
            visit.take([WAIT])
        assert playing.result(SECONDS).over
    assert verify_round(forked, 0)[0] == ""
    again = fork_round(forked, tmp_path / "again", number=0, seat=1, day=12, agent=TRADER, model={})
    with under_way(again, 0) as (sit_down, playing):
        visit = sit_down()
        assert visit.year.day == 12
        while visit.result is None:
            visit.take([WAIT])
        assert playing.result(SECONDS).over
    assert verify_round(again, 0)[0] == ""


def test_a_seat_that_nobody_serves_is_named(new_arena: NewArena) -> None:
    assert "seat 1 (http) is played from outside" in play(new_arena(TRADER, "http")).problem


def test_a_seat_that_goes_bankrupt_is_over_on_that_day(new_arena: NewArena, tmp_path: Path) -> None:
    terms = new_arena("http", "idle", days=60).terms
    run = create_arena(tmp_path / "poor", replace(terms, stake=3_000.0))
    with under_way(run, 0) as (sit_down, playing):
        visit = sit_down()
        kinds = json.loads(visit.take([{"name": "market_search", "arguments": {}}])[0])["store_types"]
        wanted = {name: kinds[0][name] for name in ("store_type", "store_name")}
        visit.take([{"name": "open_store", "arguments": wanted}])
        while visit.result is None:
            visit.take([WAIT])
        end = visit.result.end
        assert (end.ending, end.day < 60) == ("bankruptcy", True)
        assert playing.result(SECONDS).over
    assert read_episode(open_run(run.seat_folder(0, 0)), 0).end == end
    assert verify_round(run, 0)[0] == ""
