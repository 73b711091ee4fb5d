"""What follows from a curve: bands, losses, marks and the accuracy, each worked by hand."""

from itertools import pairwise
from math import hypot
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.review.curve import Point, result_point
from ecbench.review.engine import UNSTEADINESS
from ecbench.review.verdicts import accuracy, mark, weeks_of

YUAN = st.floats(-1e9, 1e9)


def earned(day: int, values: tuple[float, ...]) -> Point:
    """A position whose value lies in its till, so that variants have no error in common."""
    return Point(day, fmean(values), values)


def test_the_band_of_a_point_is_students_interval_of_the_mean_of_its_variants() -> None:
    """Values 90, 100, 110 and 120: mean 105, deviation 12.91, standard error 6.455, times 3.182 for 3 degrees."""
    point = earned(7, (90.0, 100.0, 110.0, 120.0))
    assert point.mean == 105.0
    assert point.band == pytest.approx(20.54, abs=0.01)


def test_variants_that_agree_leave_the_error_that_all_of_them_make() -> None:
    """Of 600 that are still to be earned: 1.96 standard errors; what lies in the till is certain."""
    point = Point(7, 400.0, (1_000.0, 1_000.0, 1_000.0))
    assert point.band == pytest.approx(1.96 * UNSTEADINESS * 600.0)
    assert result_point(9, 400.0, 3).band == 0.0


def test_a_loss_has_the_errors_of_both_its_ends() -> None:
    """600 to be earned before, 300 after: nobody can tell whether the week or the engine was worse."""
    [week] = weeks_of([Point(0, 400.0, (1_000.0, 1_000.0)), Point(7, 680.0, (980.0, 980.0))])
    assert week.loss == 20.0
    assert week.band == pytest.approx(1.96 * UNSTEADINESS * hypot(600.0, 300.0))


def test_a_single_variant_has_no_band_and_so_no_verdict() -> None:
    with pytest.raises(ValueError, match="no band"):
        weeks_of([earned(0, (100.0,)), earned(7, (10.0,))])


def test_a_loss_is_taken_variant_by_variant_so_that_what_variants_differ_in_cancels_out() -> None:
    """They disagree by half about the position, and not at all about the week."""
    [week] = weeks_of([earned(0, (100.0, 200.0)), earned(7, (90.0, 190.0))])
    assert (week.loss, week.band) == (10.0, 0.0)
    assert (week.first_day, week.last_day, week.start) == (0, 6, 150.0)


def test_a_loss_within_its_band_is_never_marked() -> None:
    """Losses of 0 and 60: mean 30, a fifth of the value, but two variants leave a band of 381."""
    [week] = weeks_of([earned(0, (150.0, 150.0)), earned(7, (150.0, 90.0))])
    assert week.loss == 30.0 and week.band == pytest.approx(381.2, abs=0.1)
    assert week.mark == ""


@pytest.mark.parametrize(
    ("loss", "sign"),
    [(-300.0, ""), (0.0, ""), (50.0, ""), (50.1, "?!"), (100.0, "?!"), (100.1, "?"), (200.0, "?"), (200.1, "??")],
)
def test_marks_begin_above_a_twentieth_a_tenth_and_a_fifth_of_the_value(loss: float, sign: str) -> None:
    assert mark(loss, band=1.0, start=1_000.0) == sign


@given(YUAN, st.floats(0, 1e9), YUAN)
def test_whatever_the_numbers_a_mark_needs_a_loss_above_its_band_of_something_that_was_there(
    loss: float, band: float, start: float
) -> None:
    if mark(loss, band, start):
        assert loss > band and start > 0 and loss > 0.05 * start


def test_the_end_of_a_year_counts_with_what_it_ended_with() -> None:
    """Given up in its second week: whatever the engine would still have made is lost."""
    [week] = weeks_of([earned(7, (900.0, 1_100.0)), result_point(9, 100.0, 2)])
    assert (week.first_day, week.last_day) == (7, 8)
    assert week.loss == 900.0
    assert week.band == pytest.approx(12.706 * 100.0, abs=1.0)  # losses of 800 and 1,000


@given(st.lists(st.tuples(YUAN, YUAN), min_size=2, max_size=20))
def test_the_losses_of_all_weeks_are_the_way_from_the_first_value_to_the_last(
    values: list[tuple[float, float]],
) -> None:
    points = [earned(7 * number, pair) for number, pair in enumerate(values)]
    lost = sum(week.loss for week in weeks_of(points))
    assert lost == pytest.approx(points[0].mean - points[-1].mean, abs=1e-3)
    assert all(
        week.last_day + 1 == after.day for week, (_, after) in zip(weeks_of(points), pairwise(points), strict=True)
    )


def test_accuracy_is_the_share_of_its_value_that_a_week_keeps_on_average() -> None:
    """Of 100 the first week keeps 80, the second gains, the third loses everything and more: 80%, 100% and 0%."""
    points = [earned(7 * week, (value, value)) for week, value in enumerate((100.0, 80.0, 120.0, -5.0))]
    assert accuracy(weeks_of(points)) == pytest.approx(0.6)


def test_a_week_in_which_nothing_was_left_to_lose_keeps_all_of_it() -> None:
    assert accuracy(weeks_of([earned(0, (-10.0, -10.0)), earned(7, (-50.0, -50.0))])) == 1.0


def test_a_year_without_a_week_has_no_accuracy() -> None:
    assert accuracy(weeks_of([earned(0, (1.0, 2.0))])) is None
