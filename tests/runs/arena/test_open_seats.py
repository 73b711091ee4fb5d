"""Seats of an arena that are played from outside: the round waits for what is handed in, and records it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ecbench.runs.arena.folder import create_arena, open_arena
from ecbench.runs.arena.fork import take_over_seat
from ecbench.runs.arena.verify import verify_round
from tests.runs.arena.table import LOOK, SECONDS, WAIT, Guest, under_way
from tests.runs.arena.test_rounds import NewArena, endings, files_of, new_arena, play
from tests.runs.conftest import TRADER

from ecbench.errors import RunError
from ecbench.players.driver import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode

__all__ = ["new_arena"]

MOST_TURNS = 1_000


def drive(guest: Guest, agent: str, days: int) -> None:
    """Let a merchant decide the turns of a seat, from outside."""
    assert guest.visit.year is not None
    plan = begin_play(get_merchant(agent, days=days), guest.visit.year)
    calls: Any = next(plan)
    for _ in range(MOST_TURNS):
        replies = guest.take(*[dict(call) for call in calls])
        if guest.visit.result is not None:
            return
        calls = plan.send([json.loads(reply) for reply in replies])
    raise AssertionError("the year does not end")


def sleep_through(guest: Guest) -> None:
    for _ in range(MOST_TURNS):
        if guest.visit.result is not None:
            return
        guest.take(WAIT)
    raise AssertionError("the year does not end")


def test_turns_from_outside_make_the_same_arena_as_the_merchant_at_the_seat(new_arena: NewArena) -> None:
    seated, visited = new_arena(TRADER, TRADER, "idle", name="a"), new_arena(TRADER, "http", "idle", name="b")
    play(seated)
    with under_way(visited) as table:
        drive(table.sit_down(1), TRADER, 20)
        assert table.result().over
    one, two = files_of(seated), files_of(visited)
    assert one["rounds/0/market.jsonl"] == two["rounds/0/market.jsonl"]
    same = [name for name in one if "/seats/1/" not in name or name.endswith(".csv")]
    assert len(same) > 20 and {name: one[name] for name in same} == {name: two[name] for name in same}
    assert open_run(visited.seat_folder(0, 1)).terms.door == "http"
    assert verify_round(visited, 0)[0] == ""


def test_the_round_waits_for_a_seat_and_a_seat_for_the_evening_of_the_others(new_arena: NewArena) -> None:
    with under_way(new_arena("http", "http:two", days=3)) as table:
        one, two = table.sit_down(0), table.sit_down(1)
        waiting = one.start(WAIT)
        assert "bank_balance" in two.take(LOOK)[0]
        assert not waiting.done()  # the other has not reached its evening
        two.take(WAIT)
        assert len(waiting.result(SECONDS)) == 1
        assert endings(table.stop()) == ["stopped", "stopped"]
        with pytest.raises(RunError, match="stopped"):
            one.take(WAIT)


def test_a_turn_that_waited_for_the_evening_is_not_lost_with_the_process(new_arena: NewArena) -> None:
    """Rivals have acted on a market that it changed, so it is run again as it was, whatever the client sends then."""
    run = new_arena("http", "http:two", days=3)
    pending = run.seat_folder(0, 0) / "pending.json"
    with under_way(run) as table:
        one, two = table.sit_down(0), table.sit_down(1)
        lost = one.start(LOOK, WAIT)
        two.take(LOOK)
        assert pending.exists()  # its turn came first, and it has not been answered
        table.stop()
        with pytest.raises(RunError):
            lost.result(SECONDS)
    again = open_arena(run.folder)
    with under_way(again) as table:
        two = table.sit_down(1)
        assert two.visit.turns == 1
        two.take(WAIT)
        last = table.sit_down(0).visit.last
        assert last is not None and [call["name"] for call in last.calls] == [LOOK["name"], WAIT["name"]]
        assert not pending.exists()
        table.stop()
    assert verify_round(again, 0)[0] == ""


def test_who_finishes_leaves_the_market_and_the_others_play_on(new_arena: NewArena) -> None:
    run = new_arena("http", TRADER)
    with under_way(run) as table:
        guest = table.sit_down(0)
        guest.take(WAIT)
        end = guest.finish().end
        assert end is not None and (end.ending, end.day) == ("idle", 1)
        assert endings(table.result()) == ["idle", "year_end"]
        assert guest.visit.year is None
    assert b'"reason":"the agent ended the year"' in (run.round_folder(0) / "market.jsonl").read_bytes()
    assert verify_round(run, 0)[0] == ""


def test_another_agent_takes_over_from_outside_and_a_visitor_goes_on_after_a_fork(
    new_arena: NewArena, tmp_path: Path
) -> None:
    run = new_arena(TRADER, "idle")
    play(run)
    forked = take_over_seat(run, number=0, seat=0, day=8, agent="http", model={}).create_in(tmp_path / "fork")
    again = None
    for day in (8, 12):
        with under_way(again or forked) as table:
            guest = table.sit_down(0)
            assert guest.visit.year is not None and guest.visit.year.day == day
            sleep_through(guest)
            assert table.result().over
        assert verify_round(again or forked, 0)[0] == ""
        if again is None:
            takeover = take_over_seat(forked, number=0, seat=1, day=12, agent=TRADER, model={})
            again = takeover.create_in(tmp_path / "again")


def test_a_seat_that_nobody_serves_is_named(new_arena: NewArena) -> None:
    assert "seat 1 (http) is played from outside" in play(new_arena(TRADER, "http")).problem


def test_a_seat_that_goes_bankrupt_is_over_on_that_day(new_arena: NewArena, tmp_path: Path) -> None:
    terms = new_arena("http", "idle", days=60).terms
    run = create_arena(tmp_path / "poor", replace(terms, stake=3_000.0))
    with under_way(run) as table:
        guest = table.sit_down(0)
        kinds = json.loads(guest.take({"name": "market_search", "arguments": {}})[0])["store_types"]
        wanted = {name: kinds[0][name] for name in ("store_type", "store_name")}
        guest.take({"name": "open_store", "arguments": wanted})
        sleep_through(guest)
        end = guest.visit.result.end if guest.visit.result else None
        assert end is not None and (end.ending, end.day < 60) == ("bankruptcy", True)
        assert table.result().over
    assert read_episode(open_run(run.seat_folder(0, 0)), 0).end == end
    assert verify_round(run, 0)[0] == ""
