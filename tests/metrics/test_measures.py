"""Every measure of the paper over the years of a run, each by the estimator the paper uses for it."""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import pytest

import ecbench
from ecbench.market.marketplace import Account
from ecbench.metrics.estimators import Figure, figure, mean_or_null, mean_or_zero, share, yuan
from ecbench.metrics.labels import BANDS, PERSONALITIES, REMAINDER, calls_in
from ecbench.metrics.losses.account import PlayLog
from ecbench.metrics.losses.failure_modes import failure_modes
from ecbench.metrics.measures import DIMENSIONS, MEASURES, Field, measured, measured_year
from ecbench.metrics.published import published_models
from ecbench.metrics.year_report import year_report
from ecbench.suppliers.desk import SupplierDesk


def year(path: str, value: Any, **more: Any) -> dict[str, Any]:
    """A report that holds one field."""
    *sections, name = path.split(".")
    report: dict[str, Any] = {name: value}
    for section in reversed(sections):
        report = {section: report}
    return report | more


def near(figure: Figure, value: float | None, spread: float | None, episodes: int) -> bool:
    return figure.episodes == episodes and [figure.value, figure.spread] == pytest.approx([value, spread])


def test_the_spread_is_of_the_kind_the_paper_prints() -> None:
    """Population for what repeat orders say, none for totals and ratios of means, the sample's for the rest. Every
    column is a measure of ours."""
    for model in published_models():
        if model.name == "GPT-5.5":
            continue
        for name, printed in model.figures.items():
            if printed.spread is not None:
                repeats = name.startswith("anchor_r") or name == "new_low_rate"
                assert MEASURES[name].estimator == ("mean of population" if repeats else "mean"), name
            elif name not in ("bad_spend_percent", "memory_calls"):  # means whose spread is drawn, not printed
                assert not MEASURES[name].estimator.startswith("mean"), name


def test_the_seven_dimensions_abilities_and_conduct_share_no_name() -> None:
    assert sum(map(len, DIMENSIONS.values())) == len(MEASURES)
    papers = ["primary", "negotiation", "fraud", "solvency", "efficiency", "execution", "learning"]
    assert list(DIMENSIONS) == [*papers, "abilities", "conduct"]


def sold(orders: int, shipped: int, fast: float | None) -> dict[str, Any]:
    rates = ("realized_return_rate", "controllable_return_rate", "exp_return_rate_natural")
    returns = dict.fromkeys(rates, 0.1 if shipped else 0.0) | {"units_sold": shipped, "units_shipped": shipped}
    on_time = {"orders_sold": orders, "on_time_ship_rate": shipped / max(1, orders)}
    return {
        "return_management": returns,
        "fulfilment_quality": on_time,
        "diagnostics": {"fulfilment": {"fast_share": fast}},
    }


def test_a_year_that_sold_nothing_enters_the_means_of_execution_with_zeros_as_published() -> None:
    """Three years of GPT-5.5 shipped everything and two sold nothing: 60.00 ± 54.77 in tab:res_d5."""
    years = [sold(50, 50, 0.95), sold(50, 50, 0.975), sold(50, 50, 1.0), sold(0, 0, None), sold(0, 0, None)]
    figures = measured(years)
    [model] = [model for model in published_models() if model.name == "GPT-5.5"]
    printed = model.figures["on_time_percent"]
    assert (printed.value, printed.spread) == (60.0, 54.77)
    on_time = figures["on_time_percent"]
    assert [on_time.value, on_time.spread] == pytest.approx([printed.value, printed.spread], abs=0.005)
    for name in ("realized_return_percent", "controllable_return_points", "natural_return_points"):
        assert near(figures[name], 6.0, 10 * sqrt(0.3), 5), name
    assert near(figures["fast_percent"], model["fast_percent"], 2.5, 3)  # the tier share averages the other three
    figures = measured([sold(0, 0, None)] * 2)  # without a sample in any year there is no figure
    for name in ("on_time_percent", "realized_return_percent", "controllable_return_points", "fast_percent"):
        assert figures[name] == Figure(None, None, 0), name


BALANCE, ANCHORING = "profitability.final_balance", "negotiation.anchoring"
HONEST_SPEND = "fraud_identification.spend_by_good_personality"


