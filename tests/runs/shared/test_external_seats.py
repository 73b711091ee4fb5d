"""Seats that external agents play: the market waits for what is handed in, and records it."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.runs.conftest import TRADER, NewRun, play_episode, verify
from tests.runs.shared.markets import LOOK, SECONDS, WAIT, Guest, endings, under_way

from ecbench.errors import RunError
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.runs.folder import create_run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.fork import take_over
from ecbench.runs.results.year_view import view_year

MOST_TURNS = 1_000


def drive(guest: Guest, agent: str, days: int) -> None:
    """Let a merchant decide the turns of a seat, from outside."""
    assert guest.session.year is not None
    plan = begin_play(get_merchant(agent, days=days), guest.session.year)
    calls: Any = next(plan)
    for _ in range(MOST_TURNS):
        replies = guest.take(*[dict(call) for call in calls])
        if guest.session.end is not None:
            return
        calls = plan.send([json.loads(reply) for reply in replies])
    raise AssertionError("the year does not end")


def sleep_through(guest: Guest) -> None:
    for _ in range(MOST_TURNS):
        if guest.session.end is not None:
            return
        guest.take(WAIT)
    raise AssertionError("the year does not end")


def test_turns_from_outside_make_the_same_files_as_the_merchant_at_the_seat(new_arena: NewRun) -> None:
    seated, served = new_arena(TRADER, TRADER, "idle", name="a"), new_arena(TRADER, "http", "idle", name="b")
    play_episode(seated)
    with under_way(served) as market:
        drive(market.sit_down(1), TRADER, 20)
        assert market.result().over
    for seat in range(3):
        one, two = (view_year(run.at_seat(0, seat), 0) for run in (seated, served))
        assert one.report == two.report and one.tables == two.tables
        assert one.tables.calls
    turns = [[(turn.seat, turn.calls) for turn in read_episode(run, 0).turns] for run in (seated, served)]
    assert turns[0] == turns[1]
    verify(served)


def test_the_market_waits_for_a_seat_and_a_seat_for_the_evening_of_the_others(new_arena: NewRun) -> None:
    with under_way(new_arena("http", "http:two", days=3)) as market:
        one, two = market.sit_down(0), market.sit_down(1)
        waiting = one.start(WAIT)
        assert "bank_balance" in two.take(LOOK)[0]
        assert not waiting.done()  # the other has not reached its evening
        two.take(WAIT)
        assert len(waiting.result(SECONDS)) == 1
        assert endings(market.stop()) == ["stopped", "stopped"]
        with pytest.raises(RunError, match="stopped"):
            one.take(WAIT)


def test_a_turn_that_waits_for_the_evening_is_not_lost_with_the_process(new_arena: NewRun) -> None:
    """Rivals have acted on a market that it changed, so it is replayed from the record, whatever the client sends."""
    run = new_arena("http", "http:two", days=3)
    with under_way(run) as market:
        one, two = market.sit_down(0), market.sit_down(1)
        lost = one.start(LOOK, WAIT)
        two.take(LOOK)
        assert read_episode(run, 0).entries[0].kind == "handed"  # its turn came first, and it has not been answered
        market.stop()
        with pytest.raises(RunError):
            lost.result(SECONDS)
    again = open_run(run.folder)
    with under_way(again) as market:
        two = market.sit_down(1)
        assert two.session.turns == 1
        two.take(WAIT)
        one = market.sit_down(0)
        assert one.session.year is not None and one.session.year.day == 1
        market.stop()
    assert [call["name"] for call in read_episode(again, 0).turns[0].calls] == [LOOK["name"], WAIT["name"]]
    verify(again)


def test_an_agent_that_finishes_leaves_the_market_and_the_others_play_on(new_arena: NewRun) -> None:
    run = new_arena("http", TRADER)
    with under_way(run) as market:
        guest = market.sit_down(0)
        guest.take(WAIT)
        end = guest.finish()
        assert (end.ending, end.day) == ("idle", 1)
        assert endings(market.result()) == ["idle", "year_end"]
        assert guest.session.year is None
    assert (
        b'"event":"leave","seat":0,"ending":"idle","reason":"the agent ended the year"'
        in run.events_path(0).read_bytes()
    )
    verify(run)


def test_an_external_agent_takes_over_and_continues_after_a_stop(new_arena: NewRun, tmp_path: Path) -> None:
    run = new_arena(TRADER, "idle")
    play_episode(run)
    takeover = take_over(run, episode=0, seat=0, day=8, agent="http", model={}, transport="http")
    forked = takeover.create_in(tmp_path / "fork")
    for day in (8, 9):
        with under_way(forked) as market:
            guest = market.sit_down(0)
            assert guest.session.year is not None and guest.session.year.day == day
            guest.take(WAIT)
            if day == 9:
                sleep_through(guest)
                assert market.result().over
    verify(forked)


def test_a_seat_that_no_server_serves_is_named(new_arena: NewRun) -> None:
    assert "seat 1 (http) is played from outside" in play_episode(new_arena(TRADER, "http")).problem


def test_a_seat_that_goes_bankrupt_is_over_on_that_day(new_arena: NewRun, tmp_path: Path) -> None:
    given = new_arena("http", "idle", days=60)
    terms = structs.replace(given.terms, stake=3_000.0)
    run = create_run(tmp_path / "poor", terms, episodes=1, world_source=given.worlds[0].source)
    with under_way(run) as market:
        guest = market.sit_down(0)
        kinds = json.loads(guest.take({"name": "market_search", "arguments": {}})[0])["store_types"]
        wanted = {name: kinds[0][name] for name in ("store_type", "store_name")}
        guest.take({"name": "open_store", "arguments": wanted})
        sleep_through(guest)
        end = guest.session.end
        assert end is not None and (end.ending, end.day < 60) == ("bankruptcy", True)
        assert market.result().over
    assert read_episode(run, 0).end(0) == end
    verify(run)
