"""Whom the steady merchant refuses to buy from: real suppliers of a whole world, told by what they ask and do."""

import json
from statistics import fmean
from typing import Any

import pytest

from ecbench import Episode, load_world
from ecbench.players.merchants.protocol import Reply
from ecbench.players.merchants.steady.haggling import (
    names_bait_price,
    screen_letter,
    screen_order,
    screen_quotes,
)
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, Source
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.model import Supplier, World

LOW = 0.15  # of reference
GOODS = 6


@pytest.fixture(scope="module")
def world() -> World:
    return load_world("default")


@pytest.fixture(scope="module")
def state(world: World) -> MerchantState:
    goods = {item.sku: LineGoods(item.sku, item.category, item.reference_price) for item in world.products}
    return MerchantState(days=365, goods=goods, bank=100_000.0)


@pytest.fixture(scope="module")
def replies(world: World) -> dict[str, tuple[Reply, Reply]]:
    """By supplier: the replies to two low bids for a few goods of its category."""
    episode, found = Episode(world), {}
    for supplier in world.suppliers:
        bids = [
            {"action": "offer", "sku_id": item.sku, "price": round(LOW * item.reference_price, 2), "quantity": 2}
            for item in world.products_by_category[supplier.category][:GOODS]
        ]
        content = f"Our bid.\n```negotiate\n{json.dumps(bids)}\n```"
        call = {"name": "chatbox", "arguments": {"uid": supplier.email, "content": content}}
        first, second = (json.loads(episode.act([call])[0]) for _ in range(2))
        found[supplier.name] = first, second
    return found


def quoted(state: MerchantState, reply: Reply) -> float:
    """Over reference, on average."""
    rows: list[dict[str, Any]] = reply["negotiation_responses"]
    return fmean(row["price"] / state.goods[row["sku_id"]].reference for row in rows)


def of_kind(world: World, *scams: str) -> list[Supplier]:
    return [supplier for supplier in world.suppliers if supplier.scam in scams]


def test_every_price_that_is_too_good_to_be_true_is_seen_and_no_honest_letter_has_one(
    world: World, state: MerchantState, replies: dict[str, tuple[Reply, Reply]]
) -> None:
    baited = {name for name, (first, _) in replies.items() if names_bait_price(state, first)}
    assert baited == {supplier.name for supplier in of_kind(world, "vip_fee", "future_discount")}


def test_suppliers_whose_quotes_hardly_fall_are_those_with_a_raised_floor(
    world: World, state: MerchantState, replies: dict[str, tuple[Reply, Reply]]
) -> None:
    dropped = {}
    for supplier in world.suppliers:
        source = Source(supplier.name, supplier.email)
        path = [quoted(state, reply) for reply in replies[supplier.name]]
        screen_quotes(source, path, going=world.category_by_name[supplier.category].floor_ratio)
        dropped[supplier.name] = source.dropped
    raised, honest = of_kind(world, *PRE_DEAL), of_kind(world, "")
    assert sum(dropped[supplier.name] for supplier in raised) > 0.95 * len(raised)
    assert sum(dropped[supplier.name] for supplier in honest) < 0.05 * len(honest)


def test_words_alone_drop_nobody(state: MerchantState) -> None:
    source = Source("Fir Traders", "fir@example.test")
    letter = "Join our VIP Membership for ¥1,000 today, hurry: last batch, other buyers wait, loyal buyers pay 30%!"
    screen_letter(state, source, {"supplier_reply": letter, "negotiation_responses": []})
    assert source.contacted and not source.dropped


def test_a_supplier_that_refuses_a_paid_order_is_dropped_and_one_that_was_not_paid_is_not(state: MerchantState) -> None:
    refused = {"failed_orders": [{"sku_id": "x", "error": "orders here are for members"}]}
    source = Source("Gum Traders", "gum@example.test")
    screen_order(state, source, 150_000.0, refused)
    assert not source.dropped
    screen_order(state, source, 500.0, refused)
    assert source.dropped


def test_a_supplier_that_has_closed_is_dropped(state: MerchantState) -> None:
    source = Source("Gone", "gone@example.test")
    screen_letter(state, source, {"message": "supplier_bankrupt", "supplier_reply": "Closed."})
    assert source.dropped
