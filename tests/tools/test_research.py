"""Researching the market and finding suppliers and products."""

from typing import Any

import pytest
from tests.tools.pet_shop import Ask

from ecbench.world.model import World

FACTS = {
    *("store_type", "store_name", "tier", "profit_potential", "daily_ops_cost", "store_advantage", "strengths"),
    *("challenges", "operating_tips", "subcategories", "monthly_sales_index", "season_peak_month", "season_low_month"),
}


def test_the_overview_tells_of_every_store_type(new: Ask, world: World) -> None:
    reply = new("market_search")
    assert set(reply) == {"view", "store_types", "count", "note", "current_time"}
    assert (reply["view"], reply["count"]) == ("store_type_overview", 12)
    for row, store_type in zip(reply["store_types"], world.store_types, strict=True):
        assert set(row) == FACTS | {"num_subcategories"}
        assert row["subcategories"] == list(store_type.categories)
        assert row["monthly_sales_index"] == [round(100 * month) for month in store_type.seasonality]
        assert row["season_peak_month"] == store_type.seasonality.index(max(store_type.seasonality)) + 1


def test_a_store_type_lists_its_categories_with_price_ranges(new: Ask) -> None:
    reply = new("market_search", store_type="beauty")
    assert set(reply) == FACTS | {"view", "count", "current_time"}
    assert reply["view"] == "store_detail"
    assert {frozenset(row) for row in reply["subcategories"]} == {
        frozenset({"category", "reference_price_range", "default_size"})
    }
    assert all(row["reference_price_range"].startswith("¥") for row in reply["subcategories"])


def test_a_category_has_its_details_with_labels_for_figures(new: Ask) -> None:
    reply = new("market_search", category="Skincare & Beauty", store_type="beauty")
    assert set(reply) == {"view", "detail", "current_time"}
    assert set(reply["detail"]) == {
        *("category", "store_type", "store_name", "default_size", "reference_price_range", "return_rate_note"),
        *("typical_gross_margin", "typical_monthly_sales_range", "shipping_cost_per_unit", "store_advantage"),
        *("storage_cost_per_unit_per_day", "monthly_sales_index", "season_peak_month", "season_low_month"),
    }


@pytest.mark.parametrize(
    ("arguments", "view", "valid"),
    [
        ({"store_type": "moon"}, "store_detail", "beauty"),
        ({"category": "Rockets"}, "subcategory_detail", "Skincare & Beauty"),
        ({"category": "Skincare & Beauty", "store_type": "pet"}, "subcategory_detail", "Pet Supplies"),
    ],
)
def test_what_matches_nothing_is_told_the_valid_names(new: Ask, arguments: Any, view: str, valid: str) -> None:
    reply = new("market_search", **arguments)
    assert set(reply) == {"view", "results", "note", "current_time"}
    assert (reply["view"], reply["results"]) == (view, [])
    assert valid in reply["note"]


def test_an_empty_string_counts_as_absent(new: Ask) -> None:
    assert new("market_search", store_type="", category="")["view"] == "store_type_overview"


def test_supplier_filters_combine_and_the_order_is_shuffled_anew(new: Ask, world: World) -> None:
    reply = new("supplier_search", category="Pet Supplies")
    assert set(reply) == {"results", "count", "note", "current_time"}
    assert {frozenset(row) for row in reply["results"]} == {
        frozenset({"supplier_name", "supplier_email", "categories_served"})
    }
    names = [row["supplier_name"] for row in reply["results"]]
    again = [row["supplier_name"] for row in new("supplier_search", category="Pet Supplies")["results"]]
    assert set(names) == set(again) == {s.name for s in world.suppliers_by_category["Pet Supplies"]}
    assert names != again
    assert new("supplier_search", category="Pet Supplies", store_type="beauty")["results"] == []


def test_a_product_name_finds_the_suppliers_of_its_category_ignoring_case(new: Ask, world: World) -> None:
    product = world.products[0]
    found = new("supplier_search", product_name=product.title.upper())
    assert {name for row in found["results"] for name in row["categories_served"]} == {product.category}
