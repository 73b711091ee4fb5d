"""The paper's tables of results, which ship as data; `tests/parity` compares them with the paper cell by cell."""

from pytest import approx

from ecbench.metrics.labels import BANDS, packaged_rows
from ecbench.metrics.published import (
    MARKS,
    RESULTS,
    PublishedModel,
    published_cells,
    published_models,
    published_modes,
)

MODELS = published_models()
NAMES = [model.name for model in MODELS]
STAKE = 100_000


def of(name: str) -> PublishedModel:
    return next(model for model in MODELS if model.name == name)


def column(name: str) -> list[float]:
    return [model[name] for model in MODELS]


def test_every_table_has_the_eighteen_models_in_the_order_of_their_assets() -> None:
    assert column("final_assets") == sorted(column("final_assets"), reverse=True)
    for table in RESULTS:
        assert [row["model"].rstrip(MARKS) for row in packaged_rows(f"published/{table.file}")] == NAMES
        assert list(published_cells(table.file)) == NAMES
    assert len(NAMES) == len(set(NAMES)) == 18
    assert {model.episodes for model in MODELS} == {5}
    assert len(MODELS[0].figures) == 53  # columns of the seven tables, each once
    assert published_modes()["bankruptcy"].episodes == sum(column("bankrupt_runs"))
    assert {mode.episodes_tested for mode in published_modes().values()} == {88, 90}


def test_a_cell_keeps_its_printed_digits_and_marks_and_its_number_is_in_whole_units() -> None:
    assets, slope = of("GPT-5.5").figures["final_assets"], of("GPT-5.5").figures["surplus_slope_per_day"]
    assert (assets.text, assets.value, assets.spread) == ("¥702k ± ¥616k†", 702_000, 616_000)
    assert (slope.text, slope.value, slope.spread) == ("-0.02451 ± 0.05463", -0.02451, 0.05463)
    assert of("Claude Opus 4.7 (max)").text("bad_spend_percent") == "0.12%"
    assert of("GPT-5.5").text("anchor_ratio") == "1.043‡"  # of the leaderboard; the table of learning prints 1.04
    assert published_cells("learning")["GPT-5.5"]["anchor_ratio"].text == "1.04 ± 0.15"
    assert published_cells("solvency")["GPT-5.5"]["trough"].text == "-¥3.5k ± ¥5.5k"
    assert (of("GPT-5.5").text("bankrupt_runs"), of("GPT-5.5")["bankrupt_runs"]) == ("2/5", 2)


def test_columns_that_follow_from_others_do_so_for_every_model() -> None:
    """eq:d1_factor holds in every episode, and so nearly in the means; assets are printed to ¥1,000."""
    for model in MODELS:
        assert model["se_plus"] == approx(model["agreement_rate"] * model["cse_plus"], abs=0.004)
        assert sum(model[f"{band}_percent"] for band in BANDS) == approx(100, abs=0.4)
        assert 100 * model["memory_calls"] / model["tool_calls"] == approx(model["memory_percent"], abs=0.06)
        assert (model["final_assets"] - STAKE) / model["tool_calls"] == approx(model["profit_per_call"], abs=1.0)
