"""Operational efficiency and operations execution (app:metrics_d4, app:metrics_d5)."""

from collections.abc import Callable, Mapping
from functools import partial

from ecbench.metrics.efficiency import BANDS, calls_in
from ecbench.metrics.estimators import Field, Measure, Read, Report, less, mean, ratio

_CALLS = Field("run.tool_calls")
_RETURNS = "return_management"
_FULFILMENT = "fulfilment_quality"


def _count(of: Callable[[Mapping[str, int]], int], scale: float = 1.0) -> Read:
    """Calls by tool, counted."""

    def read(report: Report) -> float | None:
        by_tool = report.get("run", {}).get("calls_by_tool")
        return None if by_tool is None else scale * of(by_tool)

    return read


def _pricing(by_tool: Mapping[str, int]) -> int:
    return by_tool.get("set_prices", 0)


def _band(name: str) -> Measure:
    meaning = f"calls of the band {name}, of all calls; the calls of all years pooled"
    return ratio(
        f"{name}_percent", "%", "", _count(partial(calls_in, name), 100), _CALLS, "eq:e4_band, tab:res_d4", meaning
    )


EFFICIENCY = (
    ratio(
        "profit_per_call",
        "¥",
        "higher",
        less(Field("profitability.final_balance"), Field("profitability.initial_balance")),
        _CALLS,
        "eq:e4_ppc, tab:res_d4",
        "final assets less the stake, over tool calls",
    ),
    mean("turns", "turns", "", "run.turns", "tab:res_d4", "the agent's turns, those without a call included"),
    mean("tool_calls", "calls", "", "run.tool_calls", "tab:res_d4", "tool calls, refused ones included"),
    ratio(
        "calls_per_turn",
        "calls",
        "",
        _CALLS,
        Field("run.turns"),
        "app:metrics_d4",
        "tool calls over turns: the size of a batch",
    ),
    mean(
        "evictions", "passes", "", "run.evictions", "tab:res_d4, fig:context_pressure", "passes of the context editor"
    ),
    mean("tokens_freed", "tokens", "", "run.tokens_freed", "app:metrics_d4", "tokens that those passes removed"),
    mean(
        "context_tokens",
        "tokens",
        "",
        "run.context_tokens.mean",
        "fig:context_pressure",
        "tokens of the live transcript a turn was asked with, on average; only of models",
    ),
    mean("context_tokens_peak", "tokens", "", "run.context_tokens.peak", "fig:context_pressure", "the most of them"),
    Measure(
        "memory_calls", "calls", "", "tab:res_d4", "calls to the memory store", _count(partial(calls_in, "memory"))
    ),
    Measure("pricing_calls", "calls", "", "sec:res_efficiency", "calls to `set_prices`", _count(_pricing)),
    ratio(
        "pricing_percent",
        "%",
        "",
        _count(_pricing, 100),
        _CALLS,
        "sec:res_efficiency",
        "calls to `set_prices`, of all calls",
    ),
    mean(
        "promotions_joined",
        "promotions",
        "",
        "run.promotions_joined",
        "sec:errors",
        "promotions that `join_promotion` was accepted for",
    ),
    *(_band(name) for name in BANDS),
)

EXECUTION = (
    mean(
        "controllable_return_points",
        "percentage points",
        "lower",
        f"{_RETURNS}.controllable_return_rate",
        "eq:e5_rates, tab:res_d5",
        "expected returns that own prices add, of units shipped; negative below the reference price",
        100,
    ),
    mean(
        "controllable_return_points_corrected",
        "percentage points",
        "lower",
        f"{_RETURNS}.controllable_return_rate_corrected",
        "app:metrics_d5",
        "the same with the speed of freight compared to standard freight, which the paper's channel cancels out",
        100,
    ),
    mean(
        "realized_return_percent",
        "%",
        "lower",
        f"{_RETURNS}.realized_return_rate",
        "eq:e5_rates, tab:res_d5",
        "units returned, of units sold",
        100,
    ),
    mean(
        "natural_return_points",
        "percentage points",
        "",
        f"{_RETURNS}.exp_return_rate_natural",
        "eq:e5_rates, tab:res_d5",
        "expected returns that the goods bring with them, of units shipped",
        100,
    ),
    mean(
        "defective_return_points",
        "percentage points",
        "",
        f"{_RETURNS}.exp_return_rate_from_defective_fraud",
        "eq:e5_rates, tab:res_d5",
        "expected returns that defective lots add, of units shipped",
        100,
    ),
    mean(
        "refund_loss",
        "¥",
        "",
        f"{_RETURNS}.refund_loss_total",
        "tab:res_d5",
        "refunds at the price paid, whatever escrow held",
    ),
    mean(
        "return_freight",
        "¥",
        "",
        f"{_RETURNS}.shipping_loss_on_returns",
        "app:metrics_d5",
        "outbound freight of the units that came back",
    ),
    mean(
        "on_time_percent",
        "%",
        "higher",
        f"{_FULFILMENT}.on_time_ship_rate",
        "eq:e5_ontime, tab:res_d5",
        "orders shipped, of orders sold",
        100,
    ),
    mean(
        "cancelled_orders",
        "orders",
        "lower",
        f"{_FULFILMENT}.orders_cancelled",
        "tab:res_d5",
        "orders cancelled because they missed their deadline",
    ),
    mean(
        "voided_orders",
        "orders",
        "lower",
        "diagnostics.fulfilment.orders_voided",
        "app:case_rules",
        "orders not shipped when the year ended, which finalization dropped",
    ),
    mean(
        "fast_percent",
        "%",
        "",
        "diagnostics.fulfilment.fast_share",
        "tab:res_d5",
        "shipments sent fast, of all shipments; a year without one has none",
        100,
    ),
    mean("stores_opened", "stores", "", "profitability.stores_opened", "tab:res_d5", "openings, reopenings included"),
    mean(
        "store_reopens", "stores", "", "profitability.store_reopens", "tab:res_d5", "openings of a type opened before"
    ),
    mean(
        "mean_open_stores",
        "stores",
        "",
        "diagnostics.liquidity.mean_open_stores",
        "app:res_d5",
        "stores open at 08:00, on average",
    ),
)
