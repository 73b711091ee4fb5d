import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.suppliers.grammar import BargainAction, read_message


def fence(body: str) -> str:
    return f"```negotiate\n{body}\n```"


def only(body: str) -> BargainAction:
    (action,) = read_message(fence(body)).actions
    return action


def test_one_object_an_array_and_one_per_line_all_count() -> None:
    one = '{"action": "offer", "sku_id": "a1", "price": 2.5, "quantity": 3}'
    two = '{"action": "reject", "sku_id": "b2"}'
    offer, reject = BargainAction("offer", "a1", 2.5, 3), BargainAction("reject", "b2", None, 1)
    assert read_message(fence(one)).actions == (offer,)
    assert read_message(fence(f"[{one}, {two}]")).actions == (offer, reject)
    assert read_message(fence(f"{one}\nnot json\n[{two}]\n{two}")).actions == (offer, reject)
    assert read_message(fence(one) + " and " + fence(two)).actions == (offer, reject)


def test_a_line_that_is_no_object_by_itself_is_left_out_whatever_stands_beside_it() -> None:
    opened = '{"action": "offer", "sku_id": "a", "price": [{"x": 1}'
    closed = '{"y": 2}]}'
    two = '{"action": "offer", "sku_id": "b", "price": 1},{"action": "offer", "sku_id": "c", "price": 2}'
    assert read_message(fence("\n".join([opened, closed, two]))).actions == ()
    one = '{"action": "reject", "sku_id": "d"}'
    commas = [f"{one},", one]
    assert read_message(fence("\n".join(commas))).actions == (BargainAction("reject", "d", None, 1),)


def test_prose_is_everything_outside_the_fences() -> None:
    message = read_message("Dear all, \n" + fence('{"action":"reject","sku_id":"x"}') + "\n regards " + fence("?"))
    assert message.prose == "Dear all,\nregards"


def test_action_names_ignore_case_and_skus_are_trimmed_and_lowered() -> None:
    assert only('{"action": "OFFER", "sku_id": "  A1B2 ", "price": 1}') == BargainAction("offer", "a1b2", 1.0, 1)
    assert only('{"action": "offer", "sku_id": 12, "price": 1}').sku == "12"


@pytest.mark.parametrize(
    "body",
    [
        '{"action": "dance", "sku_id": "a"}',
        '{"action": "offer", "sku_id": "", "price": 1}',
        '{"action": "offer", "sku_id": "  ", "price": 1}',
        '{"action": "offer", "sku_id": null, "price": 1}',
        '{"action": "offer", "price": 1}',
        '{"action": null, "sku_id": "a", "price": 1}',
        '{"action": "offer", "sku_id": "a"}',
        '{"action": "offer", "sku_id": "a", "price": "cheap"}',
        '{"action": "offer", "sku_id": "a", "price": true}',
        '{"action": "offer", "sku_id": "a", "price": NaN}',
        '{"action": "offer", "sku_id": "a", "price": Infinity}',
        '{"action": "offer", "sku_id": "a", "price": "-inf"}',
        '{"action": "offer", "sku_id": "a", "price": [1]}',
        '{"action": "offer", "sku_id": "a", "price": 1' + "0" * 400 + "}",
        '"offer"',
        "17",
        "",
    ],
)
def test_what_is_not_a_well_formed_action_is_dropped(body: str) -> None:
    assert read_message(fence(body)).actions == ()


@pytest.mark.parametrize(
    ("price", "read"), [("13.92", 13.92), ('"13.92"', 13.92), ("0", 0.0), ("-5", -5.0), ('" 7 "', 7.0), ("1e2", 100.0)]
)
def test_numeric_strings_zero_and_negative_prices_are_prices(price: str, read: float) -> None:
    assert only(f'{{"action": "offer", "sku_id": "a", "price": {price}}}').price == read


@pytest.mark.parametrize(
    ("quantity", "read"),
    [
        ("2.9", 2),
        ('"2.9"', 1),
        ('"7"', 7),
        ('"many"', 1),
        ("null", 1),
        ("true", 1),
        ("[3]", 1),
        ("0", 0),
        ("-4", -4),
        ("-0.5", 0),
        ("Infinity", 1),
        ("NaN", 1),
    ],
)
def test_quantities_are_cut_and_what_is_no_number_counts_as_one(quantity: str, read: int) -> None:
    assert only(f'{{"action": "offer", "sku_id": "a", "price": 1, "quantity": {quantity}}}').quantity == read


def test_an_accept_may_lack_its_price_and_a_bad_one_counts_as_missing() -> None:
    assert only('{"action": "accept", "sku_id": "a"}').price is None
    assert only('{"action": "accept", "sku_id": "a", "price": "?"}').price is None


def test_an_unterminated_fence_is_prose() -> None:
    text = 'Hi ```negotiate\n{"action": "reject", "sku_id": "a"}'
    assert read_message(text).actions == ()
    assert read_message(text).prose == text


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "```negotiate" * 80_000,
        "```negotiate\n" + "[" * 5_000_000 + "\n```",
        "```negotiate\n" + '{"a":' * 100_000 + "\n```",
        "```negotiate\n" + "\n" * 500_000 + "```",
        "`" * 1_000_000,
        "```negotiate\n" + "9" * 500_000 + "\n```",
    ],
)
def test_a_megabyte_of_junk_holds_no_action(text: str) -> None:
    """Quadratic reading would not come back from this."""
    assert read_message(text).actions == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "action": st.sampled_from(["offer", "Accept", "REJECT", "x"]) | json_values,
        "sku_id": st.text(max_size=5) | json_values,
        "price": json_values,
        "quantity": json_values,
    },
)


@settings(max_examples=150)
@given(st.lists(st.text(max_size=20) | st.just("```") | entries.map(lambda e: fence(json.dumps(e))), max_size=6))
def test_reading_never_fails_and_keeps_only_sound_actions(parts: list[str]) -> None:
    for action in read_message("\n".join(parts)).actions:
        assert action.kind in ("offer", "accept", "reject")
        assert action.sku == action.sku.strip().lower() != ""
        assert isinstance(action.quantity, int)
        assert action.price is not None or action.kind != "offer"
        assert action.price is None or abs(action.price) < float("inf")
