"""Prices of models: given, or listed by genai-prices, and which of them holds."""

import pytest

from ecbench.harness.messages import Usage
from ecbench.harness.settings import ModelSettings, Price, known_price


def test_a_price_is_two_to_four_figures_and_is_written_as_it_is_read() -> None:
    for text in ("1.25,10", "1.25,10,0.125", "3,15,0.3,3.75"):
        assert str(Price.parse(text)) == text
    for wrong in ("1.25", "a,b", "1,2,3,4,5", "-1,2", "nan,1", ""):
        with pytest.raises(ValueError, match="IN,OUT"):
            Price.parse(wrong)


def test_cached_and_written_input_costs_as_much_as_other_input_where_nothing_else_is_said() -> None:
    usage = Usage(1_000_000, 0, 1_000_000, 1_000_000)
    assert Price(2.0, 9.0).of(usage) == 6.0
    assert Price(2.0, 9.0, 0.5, 2.5).of(usage) == 5.0


def test_a_listed_price_holds_for_dated_ids_and_not_behind_another_address() -> None:
    name = "anthropic/claude-sonnet-4-5"
    listed = known_price(ModelSettings(name))
    assert listed is not None and listed == known_price(ModelSettings(f"{name}-20250929"))
    assert 0 < (listed.cached or 0) < listed.input < (listed.write or 0) < listed.output
    assert known_price(ModelSettings("anthropic/nosuch")) is None and known_price(ModelSettings("nosuch/a")) is None
    assert known_price(ModelSettings(name, base_url="http://127.0.0.1:1")) is None
    assert known_price(ModelSettings(name, price=Price(1.0, 2.0), base_url="http://127.0.0.1:1")) is not None
