"""Whatever an agent sends is answered: an error that says what would be right, nothing else changed, nothing raised."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.test_invariants import strict_json
from tests.tools.pet_shop import CATEGORY, pet_shop

import ecbench

SCHEMAS = {schema["function"]["name"]: schema["function"]["parameters"] for schema in ecbench.tool_schemas()}
MEGABYTES = "汉x" * 2_500_000
Reply = dict[str, Any]

texts = st.text(st.characters(codec=None), max_size=12)  # lone surrogates included
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=True, allow_infinity=True)
    | texts
    | st.sampled_from(["", "store_001", "1e999", "nan", "-1", "0", "12", "\ud800", "\x00"])
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=8
)


@cache
def base() -> ecbench.Episode:
    return pet_shop(ecbench.load_world("default"))


def ask(episode: ecbench.Episode, tool: str, **arguments: Any) -> Reply:
    return answer(episode, {"name": tool, "arguments": arguments})


def answer(episode: ecbench.Episode, call: Any) -> Reply:
    [text] = episode.act([call])
    return strict_json(text)


def belongings(episode: ecbench.Episode) -> list[Any]:
    """What an episode holds, but for the clock."""
    books, desk, purse = episode.account.books, episode.desk, episode.account.books.purse
    return [
        [episode.bank, episode.wallet, episode.escrow, *purse.totals.values(), deepcopy(purse.batches)],
        [(sku, s.physical, s.free, s.cost, s.lots, s.sold) for sku, s in books.stock.items()],
        [(s.id, s.name, s.is_open, s.enrolment, s.reputation, s.shipped) for s in books.stores.values()],
        [(sku, item.quantity, item.price) for s in books.stores.values() for sku, item in s.shelf.items()],
        [(day, structs.astuple(order)) for day, orders in books.in_transit.items() for order in orders],
        [books.units, len(books.sent), books.refund_loss],
        [list(books.pending), len(books.returns), len(books.orders), dict(books.memory), len(books.days)],
        [{name: len(exchanges) for name, exchanges in desk.exchanges.items()}, dict(desk.orders), set(desk.members)],
        [set(episode.account.closed_suppliers), len(desk.book.pairs), desk.book.active, len(desk.sessions)],
        [episode.account.rng.getstate(), episode.ending],
    ]


def assert_harmless(before: list[Any], episode: ecbench.Episode, reply: Reply) -> None:
    """A refusal says something and changed nothing."""
    refused = "error" in reply and "negotiation_responses" not in reply and "responses" not in reply
    if refused:
        assert isinstance(reply["error"], str)
        assert reply["error"]
        assert reply.get("success", False) is False
        assert belongings(episode) == before


@cache
def untouched() -> list[Any]:
    return belongings(base())


@st.composite
def calls(draw: st.DrawFn, tool: str) -> dict[str, Any]:
    """A tool's own arguments with values of any kind, and perhaps some that it does not know."""
    names = st.sampled_from([*SCHEMAS[tool]["properties"], "surprise"])
    arguments = draw(st.dictionaries(names, anything, max_size=5))
    for name, kind in SCHEMAS[tool]["properties"].items():
        if kind["type"] == "array" and draw(st.booleans()):
            fields = kind["items"].get("properties", {"entry": {}})
            arguments[name] = draw(st.lists(st.dictionaries(st.sampled_from(sorted(fields)), anything), max_size=3))
    if "store_id" in SCHEMAS[tool]["properties"] and draw(st.booleans()):
        arguments["store_id"] = "store_001"
    return {"name": tool, "arguments": arguments}


def test_the_store_in_business_has_something_to_lose() -> None:
    books = base().account.books
    assert min(base().wallet, base().escrow, len(books.pending), len(books.orders)) > 0
    assert any(stock.free for stock in books.stock.values())
    assert books.stores["store_001"].shelf


@pytest.mark.parametrize("tool", SCHEMAS)
def test_a_tool_answers_arguments_of_any_kind(tool: str) -> None:
    @settings(max_examples=40)
    @given(calls(tool))
    def check(call: dict[str, Any]) -> None:
        episode = base().copy()
        if tool == "wait_for_next_day":
            assert answer(episode, call)["day"] == base().day + 1
        else:
            assert_harmless(untouched(), episode, answer(episode, call))

    check()


@settings(max_examples=150)
@given(st.lists(anything | st.fixed_dictionaries({"name": anything, "arguments": anything}), max_size=5))
def test_malformed_calls_are_answered_one_by_one_and_cost_no_time(batch: list[Any]) -> None:
    episode = base().copy()
    replies = [strict_json(text) for text in episode.act(batch)]
    assert len(replies) == len(batch)
    assert all("there is no tool" in reply["error"] for reply in replies)
    assert episode.now == base().now
    assert belongings(episode) == untouched()


@pytest.mark.parametrize(("tool", "minutes"), [("check_balance", 10), ("chatbox", 30)])
@pytest.mark.parametrize("arguments", [7, "store_001", [], [["a", 1]], True, float("nan")])
def test_arguments_that_are_not_an_object_cost_the_minutes_of_the_tool(arguments: Any, tool: str, minutes: int) -> None:
    episode = base().copy()
    reply = answer(episode, {"name": tool, "arguments": arguments})
    assert list(reply) == ["error"]
    assert "must be a JSON object" in reply["error"]
    assert (episode.now - base().now).seconds == minutes * 60


