"""A bank that does not hold enough: what is told of it can be read again."""

from hypothesis import given
from hypothesis import strategies as st

from ecbench.market.insufficient_funds import missing_in, order_too_dear, store_too_dear

CENTS = st.integers(-(10**11), 10**11).map(lambda cents: cents / 100)


@given(CENTS, CENTS)
def test_what_the_bank_lacked_is_read_from_what_was_told(bank: float, price: float) -> None:
    lacked = round(price - bank, 2)
    for told in (order_too_dear(bank, price), store_too_dear(price, bank)):
        assert round(missing_in(f'{{"error":"{told}"}}'), 2) == lacked


def test_of_several_refusals_the_largest_counts_and_nothing_else_does() -> None:
    told = [order_too_dear(10.0, 30.0), order_too_dear(10.0, 510.0), store_too_dear(2_000.0, 1_999.5)]
    assert missing_in(" ".join(told)) == 500.0
    assert missing_in("The bank holds ¥3.00, less than the ¥400.00 that a day of operations costs.") == 0.0
