"""What a report shows of reviewed years, on a review made by hand."""

from pathlib import Path

import pytest
from tests.pages.board.reviews import review_by_hand
from tests.pages.report.conftest import play
from tests.pages.report.test_figures import of_runs, of_year

from ecbench.analysis.review.model import Review
from ecbench.analysis.review.stored_review import store_review
from ecbench.pages.report.figure import fill_all
from ecbench.pages.report.run_data import PlayedRun, PlayedYear, read_run
from ecbench.pages.report.year_data import ShownYear, year_curve
from ecbench.runs.folder import Run


def reviewed(run: Run, record: str | None = None) -> Review:
    """The engine would end with 1,000; the first week loses 300 of it, the second nothing, the third 35."""
    values, lost = ((0, 1_000.0), (7, 700.0), (14, 700.0)), {"fees": {3: 200.0, 9: 25.0}, "price": {4: 80.0}}
    return review_by_hand(run, record, values=values, spread=0.0, result=665.0, lost=lost)


@pytest.fixture
def run(little_world: Path, tmp_path: Path) -> Run:
    return play(tmp_path / "idle", little_world, "idle", days=20)


@pytest.fixture
def played(run: Run) -> PlayedRun:
    store_review(run.episode_folder(0), reviewed(run), {})
    return read_run("idle", run)


@pytest.fixture
def year(played: PlayedRun) -> PlayedYear:
    return played.years[0]


def test_the_curve_marks_the_week_that_lost_and_says_to_what(year: PlayedYear) -> None:
    figure = of_year("review", ShownYear(year))
    assert figure is not None
    assert [(row["day"], row["mark"]) for row in figure.rows if row["line"] == "mark"] == [(0, "??")]
    assert [row["yuan"] for row in figure.rows if row["line"] == "value"] == [1_000.0, 700.0, 700.0, 665.0]
    assert "From day 0, the engine ends with ¥1,000, and this year ended with ¥665, 66.5% of it" in figure.caption
    assert "the most was lost in days 0 to 6, ¥300 more than usual" in figure.caption
    curve = year_curve(ShownYear(year))
    assert curve is not None
    [mark] = curve["marks"]
    assert "¥300 more than usual (fees to suppliers, margin" in mark["text"]
    assert "by the engine: 95% between ¥300 and ¥300" in mark["text"]


def test_each_part_of_the_strategy_has_its_cost_and_its_band(year: PlayedYear) -> None:
    """Two variants lose 500 and 600: 550, and a band of 12.7 x 50 for two values."""
    figure = of_year("strategy", ShownYear(year))
    assert figure is not None
    assert [(row["part"], row["had"], row["yuan"]) for row in figure.rows] == [
        ("Stores unopened", "1 of 4 open at most", 550.0)
    ]
    assert "stores unopened (1 of 4 open at most), ¥550, give or take ¥635" in figure.caption


def test_losses_stand_by_cause_with_what_was_paid_and_what_was_missed_apart(year: PlayedYear) -> None:
    """The idle merchant was charged for having no store on 13 mornings, which its tables say without a review."""
    figure = of_year("losses", ShownYear(year))
    assert figure is not None
    assert [(row["cause"], row["yuan"], row["kind"]) for row in figure.rows] == [
        ("Charge for having no store", 13_000.0, "paid"),
        ("Fees to suppliers", 225.0, "paid"),
        ("Margin lost to the price set", 80.0, "missed"),
    ]


def test_runs_stand_beside_one_another_by_accuracy_and_by_cause(played: PlayedRun) -> None:
    accuracy, lost = of_runs("accuracy", played), of_runs("reviewed-losses", played)
    assert accuracy is not None
    assert lost is not None
    assert [row["percent"] for row in accuracy.rows] == [66.5]
    assert [(row["cause"], row["yuan"], row["share"]) for row in lost.rows] == [
        ("Fees to suppliers", 225.0, 1.0),
        ("Margin lost to the price set", 80.0, 80 / 225),
    ]


def test_a_year_that_nobody_reviewed_has_no_such_figures(run: Run) -> None:
    played = read_run("idle", run)
    assert ShownYear(played.years[0]).review is None
    assert of_runs("accuracy", played) is None
    assert of_runs("reviewed-losses", played) is None
    keys = {each.figure.key for each in fill_all("year", ShownYear(played.years[0]).database)}
    assert not keys & {"review", "strategy"}


def test_a_review_of_a_year_that_was_stopped_is_shown_while_its_record_is_the_same(
    little_world: Path, tmp_path: Path
) -> None:
    run = play(tmp_path / "stopped", little_world, "idle", days=20, stop=9)
    store_review(run.episode_folder(0), reviewed(run), {})
    assert ShownYear(read_run("idle", run).years[0]).review is not None
