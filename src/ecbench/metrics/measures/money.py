"""The primary score, and cash flow and solvency (eq:e0_assets, app:metrics_d3)."""

from ecbench.metrics.estimators import Field, Measure, Read, Report, mean, total
from ecbench.metrics.solvency import QUARTERS


def _growth(quarter: int) -> Read:
    """Of total assets over a quarter of the year, in percent; None where it was not reached or began without assets."""

    def read(report: Report) -> float | None:
        ends = report.get("diagnostics", {}).get("liquidity", {}).get("assets_by_quarter") or [None] * QUARTERS
        totals = [Field("profitability.initial_balance")(report), *ends]
        before, after = totals[quarter - 1], totals[quarter]
        return None if before is None or after is None or before <= 0 else 100 * (after / before - 1)

    return read


def _growth_measure(quarter: int) -> Measure:
    meaning = f"total assets at the end of quarter {quarter} over those at its beginning, less 1"
    return Measure(f"growth_quarter_{quarter}_percent", "%", "higher", "sec:errors", meaning, _growth(quarter))


PRIMARY = (
    mean(
        "final_assets",
        "¥",
        "higher",
        "profitability.final_balance",
        "eq:e0_assets, tab:leaderboard",
        "bank, wallet and escrow together when the year is over; unsold stock counts for nothing",
    ),
    mean("multiplier", "times the stake", "higher", "score.multiplier", "eq:e0_assets", "final assets over the stake"),
    mean(
        "units_sold",
        "units",
        "",
        "return_management.units_sold",
        "app:metrics",
        "units that customers bought, those that came back included",
    ),
    mean(
        "orders_sold",
        "orders",
        "",
        "fulfilment_quality.orders_sold",
        "app:metrics",
        "customers' orders: one for each SKU sold on a day in a store",
    ),
)

SOLVENCY = (
    mean(
        "drawdown_over_peak",
        "share of the peak",
        "lower",
        "score.drawdown_over_peak",
        "eq:e3_drawdown, tab:res_d3",
        "the deepest fall of total assets over their highest value; above 1 where they fell into debt",
    ),
    mean(
        "drawdown",
        "¥",
        "",
        "profitability.peak_drawdown",
        "eq:e3_drawdown, tab:res_d3",
        "the deepest fall of total assets below their best morning so far",
    ),
    mean("trough", "¥", "", "score.trough", "eq:e3_neg, tab:res_d3", "the lowest bank balance of a morning"),
    mean(
        "overdrawn_mornings",
        "mornings",
        "lower",
        "score.overdrawn_mornings",
        "eq:e3_neg, tab:res_d3",
        "mornings with a bank balance below zero, the last one of the year left out",
    ),
    mean(
        "idle_wallet",
        "¥",
        "lower",
        "score.idle_wallet",
        "eq:e3_idle, tab:res_d3",
        "the wallet at 08:00, on average over the mornings",
    ),
    mean(
        "peak_units",
        "units",
        "",
        "score.peak_units",
        "eq:e3_idle, tab:res_d3",
        "the most units held on a morning, in the warehouse and on the shelves",
    ),
    total(
        "bankrupt_runs",
        "episodes",
        "lower",
        "profitability.bankrupt",
        "eq:e3_neg, tab:res_d3",
        "1 where ten mornings in a row below zero ended the year",
    ),
    mean(
        "longest_unpaid_streak",
        "mornings",
        "lower",
        "diagnostics.liquidity.longest_unpaid_streak",
        "eq:e3_streak",
        "the most mornings in a row with a bank balance below zero",
    ),
    mean(
        "covered_overdrafts",
        "mornings",
        "lower",
        "diagnostics.liquidity.covered_overdrafts",
        "sec:res_cashflow",
        "overdrawn mornings on which the wallet held the shortfall",
    ),
    mean(
        "mean_bank",
        "¥",
        "",
        "diagnostics.liquidity.mean_bank",
        "sec:res_cashflow",
        "the bank balance at 08:00, on average: the buffer",
    ),
    mean(
        "trough_day",
        "day",
        "",
        "diagnostics.liquidity.trough_day",
        "sec:res_cashflow",
        "the day of the lowest bank balance; 0 to 30 is January",
    ),
    mean(
        "first_wallet_day",
        "day",
        "",
        "diagnostics.liquidity.first_wallet_day",
        "sec:res_cashflow",
        "the first morning with money in the wallet",
    ),
    mean(
        "unsold_units",
        "units",
        "",
        "diagnostics.liquidity.unsold_units",
        "",
        "units still held when the year is over, which count for nothing",
    ),
    mean("unsold_cost", "¥", "", "diagnostics.liquidity.unsold_cost", "", "what those units had cost"),
    *(_growth_measure(quarter) for quarter in range(1, QUARTERS + 1)),
)
