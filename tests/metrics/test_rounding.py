"""How figures are formed and rounded, and the row of each day."""

from collections.abc import Callable

import pytest

from ecbench.market.marketplace import Account
from ecbench.metrics.daily import daily_rows
from ecbench.metrics.rounding import figure, mean_or_null, mean_or_zero, share, yuan


@pytest.mark.parametrize(
    ("part", "whole", "expected"), [(0, 0, 0.0), (1, 0, 1.0), (1, 1, 1.0), (1, 2, 0.5), (1, 3, 0.3333), (5, 0.5, 5.0)]
)
def test_a_share_is_of_one_at_least(part: float, whole: float, expected: float) -> None:
    assert share(part, whole) == expected


def test_figures_have_four_digits_and_yuan_two() -> None:
    assert (figure(0.123456), yuan(0.126), str(figure(-1e-9))) == (0.1235, 0.13, "0.0")


def test_a_mean_of_nothing_is_nothing_or_zero() -> None:
    assert (mean_or_null([]), mean_or_zero([])) == (None, 0.0)
    assert (mean_or_null([1.0, 2.0]), mean_or_zero([1.0, 2.0, 2.0], 2)) == (1.5, 1.67)


def test_a_day_has_what_was_sold_and_cancelled_since_the_one_before(
    account: Account, morning: Callable[..., None]
) -> None:
    """Orders to date: 5 sold and 1 cancelled, then 7 and 2; at the end 8, of which none was sent."""
    for sold, cancelled in ((5, 1), (7, 2)):
        morning(bank=900.0)
        account.books.days[-1] = account.books.days[-1]._replace(orders_sold=sold, orders_cancelled=cancelled)
    account.books.shipment_count, account.books.orders_cancelled, account.ending = 8, 2, "year_end"
    rows = daily_rows(account)
    assert [(row.kind, row.orders_sold, row.orders_cancelled) for row in rows] == [
        ("opening", 0, 0),
        ("morning", 5, 1),
        ("morning", 2, 1),
        ("final", 1, 0),
    ]
    assert [row.orders_voided for row in rows] == [0, 0, 0, 6]  # 8 sold, 2 cancelled, none sent
    first = rows[0].books
    assert (first.bank, first.total, first.wallet, first.units, first.open_stores) == (1_000.0, 1_000.0, 0.0, 0, 0)
