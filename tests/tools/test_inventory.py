"""The warehouse, the shelves and the queue of orders to ship."""

from dataclasses import replace
from typing import Any

import pytest
from tests.tools.pet_shop import Ask

import ecbench
from ecbench.market.journal import EventBegan
from ecbench.world.model import Product

FAILED_ITEM = {"product_id", "success", "error"}


def test_each_entry_of_a_plan_succeeds_or_fails_alone(ask: Ask, sold: Product) -> None:
    plan = [
        {"product_id": sold.sku, "quantity": 2, "retail_price": 12.5},
        {"product_id": sold.sku, "quantity": "3", "retail_price": "13.5"},
        {"product_id": sold.sku, "quantity": 1.9, "retail_price": 14},
        {"product_id": sold.sku, "quantity": 0, "retail_price": 14},
        {"product_id": sold.sku, "quantity": 1, "retail_price": -1},
        {"product_id": sold.sku, "quantity": 1},
        {"product_id": sold.sku, "quantity": 10**6, "retail_price": 14},
        {"product_id": "0" * 12, "quantity": 1, "retail_price": 14},
        "not an object",
    ]
    reply = ask("publish_to_store", store_id="store_001", plan=plan)
    assert set(reply) == {"store_id", "results", "current_time"}
    done, failed = reply["results"][:3], reply["results"][3:]
    assert [row["quantity_stocked"] for row in done] == [2, 3, 1]
    assert {frozenset(row) for row in done} == {
        frozenset({"product_id", "success", "quantity_stocked", "retail_price"})
    }
    assert all(set(row) == FAILED_ITEM and row["success"] is False and row["error"] for row in failed)
    shelf = ask("check_store_status", store_id="store_001")["products"]
    assert {row["retail_price"] for row in shelf if row["product_id"] == sold.sku} == {14}


def test_a_store_sells_its_own_categories_only(ask: Ask, sold: Product) -> None:
    ask("open_store", store_type="beauty", store_name="Glow")
    plan = [{"product_id": sold.sku, "quantity": 1, "retail_price": 9}]
    [row] = ask("publish_to_store", store_id="store_002", plan=plan)["results"]
    assert "cannot sell Pet Supplies" in row["error"]


def test_prices_change_item_by_item(ask: Ask, sold: Product) -> None:
    prices = [{"product_id": sold.sku, "price": 7.25}, {"product_id": "x", "price": 7}, {"product_id": sold.sku}]
    changed, unknown, missing = ask("set_prices", store_id="store_001", prices=prices)["results"]
    assert changed == {
        "product_id": sold.sku,
        "success": True,
        "old_price": sold.reference_price,
        "new_price": 7.25,
    }
    assert set(unknown) == set(missing) == FAILED_ITEM
    assert "publish_to_store" in unknown["error"]


def test_a_product_delisted_to_nothing_leaves_the_shelf(ask: Ask, shop: ecbench.Episode, sold: Product) -> None:
    listed = shop.account.books.stores["store_001"].shelf[sold.sku].quantity
    items = [{"product_id": sold.sku, "quantity": listed + 1}, {"product_id": sold.sku, "quantity": listed}]
    too_many, all_of_it = ask("return_to_warehouse", store_id="store_001", items=items)["results"]
    assert f"holds {listed} units" in too_many["error"]
    assert all_of_it == {"product_id": sold.sku, "success": True, "returned": listed}
    assert sold.sku not in shop.account.books.stores["store_001"].shelf


def test_unknown_shipments_are_skipped_if_one_matches(ask: Ask, shop: ecbench.Episode) -> None:
    number = shop.account.books.pending[0].first
    assert ask("ship_orders", shipment_ids=[10**9, f"{number}", "x", None])["shipped_count"] == 1


def test_prepared_rows_survive_a_notice_that_is_no_utf_8(ask: Ask, shop: ecbench.Episode) -> None:
    shop.account.post(EventBegan(replace(shop.world.events[0], news="half a pair: \ud83d")))
    reply = ask("ship_orders")
    assert len(reply["shipments"]) == reply["shipped_count"] > 0
    [notices] = reply["system_notifications"]
    assert notices["news"] == [{"type": "event", "content": "half a pair: \ud83d"}]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ({"shipment_ids": []}, "no pending shipment matches"),
        ({"shipment_ids": [10**9]}, "no pending shipment matches"),
        ({"speed": "teleport"}, "fast, standard, slow"),
    ],
)
def test_shipping_nothing_fails(ask: Ask, arguments: dict[str, Any], advice: str) -> None:
    reply = ask("ship_orders", **arguments)
    assert set(reply) == {"success", "error", "current_time"}
    assert advice in reply["error"]
