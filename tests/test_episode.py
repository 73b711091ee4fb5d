"""One simulated year through the public interface."""

import json
from datetime import datetime

import pytest

import ecbench
from ecbench.players.merchants.protocol import call
from ecbench.rules import Rules
from ecbench.world.model import World

WAIT = {"name": "wait_for_next_day", "arguments": {}}


@pytest.fixture(scope="module")
def world() -> World:
    return ecbench.load_world("default")


def test_a_year_opens_at_eight_with_the_stake_in_the_bank(world: World) -> None:
    episode = ecbench.Episode(world)
    assert (episode.now, episode.day) == (datetime(2026, 1, 1, 8), 0)
    assert (episode.bank, episode.wallet, episode.escrow) == (100_000, 0, 0)
    assert (episode.done, episode.ending) == (False, None)


def test_days_stake_and_rules_may_differ(world: World) -> None:
    episode = ecbench.Episode(world, days=3, stake=700, rules=Rules(setup_fee=200.0))
    episode.act([call("open_store", store_type="pet", store_name="Paws")])
    assert episode.bank == 500
    for _ in range(3):
        assert not episode.done
        episode.act([WAIT])
    assert (episode.done, episode.ending, episode.day) == (True, "year_end", 3)


def test_the_rest_of_the_batch_that_ended_the_year_still_acts_and_the_clock_stands(world: World) -> None:
    episode = ecbench.Episode(world, days=1)
    chats = [call("chatbox", content="Hello?") for _ in range(20)]
    after = [call("check_balance"), call("ship_orders"), call("operate_memory", action="add", title="a", content="b")]
    replies = [json.loads(text) for text in episode.act([*chats, *after])]
    balance, shipping, memory = replies[-3:]
    assert balance["current_time"] == "2026-01-02 08:00"
    assert shipping["success"] is False
    assert memory["success"] is True
    assert [list(json.loads(text)) for text in episode.act(after)] == [["error"]] * 3


def test_finishing_early_settles_once(world: World) -> None:
    episode = ecbench.Episode(world)
    episode.act([WAIT])
    episode.finish()
    assert (episode.done, episode.ending) == (True, "stopped")
    report = episode.report()
    episode.finish("again")
    assert episode.ending == "stopped"
    assert episode.report() == report


def test_a_report_may_be_read_at_any_time_and_is_json(world: World) -> None:
    episode = ecbench.Episode(world, days=5)
    for _ in range(6):
        json.dumps(episode.report(), allow_nan=False)
        episode.act([WAIT])
    assert episode.report()["profitability"]["final_day"] == 5


def test_episodes_of_one_process_share_their_world(world: World) -> None:
    episodes = [ecbench.Episode(world) for _ in range(100)]
    assert {id(episode.world) for episode in episodes} == {id(world)}
    assert len({id(episode.account.economy) for episode in episodes}) == 1
    assert len({id(episode.account.books) for episode in episodes}) == 100
