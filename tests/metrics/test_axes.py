"""The axes of a run: measures with a title, an order and a figure each."""

from typing import Any

import pytest

from ecbench.metrics.measures import ALL_AXES, axis_values, measured


def report(assets: float, calls: int) -> dict[str, Any]:
    money = {"final_balance": assets, "initial_balance": 100_000.0}
    return {"profitability": money, "run": {"tool_calls": calls}}


def test_profit_per_call_weighs_every_call_alike() -> None:
    """A bankrupt year of few calls must not dominate: (250,000 - 100,000) / 600, not the mean of 400 and -552."""
    years = [report(510_000.0, 1_000), report(-10_000.0, 200)]
    found = axis_values(measured(years))
    assert list(found) == [axis.name for axis in ALL_AXES]
    assert found["final_assets"] == 250_000.0 and found["profit_per_call"] == pytest.approx(150_000 / 600)
    assert axis_values(measured([report(1.0, 0)]))["profit_per_call"] is None
