"""Arguments as an agent may send them: what is missing, mistyped or not known is named, and costs what it should."""

import pytest
from tests.tools.tea_shop import TeaShop

from ecbench.gate import is_too_deep
from ecbench.tools.arguments import lenient_count, lenient_number, shown


def test_a_long_value_is_quoted_by_its_beginning(tea_shop: TeaShop) -> None:
    assert shown("a" * 60) == repr("a" * 60)
    assert shown("a" * 61) == repr("a" * 60) + "..."
    prices = [{"product_id": "b" * 41, "price": 1}]
    [row] = tea_shop.ask("set_prices", store_id="store_001", prices=prices)["results"]
    assert row["product_id"] == "b" * 40
    refused = tea_shop.ask("join_promotion", store_id="store_001", event_name="c" * 61, discount_rate=0.1)
    assert f"'{'c' * 60}'" in refused["error"]


@pytest.mark.parametrize(
    ("value", "deepest", "deeper"),
    [
        (7, 1, False),
        ([], 1, False),
        ([7], 1, True),
        ([[]], 2, False),
        ([1, {"a": [2]}], 3, True),
        ([1, {"a": []}], 3, False),
    ],
)
def test_brackets_within_brackets_are_counted_with_what_they_hold(value: object, deepest: int, deeper: bool) -> None:
    assert is_too_deep(value, deepest) is deeper


@pytest.mark.parametrize(
    ("value", "number", "count"),
    [
        (3, 3.0, 3),
        (2.9, 2.9, 2),
        ("2.9", 2.9, 2),
        (" 7 ", 7.0, 7),
        ("0" * 39 + "5", 5.0, 5),
        ("0" * 40 + "5", None, None),  # longer than any number that is meant
        (True, None, None),
        ("nan", None, None),
        (float("nan"), None, None),
        ("many", None, None),
        (None, None, None),
        ([3], None, None),
    ],
)
def test_items_of_a_list_may_write_their_numbers_as_text(
    value: object, number: float | None, count: int | None
) -> None:
    assert (lenient_number(value), lenient_count(value)) == (number, count)
