"""How figures are formed and rounded."""

import pytest

from ecbench.metrics.estimators import figure, mean_or_null, mean_or_zero, share, yuan


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
