"""Every figure of a reply, on a tea shop whose books are set by hand."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ecbench.episode import Episode
from ecbench.market.books import DaySales, Enrolment, PendingReturn, Store
from ecbench.market.ledger import hold_in_escrow
from ecbench.market.stock import list_units, receive, stock_of
from ecbench.market.storefronts import open_store
from ecbench.tools.catalog import TOOLS, only_looks
from ecbench.tools.speeds import speed_note
from ecbench.world.load import load_world

LONG = "A tea of " + "leaves " * 12  # 93 characters


class Shop:
    """Thirty packets of tea in the warehouse, of which twelve are listed, and four sold yesterday."""

    def __init__(self, folder: Path) -> None:
        world = load_world(folder)
        tea, *rest = world.products
        self.year = Episode(replace(world, products=(replace(tea, title=LONG), *rest)), stake=1_000.0)
        account = self.year.account
        self.books = account.books
        self.store: Store = open_store(account, account.world.store_type_by_id["tea"], "Leaf")
        self.tea = stock_of(account, account.world.product_by_sku["a1"])
        receive(self.books, self.tea, "Hill Farm", 20, 5.0, defective=False, today=1)
        receive(self.books, self.tea, "Valley", 10, 8.0, defective=False, today=2)
        list_units(self.store, self.tea, 12, 12.5)
        self.goods = self.tea.appeal.sales[12.5, 0.0][4]
        self.store.shelf["a1"].quantity -= 4
        self.tea.sold += 4
        self.sales = DaySales(self.store.id, date(2025, 12, 31), 4, {3: self.goods})
        self.books.pending = [self.sales]
        self.store.sold_yesterday = self.sales.goods

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What it answers, but for the time and the reminder that a poor merchant gets."""
        [text] = self.year.act([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        del reply["current_time"]
        reply.pop("balance_reminder", None)
        return reply


@pytest.fixture
def shop(small_world: Path) -> Shop:
    return Shop(small_world)


def test_the_warehouse_counts_free_units_at_their_mean_cost(shop: Shop) -> None:
    item = {"quantity": 18, "product": LONG[:60], "category": "Green Tea", "purchase_price": 6.0, "size": "Small"}
    assert shop.ask("check_warehouse") == {"total_items": 18, "total_value": 108.0, "items": {"a1": item}}
    list_units(shop.store, shop.tea, 18, 12.5)
    assert shop.ask("check_warehouse") == {"total_items": 0, "total_value": 0.0, "items": {}}


def test_a_product_is_listed_with_eighty_characters_of_its_title(shop: Shop) -> None:
    reply = shop.ask("list_products", category="Green Tea")
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
    assert shop.ask("list_products", category="Green Tea", store_type="pots")["total"] == 0
    assert shop.ask("list_products", category="Green Tea", store_type="tea")["total"] == 1
    assert [shop.ask("list_products", store_type=kind)["total"] for kind in ("tea", "pots", "sea")] == [2, 1, 0]
    assert shop.ask("list_products")["total"] == 3


def test_the_last_free_unit_can_be_published_and_no_more(shop: Shop) -> None:
    def publish(quantity: int) -> dict[str, Any]:
        plan = [{"product_id": "a1", "quantity": quantity, "retail_price": 13}]
        [row] = shop.ask("publish_to_store", store_id="store_001", plan=plan)["results"]
        assert isinstance(row, dict)
        return row

    assert "only 18 free units" in publish(19)["error"]
    assert publish(17) == {"product_id": "a1", "success": True, "quantity_stocked": 17, "retail_price": 13.0}
    assert publish(1)["success"] is True
    assert "no free units" in publish(1)["error"]


def test_pending_orders_show_what_they_would_bring(shop: Shop) -> None:
    reply = shop.ask("ship_orders", action="list")
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
    assert reply["count"] == 1


def test_a_shipment_shows_its_freight_and_what_enters_escrow(shop: Shop) -> None:
    assert shop.ask("ship_orders", speed="slow") == {
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


def test_the_balance_adds_up_its_pots_and_the_next_five_days_of_settlement(shop: Shop) -> None:
    purse, today = shop.books.purse, date(2026, 1, 1).toordinal()
    purse.wallet = 20.0
    for day in range(1, 8):
        hold_in_escrow(purse, {day: 1.111, 10 + day: 2.222} if day != 2 else {}, today + day)
    reply = shop.ask("check_balance")
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


@pytest.mark.parametrize(
    ("held", "shown"),
    [([0.005, 0.005], 0.01), ([0.125, 0.125], 0.24), ([2.675, 0.004], 2.67), ([1e9, 0.25], 1_000_000_000.25)],
)
def test_a_settlement_is_rounded_after_every_addition(shop: Shop, held: list[float], shown: float) -> None:
    hold_in_escrow(shop.books.purse, dict(enumerate(held)), date(2026, 1, 5).toordinal())
    assert shop.ask("check_balance")["upcoming_settlements"] == {"2026-01-05": shown}


def test_a_store_shows_yesterday_line_by_line_and_in_sum(shop: Shop) -> None:
    shop.store.came_back = [PendingReturn(2, "store_001", shop.goods, 3, 0.75, 0)]
    shop.store.enrolment = Enrolment(shop.year.world.promotions[0], 0.15)
    shop.ask("ship_orders")
    shop.store.reputation = 0.45678
    assert shop.ask("check_store_status", store_id="store_001") == {
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


def test_what_rivals_charge_stands_beside_the_products_on_the_shelf(shop: Shop) -> None:
    coffee = stock_of(shop.year.account, shop.year.world.product_by_sku["a2"])
    receive(shop.books, coffee, "Roast & Sons", 5, 40.0, defective=False, today=1)
    list_units(shop.store, coffee, 5, 88.0)
    shop.year.account.market.charges = {"a1": {0: 12.5, 1: 11.119, 2: 10.999}, "a2": {0: 88.0}, "a3": {1: 7.0}}
    rows = shop.ask("check_store_status", store_id="store_001")["products"]
    assert [(row["product_id"], row.get("lowest_rival_price")) for row in rows] == [("a1", 11.0), ("a2", None)]


def test_all_stores_stand_in_a_line_each_and_what_left_the_shelf_keeps_its_line_of_yesterday(shop: Shop) -> None:
    shop.ask("return_to_warehouse", store_id="store_001", items=[{"product_id": "a1", "quantity": 8}])
    [row] = shop.ask("check_store_status", store_id="store_001")["products"]
    assert (row["quantity"], row["retail_price"], row["yesterday_sold"]) == (0, 0.0, 4)
    shop.ask("close_store", store_id="store_001")
    open_store(shop.year.account, shop.year.world.store_type_by_id["pots"], "Pots")
    reply = shop.ask("check_store_status")
    assert (reply["open_stores"], reply["max_stores"]) == (1, 4)
    assert [(row["store_id"], row["is_open"], row["total_products"]) for row in reply["stores"]] == [
        ("store_001", False, 0),
        ("store_002", True, 0),
    ]


def test_a_store_sold_off_names_what_each_product_brought(shop: Shop) -> None:
    reply = shop.ask("close_store", store_id="store_001", liquidate=True)
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


def test_a_store_costs_its_fee_to_the_last_yuan_and_its_day_by_tier(shop: Shop) -> None:
    shop.ask("close_store", store_id="store_001")
    assert shop.ask("open_store", store_type="tea", store_name="Leaf") == {
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
    refused = shop.ask("open_store", store_type="pots", store_name="Pots")
    assert refused["success"] is False and "the bank holds ¥0.00" in refused["error"]


def test_returns_are_traced_to_suppliers_by_their_share_the_largest_first(shop: Shop) -> None:
    shop.tea.sold, shop.tea.returned = 12, 1
    receive(shop.books, shop.tea, "Coast", 30, 5.0, defective=True, today=3)
    assert shop.ask("trace_return_sources")["products"] == [
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
            "note": "Returns run above this product's baseline: watch its price, shipping speed and suppliers.",
        }
    ]


def test_a_product_of_which_nothing_ever_came_has_no_trace(shop: Shop) -> None:
    stock_of(shop.year.account, shop.year.world.product_by_sku["a2"])
    assert [row["product_id"] for row in shop.ask("trace_return_sources")["products"]] == ["a1"]
    assert "no history for 'a2'" in shop.ask("trace_return_sources", product_id="a2")["error"]
    shop.tea.sold = shop.tea.returned = 0
    [row] = shop.ask("trace_return_sources")["products"]
    assert (row["realized_return_rate"], row["note"]) == (0.0, "")


@pytest.mark.parametrize(
    ("sold", "returned", "natural", "note"),
    [
        (9, 9, 0.01, ""),  # too few to say anything
        (10, 10, 0.01, "suspect"),
        (400, 75, 0.125, "watch"),  # one and a half times
        (400, 74, 0.125, ""),
        (100, 25, 0.1, "suspect"),  # a quarter, and more than twice
        (100, 24, 0.1, "watch"),
        (100, 39, 0.2, "watch"),  # a quarter, but less than twice
        (100, 40, 0.2, "suspect"),
    ],
)
def test_the_note_on_returns_follows_from_the_rates(
    shop: Shop, sold: int, returned: int, natural: float, note: str
) -> None:
    shop.tea.product = replace(shop.tea.product, return_rate=natural)
    shop.tea.sold, shop.tea.returned = sold, returned
    [row] = shop.ask("trace_return_sources")["products"]
    assert note in row["note"] and bool(note) == bool(row["note"])


def test_a_promotion_tells_whether_it_runs_and_how_much_it_can_bring(shop: Shop) -> None:
    shop.year.account.market.date = date(2026, 2, 28)
    arguments = {"store_id": "store_001", "event_name": "Spring Week", "discount_rate": 0.05}
    assert shop.ask("join_promotion", **arguments) == {
        "success": True,
        "store_id": "store_001",
        "event": "Spring Week",
        "discount_rate": 0.05,
        "active_now": False,
        "max_demand_multiplier": 2.5,
    }
    shop.year.account.market.date = date(2026, 3, 1)
    assert shop.ask("join_promotion", **{**arguments, "discount_rate": 0.5})["active_now"] is True
    shop.year.account.market.date = date(2026, 1, 30)  # thirty days ahead, and the day before
    assert shop.ask("join_promotion", **arguments)["success"] is True
    shop.year.account.market.date = date(2026, 1, 29)
    assert shop.ask("join_promotion", **arguments)["success"] is False


def test_the_season_of_a_store_type_is_an_index_with_its_peak_and_low(shop: Shop) -> None:
    reply = shop.ask("market_search", store_type="tea")
    assert reply["monthly_sales_index"] == [100, 90, 100, 100, 100, 125, 100, 100, 100, 100, 140, 100]
    assert (reply["season_peak_month"], reply["season_low_month"], reply["tier"]) == (11, 2, 3)
    assert (reply["count"], reply["daily_ops_cost"]) == (2, 60.0)


def test_a_supplier_that_has_closed_leaves_every_search(shop: Shop) -> None:
    def found(**search: str) -> set[str]:
        reply = shop.ask("supplier_search", **search)
        assert reply["count"] == len(reply["results"])
        return {row["supplier_name"] for row in reply["results"]}

    assert found() == {"Hill Farm", "Roast & Sons", "Tin Works"}
    assert (found(category="Green Tea"), found(store_type="pots")) == ({"Hill Farm"}, {"Tin Works"})
    shop.year.account.market.closed_suppliers.add("Hill Farm")
    assert (found(), found(category="Green Tea")) == ({"Roast & Sons", "Tin Works"}, set())
    assert found(store_type="tea") == {"Roast & Sons"}


@pytest.mark.parametrize(
    ("wholesale", "floor", "label"),
    [(0.9, 0.72, "low"), (0.8, 0.78, "moderate"), (0.8, 0.52, "moderate"), (0.75, 0.55, "high"), (0.7, 0.4, "high")],
)
def test_the_margin_is_a_label_for_what_lies_between_list_price_and_floor(
    small_world: Path, wholesale: float, floor: float, label: str
) -> None:
    """Low below a fifth, high from 35 percent on: 19, 21, 34, 35 and 45 percent."""
    world = load_world(small_world)
    tea = replace(world.categories[0], wholesale_ratio=wholesale, floor_ratio=floor)
    year = Episode(replace(world, categories=(tea, *world.categories[1:])))
    [text] = year.act([{"name": "market_search", "arguments": {"category": "Green Tea"}}])
    assert json.loads(text)["detail"]["typical_gross_margin"] == label


def test_freight_is_compared_with_the_standard_one_in_words(shop: Shop) -> None:
    rules = shop.year.account.rules
    assert speed_note(rules) == "Fast costs more and brings fewer returns; slow is cheap and brings more."
    even = rules.with_overrides(
        {
            "freight_factor": {"fast": 1, "standard": 1, "slow": 2},
            "speed_return_factor": {"fast": 1, "standard": 1, "slow": 0.5},
        }
    )
    assert speed_note(even) == "Fast costs the same and brings as many returns; slow costs more and brings fewer."


def test_withdrawing_takes_the_rounded_balance_for_the_whole(shop: Shop) -> None:
    purse = shop.books.purse
    purse.wallet = 10.0
    assert shop.ask("withdraw", amount=10.006)["success"] is False
    assert shop.ask("withdraw", amount=10.005) == {
        "success": True,
        "withdrawn": 10.0,
        "bank_balance": 510.0,
        "platform_wallet": 0.0,
    }
    purse.wallet = 0.5
    assert shop.ask("withdraw")["withdrawn"] == 0.5
    assert shop.ask("withdraw", amount=0)["success"] is False


def test_notes_say_that_they_were_kept(shop: Shop) -> None:
    assert shop.ask("operate_memory", action="add", title="a", content="x") == {
        "success": True,
        "message": "Added the memo 'a'.",
        "total_memos": 1,
    }
    update = {"success": True, "message": "Updated the memo 'a'."}
    assert shop.ask("operate_memory", action="update", title="a", content="y") == update
    assert shop.ask("operate_memory", action="get", title="a") == {"title": "a", "content": "y"}
    delete = {"success": True, "message": "Deleted the memo 'a'.", "total_memos": 0}
    assert shop.ask("operate_memory", action="delete", title="a") == delete


ASKED = [
    *({"name": tool.name, "arguments": {}} for tool in TOOLS if tool.looks is True),
    {"name": "ship_orders", "arguments": {"action": "list"}},
]


@pytest.mark.parametrize("call", ASKED, ids=lambda call: call["name"])
def test_a_call_that_only_looks_leaves_the_business_as_it_was(shop: Shop, call: dict[str, Any]) -> None:
    assert only_looks(call)
    before = shop.year.copy().account.books
    [reply] = shop.year.act([call])
    assert "error" not in json.loads(reply)
    assert shop.books == before


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
