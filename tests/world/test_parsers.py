import pytest

from ecbench.ranges import Range
from ecbench.world import parsers


def test_the_calendar_may_name_29_february_and_windows_that_pass_new_year() -> None:
    assert parsers.month_day("02-29") == (2, 29)
    assert parsers.several(parsers.month_day, 2, 2)(["12-28", "01-03"]) == ((12, 28), (1, 3))


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "+1", "1,5", "0x10", "１", "1_0", "nan", "inf", "1e", "--1", ".5", "5."]
)
def test_a_number_is_written_in_plain_decimal_digits(text: str) -> None:
    with pytest.raises(ValueError):
        parsers.cell(Range(-100, 10_000))(text)


@pytest.mark.parametrize(("text", "value"), [("1", 1.0), ("-0.5", -0.5), ("1e-05", 1e-05), ("2.5E+3", 2500.0)])
def test_a_number_may_have_a_sign_a_point_and_an_exponent(text: str, value: float) -> None:
    assert parsers.cell(Range(-100, 10_000))(text) == value


def test_bounds_are_kept() -> None:
    ratio = parsers.cell(Range(0, 1, above=True))
    assert ratio("1") == 1.0
    for outside in ("0", "1.0001", "-0.1"):
        with pytest.raises(ValueError):
            ratio(outside)
