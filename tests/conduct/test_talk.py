"""Talk in an arena: mail for its reader alone, payments from bank to bank, recorded and replayed like any call."""

import json
from typing import Any

import pytest
from tests.conduct.shops import WORLD

from ecbench.arena import Arena
from ecbench.rules import rule_set
from ecbench.tools.catalog import tool_schemas

RULES = rule_set("paper").with_overrides({"talk": 1})


def say(arena: Arena, seat: int, tool: str, **arguments: Any) -> dict[str, Any]:
    replies = arena.act(seat, [{"name": tool, "arguments": arguments}])
    assert replies is not None
    reply: dict[str, Any] = json.loads(replies[0])
    return reply


def news(reply: dict[str, Any]) -> list[dict[str, str]]:
    return [item for day in reply.get("system_notifications", []) for item in day["news"]]


def test_a_message_is_read_with_the_next_reply_by_its_reader_alone() -> None:
    arena = Arena(WORLD, seats=3, days=5, rules=RULES)
    text = "Let us both ask ¥40. " * 20
    assert say(arena, 0, "send_message", text=text, to=1)["sent_to"] == [1]
    assert news(say(arena, 1, "check_balance")) == [{"type": "message", "content": f"From seat 0: {text}"}]
    assert news(say(arena, 2, "check_balance")) == []


def test_all_others_get_a_message_without_an_address() -> None:
    arena = Arena(WORLD, seats=3, days=5, rules=RULES)
    assert say(arena, 0, "send_message", text="Good morning.")["sent_to"] == [1, 2]
    mail = [account.news[0].items[0] for account in arena.accounts[1:]]
    assert mail[0] == mail[1] and arena.accounts[0].news == []


def test_a_payment_moves_money_from_bank_to_bank() -> None:
    arena = Arena(WORLD, seats=2, days=5, rules=RULES)
    assert say(arena, 0, "pay", to=1, amount=1_500)["bank_balance"] == 98_500
    assert [account.books.purse.bank for account in arena.accounts] == [98_500, 101_500]
    assert news(say(arena, 1, "check_balance"))[0]["type"] == "payment"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("send_message", {"text": ""}),
        ("send_message", {"text": "x" * 2_001}),
        ("send_message", {"text": "a\u200bb"}),
        ("send_message", {"text": "hello", "to": 0}),
        ("send_message", {"text": "hello", "to": 7}),
        ("send_message", {"text": "hello", "to": "1"}),
        ("pay", {"to": 1, "amount": 0}),
        ("pay", {"to": 1, "amount": -5}),
        ("pay", {"to": 1, "amount": 1e9}),
        ("pay", {"to": True, "amount": 5}),
        ("pay", {"amount": 5}),
    ],
)
def test_mail_to_nobody_or_of_no_length_and_payments_beyond_the_bank_are_errors(
    tool: str, arguments: dict[str, Any]
) -> None:
    arena = Arena(WORLD, seats=2, days=5, rules=RULES)
    assert say(arena, 0, tool, **arguments)["error"]
    assert arena.accounts[1].news == []
    assert [account.books.purse.bank for account in arena.accounts] == [100_000, 100_000]


def test_the_tools_of_talk_exist_under_any_rules_that_allow_it() -> None:
    for name in ("paper", "fair", "conduct"):
        rules = rule_set(name)
        usual = [schema["function"]["name"] for schema in tool_schemas(rules)]
        talking = [schema["function"]["name"] for schema in tool_schemas(rules.with_overrides({"talk": 1}))]
        assert talking == [*usual, "send_message", "pay"]