@pytest.mark.parametrize(
    ("name", "path", "years", "value", "spread", "entered"),
    [
        ("final_assets", BALANCE, [7.0] * 5, 7.0, 0.0, 5),  # equal years enter the mean and the spread
        ("final_assets", BALANCE, [1.0, 1.0, 4.0], 2.0, sqrt(3), 3),
        # Without a sample a year is left out, and the spread is the sample's.
        ("agreement_rate", "negotiation.terms_bench_metrics.AGR+", [0.9, None, 0.7], 0.8, 0.1 * sqrt(2), 2),
        ("agreement_rate", "negotiation.terms_bench_metrics.AGR+", [0.9], 0.9, None, 1),
        # Repeat orders spread as a population.
        ("anchor_ratio", f"{ANCHORING}.anchor_regret_ratio", [1.2, 1.4], 1.3, 0.1, 2),
        ("anchor_ratio", ANCHORING, [None], None, None, 0),
        # Totals over the run.
        ("membership_fees", "fraud_identification.vip_fee_paid_count", [0, 2, 1], 3, None, 3),
        ("bankrupt_runs", "profitability.bankrupt", [True, False, True], 2, None, 3),
        ("reorders", f"{ANCHORING}.sample_size.reorders", [40, 2], 42, None, 2),
        # Stouffer's rule: (-2 - 1 + 0.5 - 1.5) / sqrt(4).
        ("anchor_z", f"{ANCHORING}.anchor_regret_z", [-2.0, -1.0, None, 0.5, -1.5], -2.0, None, 4),
    ],
)
def test_years_become_one_figure_by_the_estimator_of_their_measure(
    name: str, path: str, years: list[Any], value: float | None, spread: float | None, entered: int
) -> None:
    assert near(MEASURES[name].of_run([year(path, each) for each in years]), value, spread, entered)


def reached(ordered: int, contacted: int) -> dict[str, Any]:
    return {"supplier_engagement": {"ordered": {"distinct_bad": ordered}, "contacted": {"distinct_bad": contacted}}}


def dealt(honesty: str, **kinds: tuple[float, int]) -> dict[str, Any]:
    """By kind of supplier: the shares of the range that its deals won together, and how many deals those were."""
    found = {kind: {"surplus_sum": won, "deals": deals} for kind, (won, deals) in kinds.items()}
    return year(f"diagnostics.by_counterpart.{honesty}", found)


def called(**by_tool: int) -> dict[str, Any]:
    return {"run": {"calls_by_tool": by_tool, "tool_calls": sum(by_tool.values()), "turns": 50}}


@pytest.mark.parametrize(
    ("name", "years", "value"),
    [
        # 1 of 4 and 0 of 1 are a fifth, where the mean of the two shares would be an eighth; none contacted adds none.
        ("pass_through_percent", [reached(1, 4), reached(0, 1), reached(0, 0)], 20.0),
        # Three deals at 0.9 and one at 0.5 are 0.8, where the mean of the two years would be 0.7.
        ("surplus_candid", [dealt("honest", candid=(2.7, 3)), dealt("honest", candid=(0.5, 1))], 0.8),
        ("surplus_fraudulent", [dealt("fraudulent", qty_bait=(0.6, 1), fake_urgency=(0.4, 1))], 0.5),
        ("spend_adversarial_percent", [year(HONEST_SPEND, {"Tough": 10.0, "Friendly": 30.0})], 25.0),
        ("pricing_percent", [called(set_prices=1, chatbox=199)], 0.5),
        ("calls_per_turn", [called(set_prices=1, chatbox=199)], 4.0),
        # 1 of 2 calls and 0 of 8 are a tenth of all, where the mean of the two shares would be a quarter.
        ("bargaining_percent", [called(chatbox=1, withdraw=1), called(check_balance=5, check_warehouse=3)], 10.0),
        ("polling_percent", [called(chatbox=1, withdraw=1), called(check_balance=5, check_warehouse=3)], 80.0),
        ("other_percent", [called(fly=1, set_prices=1, operate_memory=2)], 50.0),  # a tool that does not exist, too
        ("memory_percent", [called(fly=1, set_prices=1, operate_memory=2)], 50.0),
        ("memory_percent", [called(), called()], None),
    ],
)
def test_a_ratio_weighs_every_deal_call_and_yuan_of_all_years_alike(
    name: str, years: list[dict[str, Any]], value: float | None
) -> None:
    assert near(MEASURES[name].of_run(years), value, None, 0 if value is None else len(years))
    if len(years) == 1:
        assert MEASURES[name].of_year(years[0]) == value


