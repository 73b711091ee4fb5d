"""Bands of 95%, by how much is known of the spread."""

import pytest

from ecbench.compare.power import critical_value
from ecbench.quantiles import NORMAL, STUDENT, student


@pytest.mark.parametrize("degrees", [1, 2, 7, 29, 30, 31, 40, 99, 1_000])
def test_a_band_is_as_wide_as_students_distribution_says(degrees: int) -> None:
    assert student(degrees) == pytest.approx(critical_value(degrees), rel=2e-4)


def test_the_more_is_known_of_the_spread_the_narrower_is_the_band() -> None:
    widths = [student(degrees) for degrees in range(1, 3 * len(STUDENT))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] > NORMAL
