"""Every figure about a store: yesterday's lines, its costs, what selling it off brings, the source of returns."""

from dataclasses import replace

import pytest
from tests.tools.tea_shop import LONG, TeaShop

from ecbench.market.books import Enrolment, PendingReturn
from ecbench.market.day_demand import DayDemand
from ecbench.market.stock import list_units, receive, stock_of
from ecbench.market.storefronts import open_store


def test_a_store_shows_yesterday_line_by_line_and_in_sum(tea_shop: TeaShop) -> None:
    tea_shop.store.moved = [PendingReturn(2, "store_001", tea_shop.goods, 3, 0.75, 0, 0)]
    tea_shop.store.enrolment = Enrolment(tea_shop.year.world.promotions[0], 0.15)
    tea_shop.ask("ship_orders")
    tea_shop.store.reputation = 0.45678
    assert tea_shop.ask("check_store_status", store_id="store_001") == {
        "store_id": "store_001",
        "store_type": "tea",
        "store_name": "Leaf",
        "is_open": True,
        "opened_date": "2026-01-01",
        "reputation": 0.457,
        "promotion": "Spring Week",
        "promotion_discount": 0.15,
        "yesterday_summary": {
            "revenue": 50.0,
            "returns_count": 3,
            "refunds": 37.5,
            "shipping_cost": 2.0,
            "net": 10.5,
        },
        "products": [
            {
                "product_id": "a1",
                "title": LONG[:60],
                "category": "Green Tea",
                "quantity": 8,
                "retail_price": 12.5,
                "yesterday_sold": 4,
                "yesterday_returned": 3,
            }
        ],
    }


def test_what_rivals_charge_stands_beside_the_products_on_the_shelf(tea_shop: TeaShop) -> None:
    coffee = stock_of(tea_shop.year.account, tea_shop.year.world.product_by_sku["a2"])
    receive(tea_shop.books, coffee, "Roast & Sons", 5, 40.0, defective=False, today=1)
    list_units(tea_shop.store, coffee, 5, 88.0)
    charges = {"a1": {0: 12.5, 1: 11.119, 2: 10.999}, "a2": {0: 88.0}, "a3": {1: 7.0}}
    tea_shop.year.account.market.demand = DayDemand({}, charges)
    rows = tea_shop.ask("check_store_status", store_id="store_001")["products"]
    assert [(row["product_id"], row.get("lowest_rival_price")) for row in rows] == [("a1", 11.0), ("a2", None)]


def test_all_stores_stand_in_a_line_each_and_what_left_the_shelf_keeps_its_line_of_yesterday(tea_shop: TeaShop) -> None:
    tea_shop.ask("return_to_warehouse", store_id="store_001", items=[{"product_id": "a1", "quantity": 8}])
    [row] = tea_shop.ask("check_store_status", store_id="store_001")["products"]
    assert (row["quantity"], row["retail_price"], row["yesterday_sold"]) == (0, 0.0, 4)
    tea_shop.ask("close_store", store_id="store_001")
    open_store(tea_shop.year.account, tea_shop.year.world.store_type_by_id["pots"], "Pots")
    reply = tea_shop.ask("check_store_status")
    assert (reply["open_stores"], reply["max_stores"]) == (1, 4)
    assert [(row["store_id"], row["is_open"], row["total_products"]) for row in reply["stores"]] == [
        ("store_001", False, 0),
        ("store_002", True, 0),
    ]


def test_a_store_sold_off_names_what_each_product_brought(tea_shop: TeaShop) -> None:
    reply = tea_shop.ask("close_store", store_id="store_001", liquidate=True)
    del reply["note"]
    assert reply == {
        "success": True,
        "store_id": "store_001",
        "liquidated": True,
        "items_liquidated": {"a1": {"quantity": 8, "salvage": 4.8}},  # a tenth of eight times ¥6
        "total_units_liquidated": 8,
        "salvage_credited": 4.8,
        "salvage_rate": 0.1,
        "bank_balance": 504.8,
    }


def test_a_store_costs_its_fee_to_the_last_yuan_and_its_day_by_tier(tea_shop: TeaShop) -> None:
    tea_shop.ask("close_store", store_id="store_001")
    assert tea_shop.ask("open_store", store_type="tea", store_name="Leaf") == {
        "success": True,
        "store_id": "store_002",
        "store_type": "tea",
        "store_name": "Leaf",
        "setup_fee_charged": 500.0,
        "daily_ops_cost": 60.0,
        "is_reopen": True,
        "reopen_note": "A store of this type was open before; its reputation starts over.",
        "bank_balance": 0.0,
        "allowed_categories": ["Green Tea", "Coffee Beans"],
    }
    refused = tea_shop.ask("open_store", store_type="pots", store_name="Pots")
    assert refused["success"] is False and "the bank holds ¥0.00" in refused["error"]


def test_returns_are_traced_to_suppliers_by_their_share_the_largest_first(tea_shop: TeaShop) -> None:
    tea_shop.tea.sold, tea_shop.tea.returned = 12, 1
    receive(tea_shop.books, tea_shop.tea, "Coast", 30, 5.0, defective=True, today=3)
    assert tea_shop.ask("trace_return_sources")["products"] == [
        {
            "product_id": "a1",
            "title": LONG[:60],
            "category": "Green Tea",
            "total_units_delivered": 60,
            "units_sold": 12,
            "units_returned": 1,
            "realized_return_rate": 0.083,
            "natural_baseline_return_rate": 0.01,
            "supplier_sources": [
                {"supplier": "Coast", "units_delivered": 30, "share": 0.5},
                {"supplier": "Hill Farm", "units_delivered": 20, "share": 0.333},
                {"supplier": "Valley", "units_delivered": 10, "share": 0.167},
            ],
            "note": "Returns run above this product's natural rate.",
        }
    ]


def test_a_product_of_which_nothing_ever_came_has_no_trace(tea_shop: TeaShop) -> None:
    stock_of(tea_shop.year.account, tea_shop.year.world.product_by_sku["a2"])
    assert [row["product_id"] for row in tea_shop.ask("trace_return_sources")["products"]] == ["a1"]
    assert "no history for 'a2'" in tea_shop.ask("trace_return_sources", product_id="a2")["error"]
    tea_shop.tea.sold = tea_shop.tea.returned = 0
    [row] = tea_shop.ask("trace_return_sources")["products"]
    assert (row["realized_return_rate"], row["note"]) == (0.0, "")


@pytest.mark.parametrize(
    ("sold", "returned", "natural", "note"),
    [
        (9, 9, 0.01, ""),  # too few to say anything
        (10, 10, 0.01, "far above"),
        (400, 75, 0.125, "run above"),  # one and a half times
        (400, 74, 0.125, ""),
        (100, 25, 0.1, "far above"),  # a quarter, and more than twice
        (100, 24, 0.1, "run above"),
        (100, 39, 0.2, "run above"),  # a quarter, but less than twice
        (100, 40, 0.2, "far above"),
    ],
)
def test_the_note_on_returns_follows_from_the_rates(
    tea_shop: TeaShop, sold: int, returned: int, natural: float, note: str
) -> None:
    tea_shop.tea.product = replace(tea_shop.tea.product, return_rate=natural)
    tea_shop.tea.sold, tea_shop.tea.returned = sold, returned
    [row] = tea_shop.ask("trace_return_sources")["products"]
    assert note in row["note"] and bool(note) == bool(row["note"])
