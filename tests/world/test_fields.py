import pytest
from msgspec import ValidationError, convert

from ecbench.world.fields import MonthDay, Ratio


def test_the_calendar_may_name_29_february() -> None:
    assert MonthDay.read("02-29") == (2, 29)
    assert str(MonthDay(2, 9)) == "02-09"


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "+1", "0,5", "0x1", "１", "0_1", "nan", "inf", "1e", "--1", ".5", "5.", "0", "1.0001"]
)
def test_a_number_of_a_sheet_is_in_plain_decimal_digits_and_within_its_bounds(text: str) -> None:
    with pytest.raises(ValidationError):
        convert(text, Ratio, strict=False)


def test_a_number_of_a_sheet_may_have_a_point_and_an_exponent() -> None:
    assert [convert(text, Ratio, strict=False) for text in ("1", "0.5", "1e-05")] == [1.0, 0.5, 1e-05]
