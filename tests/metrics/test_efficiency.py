"""What the calls of a year went into."""

import pytest

import ecbench
from ecbench.metrics.labels import BANDS, REMAINDER, calls_in
from ecbench.metrics.measures import MEASURES


def test_eight_bands_partition_the_tools_and_the_last_takes_search_prices_promotions_returns_and_stores() -> None:
    named = [tool for band in BANDS.values() for tool in band]
    assert (len(BANDS), len(named)) == (8, len(set(named)))
    rest = {schema["function"]["name"] for schema in ecbench.tool_schemas()} - set(named)
    assert {
        "market_search",
        "list_products",
        "set_prices",
        "join_promotion",
        "return_to_warehouse",
        "open_store",
    } <= rest
    assert all(calls_in(REMAINDER, {tool: 1}) == 1 for tool in rest)
    assert all(calls_in(REMAINDER, {tool: 1}) == 0 for tool in named)


def bands(*calls_by_tool: dict[str, int]) -> dict[str, float | None]:
    years = [{"run": {"calls_by_tool": calls, "tool_calls": sum(calls.values())}} for calls in calls_by_tool]
    return {band: MEASURES[f"{band}_percent"].of_run(years).value for band in BANDS}


def test_a_band_takes_its_share_of_the_mean_budget_and_not_the_mean_of_shares() -> None:
    """1 of 2 calls and 0 of 8 are a tenth of all calls, where the mean of the two shares would be a quarter."""
    found = bands({"chatbox": 1, "withdraw": 1}, {"check_balance": 5, "check_warehouse": 3})
    assert (found["bargaining"], found["withdrawing"], found["polling"]) == (10, 10, 80)
    assert sum(share or 0 for share in found.values()) == pytest.approx(100)


def test_a_call_to_a_tool_that_does_not_exist_counts_with_the_rest() -> None:
    found = bands({"fly": 1, "set_prices": 1, "operate_memory": 2})
    assert found == dict.fromkeys(BANDS, 0) | {"other": 50, "memory": 50}


def test_without_calls_there_are_no_shares() -> None:
    assert set(bands({}, {}).values()) == {None}
