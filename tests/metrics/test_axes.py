"""The seven axes of a run, with the paper's estimators."""

from typing import Any

import pytest

from ecbench.metrics.axes import axes_of


def report(assets: float, calls: int, **figures: Any) -> dict[str, Any]:
    return {
        "profitability": {
            "final_balance": assets,
            "initial_balance": 100_000.0,
            "bankrupt": figures.get("bankrupt", False),
        },
        "score": {"multiplier": assets / 100_000, "drawdown_over_peak": figures.get("drawdown", 0.2)},
        "negotiation": {
            "terms_bench_metrics": {"CSE+": figures.get("cse")},
            "anchoring": None if "anchor" not in figures else {"anchor_regret_ratio": figures["anchor"]},
        },
        "fraud_identification": {
            "spend_on_bad_supplier_share": figures.get("bad", 0.0),
            "orders_total": figures.get("orders", 1),
        },
        "return_management": {
            "controllable_return_rate": figures.get("returns", 0.0),
            "units_shipped": figures.get("shipped", 1),
        },
        "run": {"tool_calls": calls, "turns": calls // 2, "calls_by_tool": {"chatbox": calls}},
    }


def test_a_year_that_ordered_and_shipped_nothing_counts_as_zero_beside_others_and_alone_has_no_figure() -> None:
    nothing = report(1.0, 1, orders=0, shipped=0)
    alone, beside = axes_of([nothing]), axes_of([nothing, report(1.0, 1, bad=0.3, returns=0.02)])
    assert (alone.bad_spend_percent, alone.controllable_return_points) == (None, None)
    assert beside.bad_spend_percent == pytest.approx(15.0)
    assert beside.controllable_return_points == pytest.approx(1.0)


def test_profit_per_call_divides_two_means() -> None:
    """A bankrupt year of few calls must not dominate: (250,000 - 100,000) / 600, not the mean of 400 and -552."""
    figures = axes_of([report(510_000.0, 1_000), report(-10_000.0, 200, bankrupt=True)])
    assert figures.profit_per_call == pytest.approx(150_000 / 600)
    assert (figures.final_assets, figures.multiplier) == (250_000.0, 2.5)
    assert figures.bankrupt_runs == 1
    assert (figures.tool_calls, figures.turns) == (600.0, 300.0)
    assert figures.activity is not None and figures.activity["bargaining"] == 1.0


def test_shares_are_averaged_over_episodes_and_shown_in_percent() -> None:
    figures = axes_of([report(1.0, 1, bad=0.1, returns=-0.01), report(1.0, 1, bad=0.3, returns=0.02)])
    assert figures.bad_spend_percent == pytest.approx(20.0)
    assert figures.controllable_return_points == pytest.approx(0.5)


def test_an_episode_without_a_sample_does_not_enter_its_axis() -> None:
    figures = axes_of([report(1.0, 1, cse=0.7, anchor=1.2), report(1.0, 1), report(1.0, 1, cse=0.9)])
    assert figures.cse_plus == pytest.approx(0.8)
    assert figures.anchor_ratio == pytest.approx(1.2)
    assert axes_of([report(1.0, 0)]).cse_plus is None
    assert axes_of([report(1.0, 0)]).profit_per_call is None


def test_the_spread_is_the_samples_and_needs_two_episodes() -> None:
    assert axes_of([report(1.0, 1), report(3.0, 1)]).final_assets_std == pytest.approx(2**0.5)
    assert axes_of([report(1.0, 1)]).final_assets_std is None
    assert axes_of([report(1.0, 1)] * 5).final_assets_std == 0.0
