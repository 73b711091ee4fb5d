"""Money, memory, waiting, and the notices that come with a batch."""

import json
from typing import Any

import pytest
from tests.tools.pet_shop import Ask

import ecbench
from ecbench.rules import DEFAULT_RULES
from ecbench.world.model import World

WAIT = {"name": "wait_for_next_day", "arguments": {"current_day": 0}}
LOOK = {"name": "check_warehouse", "arguments": {}}
CHAT = {"name": "chatbox", "arguments": {"content": "Anybody?"}}


def batch(episode: ecbench.Episode, *calls: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in episode.act(calls)]


@pytest.mark.parametrize("amount", [None, 0, -5])
def test_no_amount_is_all_of_it(ask: Ask, shop: ecbench.Episode, amount: float | None) -> None:
    wallet = shop.wallet
    assert ask("withdraw", amount=amount)["withdrawn"] == round(wallet, 2)


def test_notes_are_added_read_changed_and_deleted(new: Ask) -> None:
    added = new("operate_memory", action="add", title="plan", content="Buy low.")
    assert set(added) == {"success", "message", "total_memos", "current_time"}
    assert new("operate_memory", action="get", title="plan")["content"] == "Buy low."
    assert set(new("operate_memory", action="update", title="plan", content="Sell high.")) == {
        *("success", "message", "current_time"),
    }
    assert new("operate_memory", action="list")["memos"] == {"plan": "Sell high."}
    assert new("operate_memory", action="get")["total_memos"] == 1
    assert new("operate_memory", action="delete", title="plan")["total_memos"] == 0


@pytest.mark.parametrize(
    ("arguments", "keys", "advice"),
    [
        ({"action": "add", "title": "a", "content": "again"}, {"error"}, "update"),
        ({"action": "add", "title": "", "content": "x"}, {"error"}, "needs a title"),
        ({"action": "add", "title": "b", "content": ""}, {"error"}, "content must not be empty"),
        ({"action": "update", "title": "a", "content": ""}, {"error"}, "content must not be empty"),
        ({"action": "update", "title": "b", "content": "x"}, {"error"}, "no memo"),
        ({"action": "delete", "title": "b"}, {"error"}, "no memo"),
        ({"action": "get", "title": "b"}, {"error", "titles"}, "no memo"),
        ({"action": "sing"}, {"error"}, "add, get, update, delete, list"),
        ({}, {"error"}, "add, get, update, delete, list"),
    ],
)
def test_a_note_that_cannot_be_is_an_error_alone(
    new: Ask, account: ecbench.Episode, arguments: dict[str, Any], keys: set[str], advice: str
) -> None:
    new("operate_memory", action="add", title="a", content="first")
    reply = new("operate_memory", **arguments)
    assert set(reply) == keys | {"current_time"}
    assert advice in reply["error"]
    assert account.account.books.memory == {"a": "first"}


def test_memory_holds_twenty_notes(new: Ask) -> None:
    for number in range(20):
        assert new("operate_memory", action="add", title=str(number), content="x")["total_memos"] == number + 1
    assert "20 memos" in new("operate_memory", action="add", title="one more", content="x")["error"]


def test_waiting_jumps_after_the_other_calls_of_its_batch(account: ecbench.Episode) -> None:
    first, look = batch(account, WAIT, LOOK)
    assert look["current_time"] == "2026-01-01 08:10"
    assert (first["current_time"], first["day"]) == ("2026-01-02T08:00:00", 1)


def test_a_second_wait_is_a_note_alone_and_one_day_passes(account: ecbench.Episode) -> None:
    _, second, third = batch(account, WAIT, WAIT, WAIT)
    assert set(second) == set(third) == {"note"}
    assert account.day == 1


def test_a_batch_that_crossed_into_another_day_does_not_jump_again(account: ecbench.Episode) -> None:
    *_, wait = batch(account, *[CHAT] * 20, WAIT)  # twenty half hours are a working day
    assert account.day == 1
    assert wait["current_time"] == "2026-01-02T08:00:00"


def test_news_stand_in_the_first_wait_else_in_the_last_reply(world: World) -> None:
    rules = DEFAULT_RULES.with_overrides({"idle_grace_days": 0})
    waiting = ecbench.Episode(world, rules=rules)
    look, first, second = batch(waiting, LOOK, WAIT, WAIT)
    [day] = first["system_notifications"]
    assert set(day) == {"date", "day", "news"}
    assert (day["date"], day["day"]) == ("2026-01-02", 1)
    [penalty] = [item for item in day["news"] if item["type"] == "penalty"]
    assert set(penalty) == {"type", "content"}
    assert not {"system_notifications"} & (set(look) | set(second))
    *_, last = batch(ecbench.Episode(world, rules=rules), *[CHAT] * 20)
    assert last["system_notifications"] == first["system_notifications"]


def test_news_are_told_once_and_days_without_any_have_no_entry(account: ecbench.Episode) -> None:
    told: list[str] = []
    for _ in range(40):
        [reply] = batch(account, WAIT)
        days = reply.get("system_notifications", [])
        assert all(day["news"] for day in days)
        told += [item["content"] for day in days for item in day["news"] if item["type"] in {"event", "promotion"}]
        assert all(len(item["content"]) <= 200 for day in days for item in day["news"])
    assert len(told) == len(set(told)) > 0


def test_a_bank_below_a_days_cost_is_reminded_in_every_batch(world: World) -> None:
    poor = ecbench.Episode(world, stake=559.99)
    assert "balance_reminder" not in batch(poor, LOOK)[0]
    open_store = {"name": "open_store", "arguments": {"store_type": "pet", "store_name": "Paws"}}
    opened, look = batch(poor, open_store, LOOK)
    assert "balance_reminder" not in opened
    assert "balance_reminder" in look  # 59.99 is less than the 60 of an easy store
    assert "balance_reminder" in batch(poor, LOOK)[0]
    idle = ecbench.Episode(world, stake=59.99)
    assert batch(idle, LOOK)[0]["balance_reminder"] == (
        "The bank holds ¥59.99, less than the ¥60.00 that a day of operations costs. "
        "10 days in a row below zero end the business in bankruptcy."
    )
