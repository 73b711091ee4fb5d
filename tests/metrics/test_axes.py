"""The seven axes of a run, with the paper's estimators, and the places they reach among its models."""

from typing import Any

import pytest

from ecbench.metrics.axes import axes
from ecbench.metrics.leaderboard import AXES, leaderboard, rank, ranks


def report(assets: float, calls: int, **figures: Any) -> dict[str, Any]:
    return {
        "profitability": {
            "final_balance": assets,
            "initial_balance": 100_000.0,
            "bankrupt": figures.get("bankrupt", False),
        },
        "score": {"drawdown_over_peak": figures.get("drawdown", 0.2)},
        "negotiation": {
            "terms_bench_metrics": {"CSE+": figures.get("cse")},
            "anchoring": None if "anchor" not in figures else {"anchor_regret_ratio": figures["anchor"]},
        },
        "fraud_identification": {"spend_on_bad_supplier_share": figures.get("bad", 0.0)},
        "return_management": {"controllable_return_rate": figures.get("returns", 0.0)},
        "run": {"tool_calls": calls, "turns": calls // 2, "calls_by_tool": {"chatbox": calls}},
    }


def test_profit_per_call_divides_two_means() -> None:
    """A bankrupt year of few calls must not dominate: (250,000 - 100,000) / 600, not the mean of 400 and -552."""
    figures = axes([report(510_000.0, 1_000), report(-10_000.0, 200, bankrupt=True)])
    assert figures.profit_per_call == pytest.approx(150_000 / 600)
    assert (figures.final_assets, figures.multiplier) == (250_000.0, 2.5)
    assert figures.bankrupt_runs == 1
    assert (figures.tool_calls, figures.turns) == (600.0, 300.0)
    assert figures.activity is not None and figures.activity["bargaining"] == 1.0


def test_shares_are_averaged_over_episodes_and_shown_in_percent() -> None:
    figures = axes([report(1.0, 1, bad=0.1, returns=-0.01), report(1.0, 1, bad=0.3, returns=0.02)])
    assert figures.bad_spend_percent == pytest.approx(20.0)
    assert figures.controllable_return_points == pytest.approx(0.5)


def test_an_episode_without_a_sample_does_not_enter_its_axis() -> None:
    figures = axes([report(1.0, 1, cse=0.7, anchor=1.2), report(1.0, 1), report(1.0, 1, cse=0.9)])
    assert figures.cse_plus == pytest.approx(0.8)
    assert figures.anchor_ratio == pytest.approx(1.2)
    assert axes([report(1.0, 0)]).cse_plus is None
    assert axes([report(1.0, 0)]).profit_per_call is None


def test_the_spread_is_the_samples_and_needs_two_episodes() -> None:
    assert axes([report(1.0, 1), report(3.0, 1)]).final_assets_std == pytest.approx(2**0.5)
    assert axes([report(1.0, 1)]).final_assets_std is None


def test_the_papers_models_are_eighteen_with_five_episodes_each_and_ten_bankruptcies() -> None:
    rows = leaderboard()
    assert len(rows) == len({row["model"] for row in rows}) == 18
    assert {row["episodes"] for row in rows} == {5}
    assert sum(row["bankrupt_runs"] for row in rows) == 10
    assert sum(row["tier"] == "proprietary" for row in rows) == 8


@pytest.mark.parametrize(
    ("axis", "best"),
    [
        ("final_assets", "GPT-5.6 Sol (max)"),
        ("cse_plus", "Claude Opus 4.7 (max)"),
        ("bad_spend_percent", "Claude Opus 4.7 (max)"),
        ("drawdown_over_peak", "GLM 5.2 (high)"),
        ("profit_per_call", "Fable5 (max)"),
        ("controllable_return_points", "Qwen3.7-Max"),
        ("anchor_ratio", "Qwen3.8-Max-Preview"),
    ],
)
def test_each_axis_has_the_leader_that_the_paper_marks(axis: str, best: str) -> None:
    direction = next(each for each in AXES if each.name == axis)
    first = [row["model"] for row in leaderboard() if rank(direction, row[axis]) == 1]
    assert first == [best]


def test_profit_per_call_of_the_paper_follows_from_its_own_columns() -> None:
    """Rounded as printed: assets to ¥1,000, so the quotient agrees to about half a yuan a call."""
    for row in leaderboard():
        derived = (row["final_assets"] - 100_000) / row["tool_calls"]
        assert derived == pytest.approx(row["profit_per_call"], abs=1.0)


def test_a_run_takes_its_place_on_every_axis() -> None:
    figures = axes([report(2_000_000.0, 1_000, cse=0.7, bad=0.2, returns=0.0)])
    assert ranks(figures) == {
        "final_assets": 1,
        "cse_plus": 5,
        "bad_spend_percent": 18,
        "drawdown_over_peak": 6,
        "profit_per_call": 1,
        "controllable_return_points": 2,
        "anchor_ratio": None,
    }


def test_a_business_that_failed_leads_no_axis() -> None:
    """Ten times the assets of the best model and not a yuan to cheats, but one of two years ended in bankruptcy."""
    years = [report(28_000_000.0, 1_000, cse=0.99, returns=-0.2, drawdown=0.0), report(-5.0, 9, bankrupt=True)]
    assert set(ranks(axes(years)).values()) == {2, None}
    assert ranks(axes(years[1:])) == dict.fromkeys((axis.name for axis in AXES), None) | {"final_assets": 19}