def test_growth_is_told_by_quarter_as_far_as_the_year_got() -> None:
    quarters = year("diagnostics.liquidity.assets_by_quarter", [150.0, 120.0, -10.0, None])
    found = measured_year(quarters | {"profitability": {"initial_balance": 100.0}})
    growth = [found[f"growth_quarter_{quarter}_percent"] for quarter in range(1, 5)]
    assert growth[:2] == pytest.approx([50.0, -20.0])
    assert growth[2] == pytest.approx(100 * (-10 / 120 - 1))
    assert growth[3] is None


def lead_nowhere(read: Any, report: Any) -> Iterator[str]:
    """The paths that a measure reads and that a report does not have. What is null has no sample, and nothing in it."""

    def is_found(part: Any, steps: list[str]) -> bool:
        if part is None or not steps:
            return True
        step, *rest = steps
        if step == "*":
            return all(is_found(each, rest) for each in part.values())
        return step in part and is_found(part[step], rest)

    if isinstance(read, Field) and not is_found(report, read.path.split(".")):
        yield read.path
    for part in getattr(read, "args", ()):
        yield from lead_nowhere(part, report)


def test_every_measure_reads_a_field_that_a_year_has(account: Account) -> None:
    """A path with a slip in it would read None for ever."""
    counts = ("turns", "tool_calls", "minutes", "tokens", "evictions", "tokens_freed", "promotions_joined")
    run = dict.fromkeys(counts, 4) | {"calls_by_tool": {"chatbox": 4}, "context_tokens": {"mean": 9.0, "peak": 12}}
    report = year_report(account, SupplierDesk()) | {"run": run}
    report["failure_modes"], _ = failure_modes(account, SupplierDesk(), PlayLog(), report, [])
    reads = [read for each in MEASURES.values() for read in (each.read, each.over, each.sample)]
    found = {path for read in reads for path in lead_nowhere(read, report)}
    met = {PERSONALITIES[supplier.template] for supplier in account.world.suppliers if supplier.honest}
    absent = {f"supplier_engagement.roster_totals.good_by_personality.{name}" for name in PERSONALITIES.values()}
    absent -= {f"supplier_engagement.roster_totals.good_by_personality.{name}" for name in met}
    elsewhere = {path for path in found if path.startswith(("bound.", "conduct."))}  # other rules, and the bound
    assert found - elsewhere == absent
    unread = {name for name, value in measured_year(report).items() if value is None}
    assert {"se_plus", "anchor_ratio", "skill", "bad_spend_percent", "on_time_percent"} < unread
    assert not {"final_assets", "tool_calls", "overdrawn_mornings", "units_sold", "memory_calls"} & unread


def test_a_percentage_is_a_hundred_times_the_share_that_a_report_holds() -> None:
    reads = [(each.name, each.read) for each in MEASURES.values() if each.unit in ("%", "percentage points")]
    scales = {name: read.scale for name, read in reads if isinstance(read, Field)}
    assert scales.pop("oracle_percent") == 1  # a report holds %Oracle in percent already, as the paper's files do
    assert len(scales) > 10
    assert {name: scale for name, scale in scales.items() if scale != 100} == {}


def test_eight_bands_partition_the_tools_and_the_last_takes_the_rest() -> None:
    named = [tool for band in BANDS.values() for tool in band]
    rest = {schema["function"]["name"] for schema in ecbench.tool_schemas()} - set(named)
    assert (len(BANDS), len(named)) == (8, len(set(named))) and {"market_search", "set_prices", "open_store"} <= rest
    assert {calls_in(REMAINDER, {tool: 1}) for tool in rest} == {1}
    assert {calls_in(REMAINDER, {tool: 1}) for tool in named} == {0}


def test_figures_and_means_have_four_digits_and_yuan_two_and_a_share_is_of_one_at_least() -> None:
    assert (figure(0.123456), yuan(0.126), str(figure(-1e-9))) == (0.1235, 0.13, "0.0")
    assert (mean_or_null([]), mean_or_zero([])) == (None, 0.0)
    assert (mean_or_null([1.0, 2.0]), mean_or_zero([1.0, 2.0, 2.0], 2)) == (1.5, 1.67)
    assert [share(0, 0), share(1, 0), share(1, 3), share(5, 0.5)] == [0.0, 1.0, 0.3333, 5.0]
