"""What the paper says in its text follows from its tables, which ship as data."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean, median

import pytest

from ecbench.metrics.axes import AXES
from ecbench.metrics.labels import BANDS
from ecbench.metrics.published import (
    MARKS,
    TABLES,
    PublishedModel,
    published_cells,
    published_models,
    published_modes,
    read_table,
)
from ecbench.metrics.ranks import paper_entrants, ranks

MODELS = published_models()
NAMES = [model.name for model in MODELS]
STAKE = 100_000


def of(name: str) -> PublishedModel:
    return next(model for model in MODELS if model.name == name)


def column(name: str) -> list[float]:
    return [model[name] for model in MODELS]


def those(which: Callable[[PublishedModel], bool]) -> set[str]:
    return {model.name for model in MODELS if which(model)}


def ranks_on(axis_name: str) -> list[int]:
    axis = next(axis for axis in AXES if axis.name == axis_name)
    return [rank for rank in ranks(paper_entrants(), axis) if rank is not None]


def shares(*bands: str) -> float:
    """Of the calls of the whole field, in percent."""
    spent = sum(model["tool_calls"] * sum(model[f"{band}_percent"] for band in bands) for model in MODELS)
    return spent / sum(column("tool_calls"))


def test_every_table_has_the_eighteen_models_in_the_order_of_their_assets() -> None:
    assert column("final_assets") == sorted(column("final_assets"), reverse=True)
    for table in TABLES:
        assert [row["model"].rstrip(MARKS) for row in read_table(table)] == NAMES
        assert list(published_cells(table)) == NAMES
    assert len(NAMES) == len(set(NAMES)) == 18
    assert {model.episodes for model in MODELS} == {5}
    assert sum(model.tier == "proprietary" for model in MODELS) == 8
    assert len(MODELS[0].figures) == 53  # columns of the seven tables, each once


def test_a_column_that_two_tables_print_says_the_same_in_both() -> None:
    printed: dict[tuple[str, str], list[float]] = {}
    for table in TABLES:
        for model, cells in published_cells(table).items():
            for name, cell in cells.items():
                printed.setdefault((model, name), []).append(cell.value)
    shared = {key: cells for key, cells in printed.items() if len(cells) > 1}
    assert {name for _, name in shared} == {
        *("cse_plus", "drawdown_over_peak", "bankrupt_runs", "tool_calls", "turns", "profit_per_call"),
        *("controllable_return_points", "anchor_ratio"),
    }
    for key, (one, other) in shared.items():
        tolerance = 0.0051 if key[1] == "anchor_ratio" else 0  # printed with three decimals, and with two
        assert one == pytest.approx(other, abs=tolerance), key


def test_a_cell_keeps_its_printed_digits_and_marks_and_its_number_is_in_whole_units() -> None:
    assets, slope = of("GPT-5.5").figures["final_assets"], of("GPT-5.5").figures["surplus_slope_per_day"]
    assert (assets.text, assets.value, assets.spread) == ("¥702k ± ¥616k†", 702_000, 616_000)
    assert (slope.text, slope.value, slope.spread) == ("-0.02451 ± 0.05463", -0.02451, 0.05463)
    assert of("Claude Opus 4.7 (max)").text("bad_spend_percent") == "0.12%"
    assert of("GPT-5.5").text("anchor_ratio") == "1.043‡"  # of the leaderboard; the table of learning prints 1.04
    assert published_cells("learning")["GPT-5.5"]["anchor_ratio"].text == "1.04 ± 0.15"
    assert published_cells("solvency")["GPT-5.5"]["trough"].text == "-¥3.5k ± ¥5.5k"
    assert (of("GPT-5.5").text("bankrupt_runs"), of("GPT-5.5")["bankrupt_runs"]) == ("2/5", 2)


# sec:overall


def test_the_factor_between_first_and_last_lies_within_the_rounding_of_both() -> None:
    least, most = (1_430_500 / 1_150, 1_431_500 / 1_050)
    assert least < 1_264 < most
    assert (NAMES[0], NAMES[-1]) == ("GPT-5.6 Sol (max)", "Qwen3.5-Plus")


def test_proprietary_models_have_the_top_four_ranks_and_qwen_leads_the_open_ones() -> None:
    assert [model.tier for model in MODELS[:5]] == ["proprietary"] * 4 + ["open-weight"]
    assert NAMES[4] == "Qwen3.8-Max-Preview"
    assert of("Qwen3.8-Max-Preview")["final_assets"] / of("GLM 5.2 (high)")["final_assets"] == pytest.approx(
        1.38, abs=0.005
    )
    family = ["Qwen3.5-Plus", "Qwen3.6-Plus", "Qwen3.7-Max", "Qwen3.8-Max-Preview"]
    assert sorted(family, key=lambda name: of(name)["final_assets"]) == family


def test_ten_of_ninety_episodes_went_bankrupt_six_of_them_under_closed_models() -> None:
    assert sum(model.episodes for model in MODELS) == 90
    assert sum(column("bankrupt_runs")) == 10
    assert sum(model["bankrupt_runs"] for model in MODELS if model.tier == "proprietary") == 6
    bankrupt = those(lambda model: model["bankrupt_runs"] > 0)
    assert bankrupt == {"GPT-5.5", "Claude Opus 4.6 (max)", "Gemini 3.1 Pro", "Qwen3.5-Plus"}
    gave_up_half = those(lambda model: model["drawdown_over_peak"] > 0.5)
    assert bankrupt < gave_up_half and len(gave_up_half) == 5


def test_gpt_55s_spread_is_the_populations() -> None:
    spread = of("GPT-5.5").figures["final_assets"]
    assert spread.of_population and spread.spread is not None
    assert spread.spread * sqrt(5 / 4) == pytest.approx(689_000, abs=500)
    cse = of("GPT-5.5").figures["cse_plus"]
    assert (cse.value, cse.spread, cse.of_population) == (0.700, 0.050, True)
    assert not of("Fable5 (max)").figures["cse_plus"].of_population


# sec:res_nego, app:res_d1


def test_no_model_bargains_down_to_the_floor() -> None:
    cse = column("cse_plus")
    assert (max(cse), min(cse)) == (of("Claude Opus 4.7 (max)")["cse_plus"], of("Kimi K2.6")["cse_plus"])
    assert (max(cse), min(cse)) == (0.811, 0.596)
    assert [round(value - 0.5, 2) for value in (min(cse), max(cse))] == [0.10, 0.31]
    assert max(cse) - min(cse) == pytest.approx(0.215)


def test_agreement_is_saturated_and_the_deals_add_up() -> None:
    assert min(column("agreement_rate")) == 0.96
    assert round(5 * sum(column("deals"))) == 13_128


def test_surplus_with_walk_aways_is_agreement_times_surplus_of_deals() -> None:
    """eq:d1_factor holds in every episode, and so nearly in the means."""
    for model in MODELS:
        assert model["se_plus"] == pytest.approx(model["agreement_rate"] * model["cse_plus"], abs=0.004)


# sec:res_fraud


def test_fraudulent_spend_spans_more_than_160_fold_and_ranks_otherwise_in_yuan() -> None:
    bad = {model.name: model["bad_spend_percent"] for model in MODELS}
    assert (min(bad, key=bad.__getitem__), max(bad, key=bad.__getitem__)) == ("Claude Opus 4.7 (max)", "Qwen3.5-Plus")
    assert 160 < max(bad.values()) / min(bad.values()) < 180
    assert of("GPT-5.6 Sol (max)")["fraud_spend"] / of("Qwen3.5-Plus")["fraud_spend"] == pytest.approx(50, abs=5)
    assert ranks_on("bad_spend_percent")[NAMES.index("GPT-5.6 Sol (max)")] == 16


def test_three_membership_fees_were_paid_in_the_whole_evaluation() -> None:
    assert sum(column("membership_fees")) == 3
    assert column("membership_fee_yuan") == [1_000 * count for count in column("membership_fees")]
    assert those(lambda model: model["membership_fees"] > 0) == {"Gemini 3.5 Flash", "Qwen3.5-Plus"}


# sec:res_cashflow


def test_177_mornings_were_overdrawn_and_eleven_models_never_were() -> None:
    assert round(5 * sum(column("overdrawn_mornings"))) == 177
    assert column("overdrawn_mornings").count(0) == 11
    assert column("bankrupt_runs").count(0) == 14
    assert max(column("drawdown")) == of("GPT-5.6 Sol (max)")["drawdown"]


# sec:res_efficiency


def test_fable_earns_more_from_fewer_calls() -> None:
    fable, leader = of("Fable5 (max)"), of("GPT-5.6 Sol (max)")
    assert (fable["profit_per_call"], leader["profit_per_call"]) == (479, 363)
    assert 100 * (1 - fable["tool_calls"] / leader["tool_calls"]) == pytest.approx(59.9, abs=0.06)
    below = those(lambda model: model["profit_per_call"] < 0)
    assert below == those(lambda model: model["final_assets"] < STAKE) and len(below) == 3
    assert min(column("profit_per_call")) == -92
    assert sorted(column("profit_per_call"), reverse=True).index(of("GPT-5.5")["profit_per_call"]) == 3


def test_a_daily_loop_takes_seven_tenths_of_all_calls() -> None:
    assert round(shares("shipping", "waiting", "withdrawing", "listing"), 1) == 71.8
    assert round(shares("polling"), 1) == 14.7
    assert round(shares("bargaining"), 1) == 6.0
    assert round(shares("memory"), 1) == 2.1


def test_the_eight_bands_of_a_model_hold_all_its_calls() -> None:
    for model in MODELS:
        assert sum(model[f"{band}_percent"] for band in BANDS) == pytest.approx(100, abs=0.4)
        of_memory = 100 * model["memory_calls"] / model["tool_calls"]
        assert of_memory == pytest.approx(model["memory_percent"], abs=0.06)


def test_the_memory_store_draws_almost_no_traffic() -> None:
    by_share = max(MODELS, key=lambda model: model["memory_percent"])
    by_count = max(MODELS, key=lambda model: model["memory_calls"])
    assert (by_share.name, by_share["memory_calls"]) == ("Claude Opus 4.8 (max)", 69.6)
    assert (by_count.name, by_count["memory_calls"]) == ("GPT-5.5", 135.2)
    assert those(lambda model: model["memory_calls"] == 0) == {"Qwen3.5-Plus"}


# sec:res_execution


def test_own_prices_add_up_to_5_88_points_and_the_goods_more() -> None:
    own, natural = column("controllable_return_points"), column("natural_return_points")
    assert (min(own), max(own)) == (-0.05, 5.88)
    assert (min(natural), max(natural)) == (5.31, 21.25)
    assert of("Qwen3.7-Max")["controllable_return_points"] == min(own)
    assert max(column("refund_loss")) == of("GPT-5.6 Sol (max)")["refund_loss"] == pytest.approx(1_620_000, abs=5_000)


def test_store_openings_order_nothing() -> None:
    opened = column("stores_opened")
    assert (min(opened), max(opened)) == (3.0, 9.0)
    assert those(lambda model: model["stores_opened"] == 3.0) == {"Qwen3.7-Max", "Qwen3.6-Plus"}
    assert of("GLM 5.2 (high)").figures["stores_opened"].text == "4.0 ± 0.0"
    assert NAMES.index("GLM 5.2 (high)") + 1 == 6
    assert NAMES.index("Gemini 3.5 Flash") + 1 == 12


# sec:res_learning, app:metrics_d6


def test_two_models_beat_their_own_reshuffled_prices() -> None:
    assert those(lambda model: model["anchor_ratio"] < 1) == {"Qwen3.8-Max-Preview", "Gemini 3.5 Flash"}
    assert median(column("anchor_ratio")) == pytest.approx(1.369)
    assert max(column("anchor_ratio")) == 1.860
    assert len(those(lambda model: model["anchor_z"] < -2)) == 15
    assert those(lambda model: model["anchor_z"] > 2) == {"Qwen3.8-Max-Preview"}
    assert sum(column("reorders")) == 8_647


def test_what_moves_over_the_year_moves_the_wrong_way() -> None:
    assert len(those(lambda model: model["surplus_half_lift"] < 0)) == 16
    assert those(lambda model: model["surplus_slope_per_day"] > 0) == {"Qwen3.8-Max-Preview"}
    assert len(those(lambda model: model["fraud_half_lift"] < 0)) == 17


def told_apart(name: str, episodes: Callable[[PublishedModel], int]) -> int:
    """Pairs of models more than two standard errors of their difference from one another."""

    def error(model: PublishedModel) -> float:
        spread = model.figures[name].spread
        assert spread is not None
        return spread**2 / episodes(model)

    return sum(
        abs(one[name] - other[name]) > 2 * sqrt(error(one) + error(other)) for one, other in combinations(MODELS, 2)
    )


def test_the_anchor_ratio_tells_53_of_153_pairs_apart_and_the_half_lift_15() -> None:
    assert told_apart("anchor_ratio", lambda model: 3 if model.name == "GPT-5.5" else 5) == 53
    assert told_apart("surplus_half_lift", lambda model: 5) == 15


def test_profit_per_call_follows_from_assets_and_calls() -> None:
    """Rounded as printed: assets to ¥1,000, so the quotient agrees to about half a yuan a call."""
    for model in MODELS:
        derived = (model["final_assets"] - STAKE) / model["tool_calls"]
        assert derived == pytest.approx(model["profit_per_call"], abs=1.0)


# app:res_profiles, fig:ranks


def test_every_model_is_strong_somewhere_and_weak_elsewhere() -> None:
    of_models: list[Sequence[int]] = list(zip(*(ranks_on(axis.name) for axis in AXES), strict=True))
    assert fmean(max(found) - min(found) for found in of_models) == pytest.approx(10.2, abs=0.05)
    worst = {name: max(found) for name, found in zip(NAMES, of_models, strict=True)}
    assert min(worst.values()) == worst["Qwen3.8-Max-Preview"] == 7
    moved = [abs(rank - index) for index, rank in enumerate(ranks_on("profit_per_call"), start=1)]
    assert fmean(moved) == pytest.approx(0.7, abs=0.05)


def test_six_of_the_seven_best_of_a_family_fall_below_the_median_somewhere() -> None:
    best = ["GPT-5.6 Sol (max)", "Fable5 (max)", "Gemini 3.5 Flash", "Qwen3.8-Max-Preview", "GLM 5.2 (high)"]
    best += ["Kimi K3", "DeepSeek-V4-Pro-Preview (max)"]
    below = set()
    for axis in AXES:
        middle = median(map(axis.score, column(axis.name)))
        below |= {name for name in best if axis.score(of(name)[axis.name]) < middle}
    assert below == set(best) - {"Qwen3.8-Max-Preview"}


# tab:failure_modes


def test_the_ten_failure_modes_are_counted_over_ninety_episodes() -> None:
    modes = published_modes()
    assert len(modes) == 10
    assert modes["bankruptcy"].episodes == sum(column("bankrupt_runs"))
    assert modes["bankruptcy"].models == len(those(lambda model: model["bankrupt_runs"] > 0))
    assert {mode.episodes_tested for mode in modes.values()} == {88, 90}
