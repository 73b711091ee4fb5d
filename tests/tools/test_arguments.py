"""Arguments as an agent may send them: what is missing, mistyped or not known is named, and costs what it should."""

import json
from pathlib import Path
from typing import Any

import pytest

from ecbench.episode import Episode
from ecbench.gate import is_too_deep
from ecbench.tools.arguments import lenient_count, lenient_number, shown
from ecbench.world.load import load_world


@pytest.fixture
def year(small_world: Path) -> Episode:
    return Episode(load_world(small_world))


def asked(year: Episode, tool: str, arguments: Any) -> dict[str, Any]:
    [text] = year.act([{"name": tool, "arguments": arguments}])
    reply: dict[str, Any] = json.loads(text)
    return reply


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("open_store", {"store_name": "Leaf"}, "argument 'store_type' must be a string; it is missing"),
        ("open_store", {"store_type": None, "store_name": "L"}, "argument 'store_type' must be a string; got NoneType"),
        ("open_store", {"store_type": 7, "store_name": "Leaf"}, "argument 'store_type' must be a string; got int"),
        ("set_prices", {"store_id": "s"}, "argument 'prices' must be a list of objects; it is missing"),
        ("set_prices", {"store_id": "s", "prices": {}}, "argument 'prices' must be a list of objects; got dict"),
        (
            "join_promotion",
            {"store_id": "s", "event_name": "e"},
            "argument 'discount_rate' must be a number; it is missing",
        ),
        ("withdraw", {"amount": "all"}, "argument 'amount' must be a number; got 'all'"),
        ("withdraw", {"amount": True}, "argument 'amount' must be a number; got bool"),
        ("withdraw", {"amount": float("inf")}, "argument 'amount' must be a finite number"),
        ("withdraw", {"amount": 10**400}, "argument 'amount' must be a finite number"),
        ("close_store", {"store_id": "s", "liquidate": 1}, "argument 'liquidate' must be true or false; got int"),
        ("ship_orders", {"shipment_ids": 3}, "argument 'shipment_ids' must be a list; got int"),
        ("market_search", {"category": 3}, "argument 'category' must be a string; got int"),
        ("check_balance", [1], "the arguments of check_balance must be a JSON object, not list"),
        ("check_balance", "{}", "the arguments of check_balance must be a JSON object, not '{}'"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_call_takes_its_time(
    year: Episode, tool: str, arguments: Any, error: str
) -> None:
    assert asked(year, tool, arguments) == {"error": error}
    assert f"{year.now:%H:%M}" > "08:00"


def test_an_argument_that_the_chatbox_does_not_know_is_refused_before_any_time_passes(year: Episode) -> None:
    reply = asked(year, "chatbox", {"to": "sales@hillfarm.example", "content": "Hello"})
    assert reply == {"error": "chatbox does not take 'to'; its arguments are uid, uids, content, history_count"}
    assert f"{year.now:%H:%M}" == "08:00"


def test_an_argument_that_another_tool_does_not_know_changes_nothing(year: Episode) -> None:
    assert asked(year, "check_balance", {"why": "?"})["bank_balance"] == 100_000.0


def test_a_long_value_is_quoted_by_its_beginning(year: Episode) -> None:
    assert shown("a" * 60) == repr("a" * 60)
    assert shown("a" * 61) == repr("a" * 60) + "..."
    asked(year, "open_store", {"store_type": "tea", "store_name": "Leaf"})
    [row] = asked(year, "set_prices", {"store_id": "store_001", "prices": [{"product_id": "b" * 41, "price": 1}]})[
        "results"
    ]
    assert row["product_id"] == "b" * 40
    refused = asked(year, "join_promotion", {"store_id": "store_001", "event_name": "c" * 61, "discount_rate": 0.1})
    assert f"'{'c' * 60}'" in refused["error"]


@pytest.mark.parametrize(
    ("value", "deepest", "deeper"),
    [
        (7, 1, False),
        ([], 1, False),
        ([7], 1, True),
        ([[]], 2, False),
        ([1, {"a": [2]}], 3, True),
        ([1, {"a": []}], 3, False),
    ],
)
def test_brackets_within_brackets_are_counted_with_what_they_hold(value: object, deepest: int, deeper: bool) -> None:
    assert is_too_deep(value, deepest) is deeper


@pytest.mark.parametrize(
    ("value", "number", "count"),
    [
        (3, 3.0, 3),
        (2.9, 2.9, 2),
        ("2.9", 2.9, 2),
        (" 7 ", 7.0, 7),
        ("0" * 39 + "5", 5.0, 5),
        ("0" * 40 + "5", None, None),  # longer than any number that is meant
        (True, None, None),
        ("nan", None, None),
        (float("nan"), None, None),
        ("many", None, None),
        (None, None, None),
        ([3], None, None),
    ],
)
def test_items_of_a_list_may_write_their_numbers_as_text(
    value: object, number: float | None, count: int | None
) -> None:
    assert (lenient_number(value), lenient_count(value)) == (number, count)
