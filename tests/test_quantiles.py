"""Quantiles of Student's t, and the interval of a mean."""

import pytest

from ecbench.quantiles import mean_interval, student


@pytest.mark.parametrize(
    ("freedom", "printed"),
    [(1, 12.7062), (2, 4.3027), (4, 2.7764), (5, 2.5706), (9, 2.2622), (18, 2.1009), (30, 2.0423), (1_000, 1.9623)],
)
def test_students_t_is_that_of_the_printed_tables(freedom: int, printed: float) -> None:
    assert student(freedom) == pytest.approx(printed, abs=6e-5)


def test_the_interval_of_a_mean_is_students() -> None:
    """Mean 2, standard deviation 1, three values: t with two degrees of freedom is 4.3027."""
    found = mean_interval([1.0, 2.0, 3.0])
    assert found is not None
    assert found[1] - 2 == pytest.approx(4.3027 / 3**0.5, abs=1e-4)
    assert found[0] + found[1] == pytest.approx(4.0)
    assert mean_interval([1.0]) is None
