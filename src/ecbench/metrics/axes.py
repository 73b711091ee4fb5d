"""The seven axes over the episodes of a run, each with the estimator the paper uses for it (sec:eval, app:metrics).

Means run over all episodes, bankrupt ones pooled in; an episode without a sample for an axis does not enter that
axis. Profit per call divides two means (eq:e4_ppc); everything else averages per-episode values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from ecbench.metrics.efficiency import activity_bands, profit_per_call

Report = Mapping[str, Any]
"""A year's report with what its run adds: `run.tool_calls`, `run.calls_by_tool` and `run.turns`."""


@dataclass(frozen=True, slots=True)
class Axes:
    episodes: int
    final_assets: float
    final_assets_std: float | None  # of the sample; None for a single episode
    multiplier: float | None
    cse_plus: float | None
    bad_spend_percent: float
    drawdown_over_peak: float | None
    profit_per_call: float | None
    controllable_return_points: float
    anchor_ratio: float | None
    tool_calls: float
    turns: float
    bankrupt_runs: int
    activity: dict[str, float] | None = None  # the eight bands; None where no call was made


def axes(reports: Sequence[Report]) -> Axes:
    """Over at least one episode."""
    assets = [report["profitability"]["final_balance"] for report in reports]
    stake = fmean(report["profitability"]["initial_balance"] for report in reports)
    calls = fmean(report["run"]["tool_calls"] for report in reports)
    return Axes(
        episodes=len(reports),
        final_assets=fmean(assets),
        final_assets_std=stdev(assets) if len(assets) > 1 else None,
        multiplier=fmean(assets) / stake if stake > 0 else None,
        cse_plus=_mean(reports, _cse_plus),
        bad_spend_percent=100 * fmean(r["fraud_identification"]["spend_on_bad_supplier_share"] for r in reports),
        drawdown_over_peak=_mean(reports, lambda r: r["score"]["drawdown_over_peak"]),
        profit_per_call=profit_per_call(assets, stake, [report["run"]["tool_calls"] for report in reports]),
        controllable_return_points=100 * fmean(r["return_management"]["controllable_return_rate"] for r in reports),
        anchor_ratio=_mean(reports, _anchor_ratio),
        tool_calls=calls,
        turns=fmean(report["run"]["turns"] for report in reports),
        bankrupt_runs=sum(report["profitability"]["bankrupt"] for report in reports),
        activity=activity_bands([report["run"]["calls_by_tool"] for report in reports]),
    )


def _cse_plus(report: Report) -> float | None:
    value: float | None = report["negotiation"]["terms_bench_metrics"]["CSE+"]
    return value


def _anchor_ratio(report: Report) -> float | None:
    anchoring = report["negotiation"]["anchoring"]
    return None if anchoring is None else anchoring["anchor_regret_ratio"]


def _mean(reports: Sequence[Report], read: Callable[[Report], float | None]) -> float | None:
    values = [value for value in map(read, reports) if value is not None]
    return fmean(values) if values else None
