"""Weeks whose losses stand out from a player's others, on a year of a hundred yuan of sales a day."""

import pytest

from ecbench.analysis.review.curve import Point, Week, result_point
from ecbench.analysis.review.marks import CLOSING, Unusual, marks_of, unusual_losses
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.recorded_year import Business
from ecbench.metrics.losses.account import Loss, by_day

DAYS = 364


def business(sales: float = 100.0, bought: float = 50.0, assets: float = 1_000.0) -> Business:
    return Business(
        (sales,) * DAYS, (bought,) * DAYS, (assets,) * DAYS, (0.0,) * DAYS, (1,) * DAYS, (9,) * DAYS, ("a",)
    )


def found(*losses: Loss, of: Business | None = None) -> list[Unusual]:
    return unusual_losses(dict(by_day(losses, DAYS + 1)), of or business(), DAYS)


def every_day(cause: str, amount: float) -> list[Loss]:
    return [Loss(day, cause, amount) for day in range(DAYS)]


def test_what_a_player_loses_every_week_is_its_usual_and_no_mark() -> None:
    assert found(*every_day("price", 90.0)) == []


@pytest.mark.parametrize(("amount", "sign"), [(104.0, None), (106.0, "?!"), (281.0, "?"), (701.0, "??")])
def test_marks_begin_at_a_share_of_what_a_week_usually_sells(amount: float, sign: str | None) -> None:
    """15%, 40% and 100% of 700 yuan."""
    marks = found(Loss(72, "cancelled", amount))
    assert [run.mark for run in marks] == ([sign] if sign else [])
    if marks:
        assert (marks[0].first_day, marks[0].last_day, marks[0].excess) == (70, 76, amount)


def test_an_excess_is_what_lies_beyond_the_usual_week() -> None:
    [run] = found(*every_day("price", 10.0), Loss(100, "price", 350.0))
    assert run.excess == pytest.approx(350.0)


def test_a_player_whose_weeks_differ_much_has_to_stand_out_more() -> None:
    """Every other week loses 140 yuan: the middle is 140, a standard deviation 104, and five of them are 519."""
    uneven = [Loss(14 * week, "price", 140.0) for week in range(DAYS // 14)]
    assert found(*uneven, Loss(105, "price", 650.0)) == []
    assert [run.first_day for run in found(*uneven, Loss(105, "price", 670.0))] == [105]


def test_lasting_mistake_is_marked_for_four_weeks_and_then_only_mentioned() -> None:
    [run] = found(*(Loss(day, "no_store", 50.0) for day in range(140, 210)))
    assert (run.first_day, run.last_day, run.until, run.mark) == (140, 167, 209, "??")


def test_prices_are_compared_with_what_was_bought() -> None:
    """Twice as many goods at the same prices are not a mistake."""
    usual = every_day("above_floor", 10.0)
    more = tuple(150.0 if 70 <= day < 77 else 50.0 for day in range(DAYS))
    busy = Business((100.0,) * DAYS, more, (1_000.0,) * DAYS, (0.0,) * DAYS, (1,) * DAYS, (9,) * DAYS, ("a",))
    extra = [Loss(day, "above_floor", 20.0) for day in range(70, 77)]
    assert found(*usual, *extra, of=busy) == []
    assert [run.cause for run in found(*usual, *extra)] == ["above_floor"]


def test_wasted_money_is_compared_with_all_money() -> None:
    rich = found(Loss(3, "fees", 100.0))
    poor = found(Loss(3, "fees", 100.0), of=business(assets=400.0))
    assert [run.mark for run in (*rich, *poor)] == ["?!"] and poor[0].share == pytest.approx(0.25)


def test_an_empty_shelf_is_not_marked_while_the_year_closes() -> None:
    assert found(Loss(DAYS - CLOSING, "empty_shelf", 500.0)) == []
    assert found(Loss(DAYS - CLOSING - 1, "empty_shelf", 500.0))


def lost_later(first_day: int, last_day: int) -> Week:
    """By the engine, 5,000 more than usual, give or take 7,000."""
    return Week(first_day, last_day, start=100_000.0, loss=6_000.0, band=7_000.0, usual=1_000.0)


def test_a_mark_says_what_was_counted_and_what_followed_with_its_error() -> None:
    losses = dict(by_day([Loss(72, "cancelled", 800.0), Loss(73, "freight", 30.0)], DAYS + 1))
    [mark] = marks_of([], losses, business(), DAYS, lost_later)
    assert (mark.sign, mark.cost, mark.counted) == ("??", 800.0, 800.0)
    assert mark.causes == {"cancelled": 800.0, "freight": 30.0}
    assert mark.certainty == (
        "counted on these days; with what followed by the end of the year ¥0 to ¥12,000 (95%, by the engine)"
    )


def test_a_mark_of_the_value_costs_what_the_year_lost_by_its_end() -> None:
    week = Week(70, 76, start=100_000.0, loss=30_000.0, band=2_000.0, usual=1_000.0, mark="??")
    losses = dict(by_day([Loss(72, "cancelled", 800.0)], DAYS + 1))
    [mark] = marks_of([week], losses, business(), DAYS, lost_later)
    assert (mark.cost, mark.counted) == (29_000.0, 800.0)
    assert mark.certainty.endswith("by the engine: 95% between ¥27,000 and ¥31,000")


def review(*points: Point, losses: tuple[Loss, ...] = ()) -> Review:
    daily = {cause: tuple(amounts) for cause, amounts in by_day(losses, DAYS + 1)}
    return Review("", "", "a", "w", 0, DAYS, False, points, (), daily, business())


def test_a_review_states_what_the_value_lost_around_a_mark_of_the_account() -> None:
    points = [Point(day, value, (value, value)) for day, value in ((0, 900.0), (63, 900.0), (84, 600.0))]
    [mark] = review(*points, result_point(DAYS, 600.0, 2), losses=(Loss(72, "cancelled", 800.0),)).to_json()["marks"]
    assert (mark["first_day"], mark["sign"], mark["counted"], mark["causes"]) == (63, "??", 800.0, {"cancelled": 800.0})
    assert mark["later"] == {"loss": 300.0, "band": 0.0, "usual": 0.0} and mark["cost"] == 300.0


def test_accuracy_is_the_share_of_the_first_days_value_that_the_year_kept() -> None:
    """Twelve weeks that each keep 80% of their value are no 80%."""
    values = [100.0 * 0.8**week for week in range(12)]
    points = [Point(7 * week, value, (value, value)) for week, value in enumerate(values)]
    made = review(*points, result_point(DAYS, 7.0, 2))
    assert made.accuracy == pytest.approx(0.07) and made.accuracy_band == pytest.approx(0.0)
    assert review(*points).accuracy == pytest.approx(0.8**11)
    assert review(points[0], result_point(DAYS, -7.0, 2)).accuracy == 0.0
    assert review(points[0]).accuracy is None


def test_the_error_of_the_accuracy_is_that_of_the_engines_first_value() -> None:
    """Values of 90 and 110: a mean of 100, and Student's 12.706 times a standard error of 10."""
    made = review(Point(0, 100.0, (90.0, 110.0)), result_point(DAYS, 50.0, 2))
    assert made.accuracy_band == pytest.approx(0.5 * 1.2706, rel=1e-3)
