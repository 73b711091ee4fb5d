"""Which calls only look, and what notes say."""

import json
from typing import Any

import pytest
from tests.tools.tea_shop import TeaShop

from ecbench.tools.catalog import TOOLS, only_looks


def test_notes_say_that_they_were_kept(tea_shop: TeaShop) -> None:
    assert tea_shop.ask("operate_memory", action="add", title="a", content="x") == {
        "success": True,
        "message": "Added the memo 'a'.",
        "total_memos": 1,
    }
    update = {"success": True, "message": "Updated the memo 'a'."}
    assert tea_shop.ask("operate_memory", action="update", title="a", content="y") == update
    assert tea_shop.ask("operate_memory", action="get", title="a") == {"title": "a", "content": "y"}
    delete = {"success": True, "message": "Deleted the memo 'a'.", "total_memos": 0}
    assert tea_shop.ask("operate_memory", action="delete", title="a") == delete


ASKED = [
    *({"name": tool.name, "arguments": {}} for tool in TOOLS if tool.looks is True),
    {"name": "ship_orders", "arguments": {"action": "list"}},
]


@pytest.mark.parametrize("call", ASKED, ids=lambda call: call["name"])
def test_a_call_that_only_looks_leaves_the_business_as_it_was(tea_shop: TeaShop, call: dict[str, Any]) -> None:
    assert only_looks(call)
    before = tea_shop.year.copy().account.books
    [reply] = tea_shop.year.act([call])
    assert "error" not in json.loads(reply)
    assert tea_shop.books == before


@pytest.mark.parametrize(
    "call",
    [
        {"name": "ship_orders", "arguments": {}},
        {"name": "ship_orders", "arguments": {"action": ["list"]}},
        {"name": "ship_orders", "arguments": "list"},
        {"name": "withdraw", "arguments": {}},
        {"name": "chatbox"},
        {"name": "no_such_tool"},
        {"name": ["check_balance"]},
    ],
)
def test_what_acts_or_is_no_tool_does_not_only_look(call: dict[str, Any]) -> None:
    assert not only_looks(call)
