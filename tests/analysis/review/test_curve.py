"""What follows from a curve: bands, losses and marks, each worked by hand."""

from math import hypot
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.analysis.review.curve import FEWEST, Judge, Point, Week, mark_of, result_point
from ecbench.analysis.review.engine import UNSTEADINESS

YUAN = st.floats(-1e9, 1e9)
DAYS = 365


def weeks_of(points: list[Point]) -> list[Week]:
    """From one position to the next, each judged by itself."""
    return Judge(points, DAYS).weeks()


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
    assert mark_of(Week(0, 6, start=1_000.0, loss=loss, band=1.0)) == sign
    assert mark_of(Week(0, 6, start=1_000.0, loss=loss + 70.0, band=1.0, usual=70.0)) == sign


def test_the_end_of_a_year_counts_with_what_it_ended_with() -> None:
    """Given up in its second week: whatever the engine would still have made is lost."""
    [week] = weeks_of([earned(7, (900.0, 1_100.0)), result_point(9, 100.0, 2)])
    assert (week.first_day, week.last_day) == (7, 8)
    assert week.loss == 900.0
    assert week.band == pytest.approx(12.706 * 100.0, abs=1.0)  # losses of 800 and 1,000


def a_year_that_loses(*weekly: float, value: float = 520.0) -> list[Point]:
    """A year of a given number of weeks that earns nothing; the engine would earn as much in each week that is left."""
    values = [value - sum(weekly[:week]) for week in range(len(weekly) + 1)]
    return [Point(7 * week, 0.0, (each, each)) for week, each in enumerate(values)]


def test_who_loses_every_week_what_the_engine_would_earn_in_it_has_no_mark_and_keeps_its_rate() -> None:
    """Fifty-two weeks of 10 yuan each: near the end that is half of the value, and still the usual."""
    points = a_year_that_loses(*[10.0] * 51)
    judge = Judge(points, days=52 * 7)
    assert judge.usual.rate == pytest.approx(1.0) and judge.usual.spread == pytest.approx(0.0, abs=1e-9)
    assert {week.mark for week in Judge(points, 52 * 7).weeks()} == {""}


def test_a_week_that_loses_far_more_than_the_players_others_is_marked_with_what_is_beyond_them() -> None:
    points = a_year_that_loses(*[10.0] * 20, 150.0, *[6.0] * 20)
    [marked] = [week for week in Judge(points, 52 * 7).weeks() if week.mark]
    assert (marked.first_day, marked.mark) == (140, "??")
    assert marked.excess == pytest.approx(140.0, rel=0.05)


def test_a_short_year_has_no_usual_rate() -> None:
    points = a_year_that_loses(*[60.0] * (FEWEST - 1))
    assert Judge(points, DAYS).usual.rate == 0.0
    assert weeks_of(points)[0].mark


@given(st.lists(st.tuples(YUAN, YUAN), min_size=1, max_size=20))
def test_the_weeks_cover_the_year_and_their_losses_add_up(
    values: list[tuple[float, float]],
) -> None:
    points = [earned(7 * number, pair) for number, pair in enumerate(values)]
    weeks = weeks_of(points)
    days = [day for week in weeks for day in range(week.first_day, week.last_day + 1)]
    assert days == list(range(7 * (len(values) - 1)))
    assert sum(week.loss for week in weeks) == pytest.approx(points[0].mean - points[-1].mean, abs=1e-3)
