"""What the paper says in its text follows from its tables, which ship as data."""

from collections.abc import Callable
from itertools import combinations
from math import sqrt
from statistics import median

import pytest
from pytest import approx

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

MODELS = published_models()
NAMES = [model.name for model in MODELS]
STAKE = 100_000


def of(name: str) -> PublishedModel:
    return next(model for model in MODELS if model.name == name)


def column(name: str) -> list[float]:
    return [model[name] for model in MODELS]


def those(which: Callable[[PublishedModel], bool]) -> set[str]:
    return {model.name for model in MODELS if which(model)}


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
        assert one == approx(other, abs=tolerance), key


def test_a_cell_keeps_its_printed_digits_and_marks_and_its_number_is_in_whole_units() -> None:
    assets, slope = of("GPT-5.5").figures["final_assets"], of("GPT-5.5").figures["surplus_slope_per_day"]
    assert (assets.text, assets.value, assets.spread) == ("¥702k ± ¥616k†", 702_000, 616_000)
    assert (slope.text, slope.value, slope.spread) == ("-0.02451 ± 0.05463", -0.02451, 0.05463)
    assert of("Claude Opus 4.7 (max)").text("bad_spend_percent") == "0.12%"
    assert of("GPT-5.5").text("anchor_ratio") == "1.043‡"  # of the leaderboard; the table of learning prints 1.04
    assert published_cells("learning")["GPT-5.5"]["anchor_ratio"].text == "1.04 ± 0.15"
    assert published_cells("solvency")["GPT-5.5"]["trough"].text == "-¥3.5k ± ¥5.5k"
    assert (of("GPT-5.5").text("bankrupt_runs"), of("GPT-5.5")["bankrupt_runs"]) == ("2/5", 2)


SOL, FABLE, GPT, OPUS = "GPT-5.6 Sol (max)", "Fable5 (max)", "GPT-5.5", "Claude Opus 4.7 (max)"
QWEN = "Qwen3.8-Max-Preview"
BANKRUPT = {GPT, "Claude Opus 4.6 (max)", "Gemini 3.1 Pro", "Qwen3.5-Plus"}


def extremes(name: str) -> tuple[float, float]:
    return min(column(name)), max(column(name))


def best(name: str) -> str:
    return max(MODELS, key=lambda model: model[name]).name


def told_apart(name: str, episodes: Callable[[PublishedModel], int]) -> int:
    """Pairs of models more than two standard errors of their difference from one another."""

    def error(model: PublishedModel) -> float:
        spread = model.figures[name].spread
        assert spread is not None
        return spread**2 / episodes(model)

    return sum(
        abs(one[name] - other[name]) > 2 * sqrt(error(one) + error(other)) for one, other in combinations(MODELS, 2)
    )


