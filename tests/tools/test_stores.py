"""Opening, reading and closing stores, promotions, and where returns come from."""

from typing import Any

import pytest
from tests.tools.pet_shop import Ask

import ecbench
from ecbench.world.model import Product, World

FAILED = {"success", "error", "current_time"}


def test_openings_are_refused_in_the_order_cap_type_duplicate_funds(world: World, new: Ask) -> None:
    new("open_store", store_type="pet", store_name="A")
    for store_type, advice in (("moon", "unknown store type"), ("pet", "already open")):
        reply = new("open_store", store_type=store_type, store_name="B")
        assert set(reply) == FAILED
        assert advice in reply["error"]
    for store_type in ("beauty", "fashion", "shoes_bags"):
        assert new("open_store", store_type=store_type, store_name="C")["success"]
    assert "at most 4" in new("open_store", store_type="moon", store_name="D")["error"]
    poor = ecbench.Episode(world, stake=499)
    [text] = poor.act([{"name": "open_store", "arguments": {"store_type": "pet", "store_name": "E"}}])
    assert "costs ¥500" in text


@pytest.mark.parametrize("choice", [{}, {"liquidate": False}, {"liquidate": None}])
def test_closing_keeps_the_shelf_in_the_warehouse(ask: Ask, shop: ecbench.Episode, choice: dict[str, Any]) -> None:
    shelf = {sku: x.quantity for sku, x in shop.account.books.stores["store_001"].shelf.items() if x.quantity}
    reply = ask("close_store", store_id="store_001", **choice)
    assert set(reply) == {
        *("success", "store_id", "note", "inventory_returned_to_warehouse", "total_items_returned", "current_time"),
    }
    assert reply["inventory_returned_to_warehouse"] == shelf
    assert reply["total_items_returned"] == sum(shelf.values())
    refused = ask("close_store", store_id="store_001")
    assert set(refused) == FAILED
    assert "is closed" in refused["error"]


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("set_prices", {"prices": []}),
        ("publish_to_store", {"plan": []}),
        ("return_to_warehouse", {"items": []}),
        ("join_promotion", {"event_name": "Spring Blossom Sale", "discount_rate": 0.1}),
        ("close_store", {}),
        ("check_store_status", {}),
    ],
)
def test_nothing_works_on_a_store_that_is_not_there(ask: Ask, tool: str, more: dict[str, Any]) -> None:
    reply = ask(tool, store_id="store_404", **more)
    assert set(reply) == FAILED - ({"success"} if tool == "check_store_status" else set())
    assert not reply.get("success") and "store_001" in reply["error"]


def test_a_promotion_is_joined_within_its_month_of_notice(ask: Ask, shop: ecbench.Episode) -> None:
    assert shop.now.strftime("%m-%d") == "01-30"
    joined = ask("join_promotion", store_id="store_001", event_name="Winter Clearance Festival", discount_rate=0.2)
    assert set(joined) == {
        *("success", "store_id", "event", "discount_rate", "active_now", "max_demand_multiplier", "current_time"),
    }
    for name, discount, advice in (
        ("Year-End Finale Sale", 0.2, "within 30 days"),
        ("Winter Clearance Festival", 0.04, "between 0.05 and 0.5"),
        ("Winter Clearance Festival", 0.51, "between 0.05 and 0.5"),
        ("winter clearance festival", 0.2, "no promotion is called"),
    ):
        reply = ask("join_promotion", store_id="store_001", event_name=name, discount_rate=discount)
        assert set(reply) == FAILED
        assert advice in reply["error"]
    assert ask("check_store_status", store_id="store_001")["promotion"] == "Winter Clearance Festival"


def test_returns_are_traced_worst_first(ask: Ask, sold: Product) -> None:
    rows = ask("trace_return_sources")["products"]
    order = [(-row["realized_return_rate"], row["product_id"]) for row in rows]
    assert order == sorted(order) and len(order) > 1
    [one] = ask("trace_return_sources", product_id=sold.sku)["products"]
    assert one in rows
    assert set(ask("trace_return_sources", product_id="0" * 12)) == {"error", "current_time"}
