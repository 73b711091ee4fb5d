"""What a call earned, and what the calls went into."""

import pytest

import ecbench
from ecbench.metrics.efficiency import BANDS, activity_bands, profit_per_call


def test_eight_bands_partition_the_eighteen_tools() -> None:
    tools = [tool for band in BANDS.values() for tool in band]
    assert len(BANDS) == 8
    assert sorted(tools) == sorted(schema["function"]["name"] for schema in ecbench.tool_schemas())


def test_a_band_takes_its_share_of_the_mean_budget_and_not_the_mean_of_shares() -> None:
    """1 of 2 calls and 0 of 8 are a tenth of all calls, where the mean of the two shares would be a quarter."""
    bands = activity_bands([{"chatbox": 1, "withdraw": 1}, {"check_balance": 5, "check_warehouse": 3}])
    assert bands is not None
    assert (bands["bargaining"], bands["withdrawing"], bands["polling"]) == (0.1, 0.1, 0.8)
    assert sum(bands.values()) == pytest.approx(1.0)


def test_a_call_to_a_tool_that_does_not_exist_counts_with_the_rest() -> None:
    assert activity_bands([{"fly": 1, "set_prices": 1, "operate_memory": 2}]) == dict.fromkeys(BANDS, 0.0) | {
        "other": 0.5,
        "memory": 0.5,
    }


def test_without_calls_there_are_no_shares_and_no_profit_per_call() -> None:
    assert activity_bands([{}, {}]) is None
    assert profit_per_call([100.0, 300.0], 100.0, [0, 0]) is None


def test_profit_per_call_divides_two_means() -> None:
    """Mean assets of 600 less a stake of 100, over a mean of 250 calls; the mean of the two ratios would be -1.75."""
    assert profit_per_call([1_200.0, 0.0], 100.0, [480, 20]) == 2.0
