"""The verdict of a report: the result and its cause, a sentence each."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.pages.report.conftest import play

from ecbench.metrics.anchors import Rung
from ecbench.pages.report.output import write_report
from ecbench.pages.report.run_data import PlayedRun, read_run, world_of
from ecbench.pages.report.year_data import ShownYear
from ecbench.pages.run_verdict import cause_sentence, idle_share, result_sentence
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.folder import Run
from ecbench.runs.results.ranking import AnchorLadder


@pytest.fixture
def played(idle: Run) -> PlayedRun:
    return read_run("idle", idle)


@pytest.mark.parametrize(
    ("merchants", "place"),
    [
        (
            {"steady": 80_000.0, "haggler": 50_000.0},
            "more than every anchor on the same terms, of which the best is steady",
        ),
        ({"steady": 5e6, "haggler": 50_000.0}, "between haggler (¥50,000) and steady (¥5.00M) on the same terms"),
        (
            {"steady": 5e6, "haggler": 90_000.0},
            "less than every anchor on the same terms, of which the last is haggler",
        ),
    ],
)
@pytest.mark.parametrize("on_ladder", [True, False])
def test_a_result_lies_among_merchants(
    played: PlayedRun, merchants: dict[str, float], place: str, on_ladder: bool
) -> None:
    """The idle merchant is charged ¥13,000 in its 20 days."""
    rungs = [Rung(name, "anchor", assets, None, None) for name, assets in merchants.items()]
    ladder = AnchorLadder([Rung("idle", "run", 87_000.0, None, None), *rungs])
    summary = replace(played.summary, ladder=ladder if on_ladder else None)
    sentence = result_sentence(summary, {} if on_ladder else merchants)
    assert sentence.startswith(f"¥87,000, skill -0.03: {place}")


def test_a_run_without_a_finished_episode_has_no_result(little_world: Path, tmp_path: Path) -> None:
    run = play(tmp_path / "stopped", little_world, "idle", days=20, stop=9)
    assert result_sentence(read_run("idle", run).summary) == "No episode is over, so there is no result yet."


def test_the_cause_names_what_was_left_unused_and_the_largest_loss(played: PlayedRun) -> None:
    """The bank falls from 100,000 to 87,000, and nothing else has any money: all of it is idle."""
    year = ShownYear(played.years[0], world_of(played.years[0]))
    assert idle_share(year.database, year.seat) == pytest.approx(0.87)
    sentence = cause_sentence(year.database, year.seat, DEFAULT_RULES, year.world)
    assert sentence == (
        "0 stores where 2 may be open; 0 listings where 3 would have paid; 87% of the money idle; the largest loss is "
        "charge for having no store, ¥13,000."
    )


def test_a_page_begins_with_the_verdict_and_its_cause(idle: Run, tmp_path: Path) -> None:
    write_report([idle], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    order = ['class="verdict"', 'class="cause"', 'id="r0-money"', 'id="comparison"', 'id="r0-evidence"', 'id="across"']
    places = [page.index(f"{mark}") for mark in order]
    assert places == sorted(places)
