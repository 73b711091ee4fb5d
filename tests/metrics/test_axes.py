"""The axes of a run: measures with a title, an order and a figure each."""

from typing import Any

import pytest

from ecbench.metrics.axes import ALL_AXES, CONDUCT_AXES, axes_of, legend
from ecbench.metrics.measures import AXIS_ROWS, measured


def report(assets: float, calls: int, *, bankrupt: bool = False) -> dict[str, Any]:
    return {
        "profitability": {"final_balance": assets, "initial_balance": 100_000.0, "bankrupt": bankrupt},
        "score": {"multiplier": assets / 100_000},
        "run": {"tool_calls": calls, "turns": calls // 2, "calls_by_tool": {"chatbox": calls}},
    }


def test_the_figures_of_a_run_are_those_of_its_measures() -> None:
    """A bankrupt year of few calls must not dominate: (250,000 - 100,000) / 600, not the mean of 400 and -552."""
    years = [report(510_000.0, 1_000), report(-10_000.0, 200, bankrupt=True)]
    own = measured(years)
    figures = axes_of(own)
    assert {axis.name: getattr(figures, axis.name) for axis in ALL_AXES} == {
        axis.name: own[axis.name].value for axis in ALL_AXES
    }
    assert figures.profit_per_call == pytest.approx(150_000 / 600)
    assert (figures.final_assets, figures.multiplier, figures.final_assets_std) == (
        250_000.0,
        2.5,
        own["final_assets"].spread,
    )
    assert (figures.bankrupt_runs, figures.tool_calls, figures.turns) == (1, 600.0, 300.0)
    assert figures.activity is not None and figures.activity["bargaining"] == 1.0
    alone = axes_of(measured([report(1.0, 0)]))
    assert alone.profit_per_call is None and alone.final_assets_std is None


def test_every_axis_has_a_title_a_form_and_a_direction() -> None:
    assert [axis.name for axis in (*ALL_AXES, *CONDUCT_AXES)] == list(AXIS_ROWS)
    for axis in (*ALL_AXES, *CONDUCT_AXES):
        assert axis.title != axis.name and axis.better and axis.no_sample != "no sample"
        assert axis.score(2.0) == (2.0 if axis.better == "higher" else -2.0)
        assert axis.text(None) == "–" and any(sign.isdigit() for sign in axis.text(1.5))
    assert legend(ALL_AXES[:3]) == (
        "Higher is better for Final assets (bank, wallet and escrow), CSE+ (share of the bargaining range won in "
        "honest deals). Lower is better for Bad spend (paid to cheats)."
    )