@pytest.mark.parametrize(
    ("tool", "arguments", "advice"),
    [
        ("open_store", {"store_type": None, "store_name": "A"}, "'store_type' must be a string"),
        ("open_store", {"store_type": "pet"}, "'store_name' must be a string; it is missing"),
        ("close_store", {"store_id": "store_001", "liquidate": 1}, "'liquidate' must be true or false; got int"),
        ("set_prices", {"store_id": "store_001", "prices": "cheap"}, "'prices' must be a list"),
        ("publish_to_store", {"store_id": "store_001"}, "'plan' must be a list of objects; it is missing"),
        ("ship_orders", {"shipment_ids": 4}, "'shipment_ids' must be a list"),
        ("withdraw", {"amount": "50"}, "'amount' must be a number"),
        ("withdraw", {"amount": True}, "'amount' must be a number; got bool"),
        ("withdraw", {"amount": float("nan")}, "'amount' must be a finite number"),
        ("withdraw", {"amount": 10**400}, "'amount' must be a finite number"),
        ("join_promotion", {"store_id": "store_001", "event_name": "A"}, "'discount_rate' must be a number; it is mis"),
        ("operate_memory", {"action": "add", "title": 1, "content": "x"}, "'title' must be a string"),
        ("chatbox", {"uid": 4, "content": "x"}, "'uid' must hold e-mail addresses"),
        ("chatbox", {"uids": ["a@b", None], "content": "x"}, "'uids' must hold e-mail addresses"),
        ("chatbox", {"uid": "a@b", "content": 4}, "'content' must be a string"),
        ("chatbox", {"uid": "a@b", "content": "x", "history_count": True}, "'history_count' must be a whole number"),
        ("chatbox", {"uid": "a@b", "content": "x", "history_count": 1.5}, "'history_count' must be a whole number"),
    ],
)
def test_a_mistyped_argument_is_named_with_what_it_must_be(tool: str, arguments: Reply, advice: str) -> None:
    episode = base().copy()
    reply = ask(episode, tool, **arguments)
    assert list(reply) == ["error"]
    assert advice in reply["error"]
    assert belongings(episode) == untouched()
    minutes = {"open_store": 60, "close_store": 30, "publish_to_store": 20, "return_to_warehouse": 15}
    minutes |= {"ship_orders": 20, "chatbox": 30}
    assert (episode.now - base().now).seconds == minutes.get(tool, 10) * 60


@pytest.mark.parametrize("tool", SCHEMAS)
def test_ten_megabytes_in_every_text_argument_are_answered_briefly(tool: str) -> None:
    for name, kind in SCHEMAS[tool]["properties"].items():
        filled = MEGABYTES if kind["type"] != "array" else [MEGABYTES, {"product_id": MEGABYTES, "quantity": MEGABYTES}]
        others = {other: "store_001" for other in SCHEMAS[tool]["required"] if other != name}
        episode = base().copy()
        [text] = episode.act([{"name": tool, "arguments": others | {name: filled}}])
        reply = strict_json(text)
        if tool != "open_store":  # a store may have any name, and says it
            assert len(text) < 5_000
        assert_harmless(untouched(), episode, reply)


def test_unknown_arguments_are_ignored_except_by_the_chatbox() -> None:
    episode = base().copy()
    assert "bank_balance" in ask(episode, "check_balance", verbose=True, current_day=3)
    now = episode.now
    refusal = ask(episode, "chatbox", to="a@b.example", content="Hello")
    assert list(refusal) == ["error"]
    assert "does not take 'to'" in refusal["error"]
    assert episode.now == now


def test_a_thousand_blocks_in_a_message_are_a_thousand_answers() -> None:
    episode = base().copy()
    seller = episode.world.suppliers_by_category[CATEGORY][0]
    skus = [product.sku for product in episode.world.products_by_category[CATEGORY]]
    bids = [{"action": "offer", "sku_id": skus[n % len(skus)], "price": 0.01 * n, "quantity": n} for n in range(1_000)]
    content = "".join([f"```negotiate\n{json.dumps(bid)}\n```" for bid in bids])
    reply = ask(episode, "chatbox", uid=seller.email, content=content)
    assert len(reply["negotiation_responses"]) == 1_000
    assert episode.bank >= 0


def test_a_bad_call_fails_alone_and_the_rest_of_its_batch_runs() -> None:
    episode = base().copy()
    batch: list[Any] = [{"name": "open_store"}, {"name": "nothing"}, None, {"name": "check_balance", "arguments": None}]
    missing, unknown, no_call, balance = [strict_json(text) for text in episode.act(batch)]
    assert list(missing) == list(unknown) == list(no_call) == ["error"]
    assert balance["bank_balance"] == round(base().bank, 2)
    assert "check_balance" in unknown["error"]


def test_calls_after_the_end_are_refused_one_by_one() -> None:
    episode = base().copy()
    episode.finish()
    state = belongings(episode)
    batch: list[Any] = [*({"name": name, "arguments": {}} for name in SCHEMAS), 7]
    replies = [strict_json(text) for text in episode.act(batch)]
    assert len(replies) == len(batch)
    assert all(list(reply) == ["error"] and "over" in reply["error"] for reply in replies)
    assert belongings(episode) == state
    assert episode.now == base().now
