"""The chatbox tool: the shape of its replies."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ecbench.episode import Episode
from ecbench.world.model import World

CANDID, ELM, GUM = "birch@example.test", "elm@example.test", "gum@example.test"
Chat = Callable[..., dict[str, Any]]


@pytest.fixture
def year(world: World) -> Episode:
    return Episode(world)


@pytest.fixture
def chat(year: Episode) -> Chat:
    """Send a letter, which takes half an hour; the reply without its time."""

    def send(**arguments: Any) -> dict[str, Any]:
        [text] = year.act([{"name": "chatbox", "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        assert reply.pop("current_time") == f"{year.now:%Y-%m-%d %H:%M}"
        return reply

    return send


def block(**action: Any) -> str:
    return f"```negotiate\n{json.dumps(action)}\n```"


def offer(price: float, quantity: int = 2, sku: str = "aaa111") -> str:
    return block(action="offer", sku_id=sku, price=price, quantity=quantity)


def test_plain_conversation_has_a_reply_and_nothing_else(chat: Chat) -> None:
    reply = chat(uid=CANDID, content="Hello")
    assert set(reply) == {"message", "supplier_reply"}
    assert reply["message"] == "message_sent"


def test_a_counter_shows_its_unrounded_price_and_round(chat: Chat, year: Episode) -> None:
    reply = chat(uid=CANDID, content=offer(50.0))
    (response,) = reply["negotiation_responses"]
    assert set(response) == {"sku_id", "decision", "price", "round"}
    assert (response["decision"], response["round"]) == ("Offer", 2)
    assert response["price"] == year.desk.book.pairs["Birch Traders", "aaa111"].kernel.supplier_prices[-1]


def test_a_confirmed_order_is_accounted_for(chat: Chat) -> None:
    reply = chat(uid=CANDID, content=offer(1_000.5))
    assert reply["negotiation_responses"] == [
        {
            "sku_id": "aaa111",
            "decision": "Accept",
            "price": 1_000.5,
            "round": 2,
            "agreed_price": 1_000.5,
            "order_placed": True,
            "charged_per_unit": 1_000.5,
            "charged_total": 2_001.0,
        }
    ]
    assert reply["order_confirmed"] is True
    assert (reply["total_charged"], reply["remaining_balance"]) == (2_001.0, 97_999.0)
    assert reply["orders_placed"] == [{"sku_id": "aaa111", "quantity": 2, "agreed_price": 1_000.5, "charged": 2_001.0}]
    assert not reply.keys() & {"order_failed", "failed_orders", "error"}


def test_one_failed_order_is_also_the_error_of_the_reply(chat: Chat) -> None:
    reply = chat(uid=CANDID, content=offer(1_000.0, 0))
    (response,) = reply["negotiation_responses"]
    assert response["order_placed"] is False and "charged_total" not in response
    assert reply["order_failed"] is True
    (failed,) = reply["failed_orders"]
    assert failed == {"sku_id": "aaa111", "quantity": 0, "agreed_price": 1_000.0, "error": reply["error"]}
    assert response["order_error"] == reply["error"]
    assert not reply.keys() & {"order_confirmed", "total_charged", "remaining_balance", "orders_placed"}


def test_two_failed_orders_have_no_common_error(chat: Chat) -> None:
    reply = chat(uid=CANDID, content=offer(1_000.0, 0) + offer(1_000.0, 0, "bbb222"))
    assert len(reply["failed_orders"]) == 2
    assert "error" not in reply


def test_a_sku_agreed_twice_shows_its_last_order_in_both_places(chat: Chat) -> None:
    reply = chat(uid=CANDID, content=offer(1_000.0, 3) + offer(990.0, 4))
    assert [r["charged_total"] for r in reply["negotiation_responses"]] == [3_960.0, 3_960.0]
    assert [r["agreed_price"] for r in reply["negotiation_responses"]] == [1_000.0, 990.0]
    assert reply["total_charged"] == 6_960.0


def test_an_error_says_what_would_be_right(chat: Chat) -> None:
    content = block(action="accept", sku_id="aaa111", price=9)
    (response,) = chat(uid=CANDID, content=content)["negotiation_responses"]
    assert response["error_code"] == "no_active_negotiation"
    assert "offer" in response["error"]
    assert (response["price"], response["round"]) == (None, 0)


def test_a_fee_is_an_order_without_a_product(chat: Chat) -> None:
    chat(uid=GUM, content="Hello")
    reply = chat(uid=GUM, content="I agree to pay the membership fee now.")
    assert reply["orders_placed"] == [{"sku_id": "MEMBERSHIP_FEE", "quantity": 1, "charged": 1_000.0}]
    assert (reply["total_charged"], reply["remaining_balance"]) == (1_000.0, 99_000.0)
    assert "negotiation_responses" not in reply


def test_a_fee_that_fails_is_a_failed_order(chat: Chat, year: Episode) -> None:
    year.account.books.purse.bank = 10.0
    chat(uid=GUM, content="Hello")
    reply = chat(uid=GUM, content="I agree to pay the membership fee now.")
    (failed,) = reply["failed_orders"]
    assert set(failed) == {"sku_id", "error"} and failed["sku_id"] == "MEMBERSHIP_FEE"


@pytest.mark.parametrize(
    "arguments",
    [
        {"uids": [ELM, CANDID, ELM]},
        {"uids": f"{ELM}, {CANDID}"},
        {"uid": f"{ELM} {CANDID}"},
        {"uid": [ELM, CANDID]},
        {"uid": CANDID, "uids": [ELM]},
    ],
)
def test_several_recipients_answer_one_by_one(chat: Chat, arguments: dict[str, Any]) -> None:
    reply = chat(**arguments, content=offer(50.0))
    assert (reply["message"], reply["recipients"]) == ("broadcast_sent", 2)
    assert [r["uid"] for r in reply["responses"]] == [ELM, CANDID]
    assert all(r["current_time"] == "2026-01-01 08:30" for r in reply["responses"])
    assert all(r["message"] == "message_sent" and r["negotiation_responses"] for r in reply["responses"])


def test_one_recipient_left_after_duplicates_gets_the_flat_shape(chat: Chat) -> None:
    assert chat(uids=[CANDID, CANDID], uid=CANDID, content="Hi")["message"] == "message_sent"


def test_unknown_and_missing_addresses_are_errors(chat: Chat, year: Episode) -> None:
    assert chat(content="Hi")["error"] == "no_uid_provided"
    assert chat(uid="", uids=[], content="Hi")["error"] == "no_uid_provided"
    assert chat(uid="x@y", content="Hi")["error"] == "supplier_not_found"
    reply = chat(uid="x@y", uids=[CANDID], content="Hi")
    assert reply["recipients"] == 2
    assert [r.get("error") for r in reply["responses"]] == [None, "supplier_not_found"]
    assert year.desk.contacted == ("Birch Traders",)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_history_is_as_long_as_asked_for_and_ends_with_this_exchange(chat: Chat, count: int) -> None:
    for number in range(3):
        reply = chat(uid=CANDID, content=str(number), history_count=count)
    sent = [entry["content"] for entry in reply["conversation_history"] if entry["from"] == "agent"]
    assert len(reply["conversation_history"]) == count
    assert sent == ["0", "1", "2"][3 - count // 2 :]
    *_, last = reply["conversation_history"]
    assert last == {"from": "Birch Traders", "timestamp": "2026-01-01 09:30", "content": reply["supplier_reply"]}
    assert "conversation_history" not in chat(uid=CANDID, content="3", history_count=-1)


def test_a_closed_supplier_sends_its_notice_and_still_counts_as_contacted(chat: Chat, year: Episode) -> None:
    year.account.closed_suppliers.add("Birch Traders")
    reply = chat(uid=CANDID, content=offer(1_000.0), history_count=1)
    assert set(reply) == {"message", "supplier_reply", "conversation_history"}
    assert reply["message"] == "supplier_bankrupt"
    assert [exchange.ordered for exchange in year.desk.exchanges["Birch Traders"]] == [False]
    assert year.desk.contacted == ("Birch Traders",)


def test_missing_content_is_an_empty_message(chat: Chat) -> None:
    assert chat(uid=CANDID)["message"] == "message_sent"
