"""Weeks whose bill stands out from a player's others, on a year of a hundred yuan of sales a day."""

import pytest

from ecbench.review.bill.charges import Bill, Charge
from ecbench.review.business import Business
from ecbench.review.unusual_charges import CLOSING, Unusual, unusual_charges

DAYS = 364
WEEKLY = 700.0


def business(sales: float = 100.0, bought: float = 50.0, assets: float = 1_000.0) -> Business:
    return Business(
        (sales,) * DAYS, (bought,) * DAYS, (assets,) * DAYS, (0.0,) * DAYS, (1,) * DAYS, (9,) * DAYS, ("a",)
    )


def found(*charges: Charge, of: Business | None = None) -> list[Unusual]:
    return unusual_charges(Bill(tuple(sorted(charges, key=lambda each: each.day)), DAYS), of or business(), DAYS)


def every_day(cause: str, amount: float) -> list[Charge]:
    return [Charge(day, cause, amount) for day in range(DAYS)]


def test_what_a_player_loses_every_week_is_its_usual_and_no_mark() -> None:
    assert found(*every_day("price", 90.0)) == []


@pytest.mark.parametrize(("amount", "sign"), [(104.0, None), (106.0, "?!"), (281.0, "?"), (701.0, "??")])
def test_marks_begin_at_a_share_of_what_a_week_usually_sells(amount: float, sign: str | None) -> None:
    """15%, 40% and 100% of 700 yuan."""
    marks = found(Charge(72, "cancelled", amount))
    assert [run.mark for run in marks] == ([sign] if sign else [])
    if marks:
        assert (marks[0].first_day, marks[0].last_day, marks[0].excess) == (70, 76, amount)


def test_an_excess_is_what_lies_beyond_the_usual_week() -> None:
    [run] = found(*every_day("price", 10.0), Charge(100, "price", 350.0))
    assert run.excess == pytest.approx(350.0) and run.usual == pytest.approx(70.0)


def test_a_player_whose_weeks_differ_much_has_to_stand_out_more() -> None:
    """Every other week is charged 140 yuan: the middle is 140, a standard deviation 104, and five of them are 519."""
    uneven = [Charge(14 * week, "price", 140.0) for week in range(DAYS // 14)]
    assert found(*uneven, Charge(105, "price", 650.0)) == []
    assert [run.first_day for run in found(*uneven, Charge(105, "price", 670.0))] == [105]


def test_what_goes_on_is_marked_for_four_weeks_and_then_only_mentioned() -> None:
    [run] = found(*(Charge(day, "closed_store", 50.0) for day in range(140, 210)))
    assert (run.first_day, run.last_day, run.until, run.mark) == (140, 167, 209, "??")


def test_prices_are_compared_with_what_was_bought() -> None:
    """Twice as many goods at the same prices are no mistake."""
    usual = every_day("above_floor", 10.0)
    more = tuple(150.0 if 70 <= day < 77 else 50.0 for day in range(DAYS))
    busy = Business((100.0,) * DAYS, more, (1_000.0,) * DAYS, (0.0,) * DAYS, (1,) * DAYS, (9,) * DAYS, ("a",))
    extra = [Charge(day, "above_floor", 20.0) for day in range(70, 77)]
    assert found(*usual, *extra, of=busy) == []
    assert [run.cause for run in found(*usual, *extra)] == ["above_floor"]


def test_money_for_nothing_is_weighed_against_all_money_there_was() -> None:
    rich = found(Charge(3, "fees", 100.0))
    poor = found(Charge(3, "fees", 100.0), of=business(assets=400.0))
    assert [run.mark for run in (*rich, *poor)] == ["?!"] and poor[0].share == pytest.approx(0.25)


def test_an_empty_shelf_is_not_marked_while_the_year_closes() -> None:
    assert found(Charge(DAYS - CLOSING, "empty_shelf", 500.0)) == []
    assert found(Charge(DAYS - CLOSING - 1, "empty_shelf", 500.0))


def test_what_an_idle_wallet_explains_is_not_charged_to_the_empty_shelf_again() -> None:
    marks = found(Charge(72, "empty_shelf", 500.0), Charge(72, "idle_wallet", 450.0))
    assert [(run.cause, run.excess) for run in marks] == [("idle_wallet", 450.0)]