CLAIMS: dict[str, dict[str, tuple[object, object]]] = {
    "sec:overall": {
        "first and last": ((NAMES[0], NAMES[-1]), (SOL, "Qwen3.5-Plus")),
        "episodes": (sum(model.episodes for model in MODELS), 90),
        "bankruptcies": (sum(column("bankrupt_runs")), 10),
        "of closed models": (sum(m["bankrupt_runs"] for m in MODELS if m.tier == "proprietary"), 6),
        "bankrupt models": (those(lambda m: m["bankrupt_runs"] > 0), BANKRUPT),
        "gave up half": (those(lambda m: m["drawdown_over_peak"] > 0.5) > BANKRUPT, True),
    },
    "sec:res_nego, app:res_d1": {
        "surplus": (extremes("cse_plus"), (0.596, 0.811)),
        "agreement": (min(column("agreement_rate")), 0.96),
        "deals": (round(5 * sum(column("deals"))), 13_128),
    },
    "sec:res_fraud": {
        "the most careful": (of(OPUS)["bad_spend_percent"], min(column("bad_spend_percent"))),
        "in yuan": (of(SOL)["fraud_spend"] / of("Qwen3.5-Plus")["fraud_spend"], approx(50, abs=5)),
        "membership fees": (sum(column("membership_fees")), 3),
        "fees in yuan": (column("membership_fee_yuan"), [1_000 * count for count in column("membership_fees")]),
    },
    "sec:res_cashflow": {
        "overdrawn mornings": (round(5 * sum(column("overdrawn_mornings"))), 177),
        "never overdrawn": (column("overdrawn_mornings").count(0), 11),
        "the largest fall": (best("drawdown"), SOL),
    },
    "sec:res_efficiency": {
        "profit per call": ((of(FABLE)["profit_per_call"], of(SOL)["profit_per_call"]), (479, 363)),
        "who loses": (those(lambda m: m["profit_per_call"] < 0), those(lambda m: m["final_assets"] < STAKE)),
        "the daily loop": (round(shares("shipping", "waiting", "withdrawing", "listing"), 1), 71.8),
        "polling": (round(shares("polling"), 1), 14.7),
        "bargaining": (round(shares("bargaining"), 1), 6.0),
        "memory": (round(shares("memory"), 1), 2.1),
        "in calls": (of("Claude Opus 4.8 (max)")["memory_calls"], 69.6),
    },
    "sec:res_execution": {
        "returns of own prices": (extremes("controllable_return_points"), (-0.05, 5.88)),
        "natural returns": (extremes("natural_return_points"), (5.31, 21.25)),
        "refunds": ((best("refund_loss"), max(column("refund_loss"))), (SOL, approx(1_620_000, abs=5_000))),
        "stores": (extremes("stores_opened"), (3.0, 9.0)),
    },
    "sec:res_learning, app:metrics_d6": {
        "better than chance": (those(lambda m: m["anchor_ratio"] < 1), {QWEN, "Gemini 3.5 Flash"}),
        "the middle": (median(column("anchor_ratio")), approx(1.369)),
        "beyond chance": (len(those(lambda m: m["anchor_z"] < -2)), 15),
        "reorders": (sum(column("reorders")), 8_647),
        "surplus falls": (len(those(lambda m: m["surplus_half_lift"] < 0)), 16),
        "surplus rises": (those(lambda m: m["surplus_slope_per_day"] > 0), {QWEN}),
        "more fraud": (len(those(lambda m: m["fraud_half_lift"] < 0)), 17),
        "pairs told apart": (told_apart("anchor_ratio", lambda m: 3 if m.name == GPT else 5), 53),
        "by the half lift": (told_apart("surplus_half_lift", lambda m: 5), 15),
    },
    "tab:failure_modes": {
        "modes": (len(published_modes()), 10),
        "bankruptcies": (published_modes()["bankruptcy"].episodes, sum(column("bankrupt_runs"))),
        "tested": ({mode.episodes_tested for mode in published_modes().values()}, {88, 90}),
    },
}
"""What the paper says in its text, by section: computed from the tables, and as printed."""


@pytest.mark.parametrize("section", CLAIMS)
def test_what_the_text_says_follows_from_the_tables(section: str) -> None:
    for claim, (computed, printed) in CLAIMS[section].items():
        assert computed == printed, claim


def test_gpt_55s_spread_is_the_populations() -> None:
    spread = of("GPT-5.5").figures["final_assets"]
    assert spread.of_population and spread.spread is not None
    assert spread.spread * sqrt(5 / 4) == approx(689_000, abs=500)
    cse = of("GPT-5.5").figures["cse_plus"]
    assert (cse.value, cse.spread, cse.of_population) == (0.700, 0.050, True)
    assert not of("Fable5 (max)").figures["cse_plus"].of_population


def test_columns_that_follow_from_others_do_so_for_every_model() -> None:
    """eq:d1_factor holds in every episode, and so nearly in the means; assets are printed to ¥1,000."""
    for model in MODELS:
        assert model["se_plus"] == approx(model["agreement_rate"] * model["cse_plus"], abs=0.004)
        assert sum(model[f"{band}_percent"] for band in BANDS) == approx(100, abs=0.4)
        assert 100 * model["memory_calls"] / model["tool_calls"] == approx(model["memory_percent"], abs=0.06)
        assert (model["final_assets"] - STAKE) / model["tool_calls"] == approx(model["profit_per_call"], abs=1.0)
