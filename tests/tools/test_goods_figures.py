"""Every figure about goods and money: the warehouse, orders, shipments, the balance."""

from datetime import date
from typing import Any

from tests.tools.tea_shop import LONG, TeaShop

from ecbench.market.ledger import hold_in_escrow
from ecbench.market.stock import list_units


def test_the_warehouse_counts_free_units_at_their_mean_cost(tea_shop: TeaShop) -> None:
    item = {"quantity": 18, "product": LONG[:60], "category": "Green Tea", "purchase_price": 6.0, "size": "Small"}
    assert tea_shop.ask("check_warehouse") == {"total_items": 18, "total_value": 108.0, "items": {"a1": item}}
    list_units(tea_shop.store, tea_shop.tea, 18, 12.5)
    assert tea_shop.ask("check_warehouse") == {"total_items": 0, "total_value": 0.0, "items": {}}


def test_a_product_is_listed_with_eighty_characters_of_its_title(tea_shop: TeaShop) -> None:
    reply = tea_shop.ask("list_products", category="Green Tea")
    assert reply["results"] == [
        {
            "product_id": "a1",
            "title": LONG[:80],
            "category": "Green Tea",
            "brand": "Leaf",
            "size": "Small",
            "reference_price": 12.5,
        }
    ]
    assert reply["total"] == 1
    assert tea_shop.ask("list_products", category="Green Tea", store_type="pots")["total"] == 0
    assert tea_shop.ask("list_products", category="Green Tea", store_type="tea")["total"] == 1
    assert [tea_shop.ask("list_products", store_type=kind)["total"] for kind in ("tea", "pots", "sea")] == [2, 1, 0]
    assert tea_shop.ask("list_products")["total"] == 3


def test_the_last_free_unit_can_be_published_and_no_more(tea_shop: TeaShop) -> None:
    def publish(quantity: int) -> dict[str, Any]:
        plan = [{"product_id": "a1", "quantity": quantity, "retail_price": 13}]
        [row] = tea_shop.ask("publish_to_store", store_id="store_001", plan=plan)["results"]
        assert isinstance(row, dict)
        return row

    assert "only 18 free units" in publish(19)["error"]
    assert publish(17) == {"product_id": "a1", "success": True, "quantity_stocked": 17, "retail_price": 13.0}
    assert publish(1)["success"] is True
    assert "no free units" in publish(1)["error"]


def test_pending_orders_show_what_they_would_bring(tea_shop: TeaShop) -> None:
    reply = tea_shop.ask("ship_orders", action="list")
    assert reply["pending_shipments"] == [
        {
            "shipment_id": 3,
            "store_id": "store_001",
            "product_id": "a1",
            "quantity": 4,
            "unit_price": 12.5,
            "revenue_net_if_shipped": 49.0,
            "sale_date": "2025-12-31",
            "ship_deadline": "2026-01-02",
            "days_left": 1,
        }
    ]
    assert reply["count"] == 1 and set(reply) == {"pending_shipments", "count", "note"}


def test_a_shipment_shows_its_freight_and_what_enters_escrow(tea_shop: TeaShop) -> None:
    assert tea_shop.ask("ship_orders", speed="SLOW") == {
        "success": True,
        "speed": "slow",
        "shipped_count": 1,
        "total_shipping_cost": 1.0,  # four small packets at half of ¥0.50
        "total_revenue_into_escrow": 49.0,
        "bank_balance": 499.0,
        "pending_settlement": 49.0,
        "shipments": [
            {
                "shipment_id": 3,
                "product_id": "a1",
                "quantity": 4,
                "ship_cost": 1.0,
                "revenue_into_escrow": 49.0,
                "settles_on": "2026-01-10",
            }
        ],
    }


def test_the_balance_adds_up_its_pots_and_the_next_five_days_of_settlement(tea_shop: TeaShop) -> None:
    purse, today = tea_shop.books.purse, date(2026, 1, 1).toordinal()
    purse.wallet = 20.0
    for day in range(1, 8):
        hold_in_escrow(purse, [1.111, 2.222] if day != 2 else [], today + day)
    reply = tea_shop.ask("check_balance")
    del reply["note"]
    assert reply == {
        "bank_balance": 500.0,
        "platform_wallet": 20.0,
        "pending_settlement": 20.0,  # six times 3.333 is 19.998
        "unshipped_sales_value": 49.0,
        "total": 540.0,
        "upcoming_settlements": {f"2026-01-0{day}": 3.33 for day in (2, 4, 5, 6, 7)},
        "day": 0,
        "date": "2026-01-01",
    }


def test_withdrawing_takes_the_rounded_balance_for_the_whole(tea_shop: TeaShop) -> None:
    purse = tea_shop.books.purse
    purse.wallet = 10.0
    refused = tea_shop.ask("withdraw", amount=10.006)
    assert refused["success"] is False and "at most that" in refused["error"]
    assert tea_shop.ask("withdraw", amount=10.005) == {
        "success": True,
        "withdrawn": 10.0,
        "bank_balance": 510.0,
        "platform_wallet": 0.0,
    }
    purse.wallet = 0.5
    assert tea_shop.ask("withdraw", amount=0.2)["platform_wallet"] == 0.3
    assert tea_shop.ask("withdraw")["withdrawn"] == 0.3
    assert "empty" in tea_shop.ask("withdraw", amount=0)["error"]
