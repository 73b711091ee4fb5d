"""Every figure about the market: promotions, seasons, suppliers, margins, freight."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.tools.tea_shop import TeaShop

from ecbench.episode import Episode
from ecbench.tools.inventory import speed_note
from ecbench.world.load import load_world


def test_a_promotion_tells_whether_it_runs_and_how_much_it_can_bring(tea_shop: TeaShop) -> None:
    tea_shop.year.account.market.date = date(2026, 2, 28)
    arguments = {"store_id": "store_001", "event_name": "Spring Week", "discount_rate": 0.05}
    assert tea_shop.ask("join_promotion", **arguments) == {
        "success": True,
        "store_id": "store_001",
        "event": "Spring Week",
        "discount_rate": 0.05,
        "active_now": False,
        "max_demand_multiplier": 2.5,
    }
    tea_shop.year.account.market.date = date(2026, 3, 1)
    assert tea_shop.ask("join_promotion", **{**arguments, "discount_rate": 0.5})["active_now"] is True
    tea_shop.year.account.market.date = date(2026, 1, 30)  # thirty days ahead, and the day before
    assert tea_shop.ask("join_promotion", **arguments)["success"] is True
    tea_shop.year.account.market.date = date(2026, 1, 29)
    assert tea_shop.ask("join_promotion", **arguments)["success"] is False


def test_the_season_of_a_store_type_is_an_index_with_its_peak_and_low(tea_shop: TeaShop) -> None:
    reply = tea_shop.ask("market_search", store_type="tea")
    assert reply["monthly_sales_index"] == [100, 90, 100, 100, 100, 125, 100, 100, 100, 100, 140, 100]
    assert (reply["season_peak_month"], reply["season_low_month"], reply["tier"]) == (11, 2, 3)
    assert (reply["count"], reply["daily_ops_cost"]) == (2, 60.0)


def test_a_supplier_that_has_closed_leaves_every_search(tea_shop: TeaShop) -> None:
    def found(**search: str) -> set[str]:
        reply = tea_shop.ask("supplier_search", **search)
        assert reply["count"] == len(reply["results"])
        return {row["supplier_name"] for row in reply["results"]}

    assert found() == {"Hill Farm", "Roast & Sons", "Tin Works"}
    assert (found(category="Green Tea"), found(store_type="pots")) == ({"Hill Farm"}, {"Tin Works"})
    tea_shop.year.account.closed_suppliers.add("Hill Farm")
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


def test_freight_is_compared_with_the_standard_one_in_words(tea_shop: TeaShop) -> None:
    rules = tea_shop.year.account.rules
    assert speed_note(rules) == "Fast costs more and brings fewer returns; slow is cheap and brings more."
    even = rules.with_overrides(
        {
            "freight_factor": {"fast": 1, "standard": 1, "slow": 2},
            "speed_return_factor": {"fast": 1, "standard": 1, "slow": 0.5},
        }
    )
    assert speed_note(even) == "Fast costs the same and brings as many returns; slow costs more and brings fewer."
