"""Figures in replies are rounded as Python rounds, only faster."""

from math import inf, nextafter

from hypothesis import given
from hypothesis import strategies as st

from ecbench.decimals import money, ratio
from ecbench.tools.finance import added_in_cents

ties = st.integers(-(10**9), 10**9).map(lambda thousandths: thousandths / 1000)
amounts = st.floats(allow_nan=False) | st.floats(-1e9, 1e9) | st.floats(-2.0, 2.0) | ties


@given(amounts)
def test_money_is_to_the_cent(amount: float) -> None:
    for value in (amount, nextafter(amount, 1e300), nextafter(amount, -1e300)):
        assert repr(money(value)) == repr(round(value, 2))


@given(amounts)
def test_a_ratio_has_three_digits(value: float) -> None:
    assert repr(ratio(value)) == repr(round(value, 3))


@given(st.lists(ties | st.floats(0.01, 1e6) | st.floats(0.01, 1e12) | st.just(inf), max_size=12))
def test_settlements_are_rounded_after_every_addition(amounts: list[float]) -> None:
    total = 0.0
    for amount in amounts:
        total = round(total + amount, 2)
    assert added_in_cents(amounts) == total
