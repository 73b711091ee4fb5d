"""Everything in an episode's folder follows from its events."""

import json
from datetime import date
from typing import Any

import pytest
from tests.runs.conftest import Play, files_of, replayed_files

from ecbench.runs.folder import Run
from ecbench.runs.results.derived_files import DERIVED, METRICS
from ecbench.runs.results.year_view import view_year


def metrics_of(run: Run) -> Any:
    [report] = json.loads(files_of(run)[METRICS])["seats"]
    return report


def test_the_derived_files_are_made_again_byte_for_byte(played: Run, play: Play) -> None:
    before = files_of(played)
    for name in DERIVED:
        (played.episode_folder(0) / name).unlink()
    play(played)
    assert files_of(played) == before


def test_a_replay_gives_the_files_of_the_year(played: Run) -> None:
    assert replayed_files(played) == {name: files_of(played)[name] for name in DERIVED}


def test_the_tables_agree_with_the_metrics(played: Run) -> None:
    metrics, tables = metrics_of(played), view_year(played, 0).tables
    charged = round(sum(row.charged for row in tables.orders), 2)
    assert charged == metrics["fraud_identification"]["spend_total"]
    assert len(tables.sessions) == metrics["negotiation"]["total_negotiations"]
    assert sum(row.outcome == "Agreement" for row in tables.sessions) == metrics["negotiation"]["total_deals"]
    assert {row.sku for row in tables.orders} <= {"a1", "a2", "a3", ""}


def test_the_daily_books_run_from_the_opening_to_what_the_year_is_scored_on(played: Run) -> None:
    days = view_year(played, 0).tables.days
    assert [row.day for row in days] == [*range(366), 365]
    assert [row.row for row in days] == ["opening", *["morning"] * 365, "final"]
    assert (days[0].date, days[0].total) == (date(2026, 1, 1), 100_000.0)
    assert round(days[-1].total, 2) == metrics_of(played)["score"]["final_assets"]
    assert days[-1].escrow == 0
    for row in days:
        moved = sum(value for name, value in row._asdict().items() if name.endswith("_to_date"))
        assert 100_000 + moved == pytest.approx(row.total, abs=0.01)


def test_the_daily_books_count_every_order_sold_cancelled_and_voided(played: Run) -> None:
    metrics = metrics_of(played)
    days, fulfilment = [row._asdict() for row in view_year(played, 0).tables.days], metrics["fulfilment_quality"]
    counted = {name: sum(row[name] for row in days) for name in days[0] if name.startswith("orders_")}
    assert counted["orders_sold"] == fulfilment["orders_sold"] > 0
    assert counted["orders_cancelled"] == fulfilment["orders_cancelled"]
    unsent = fulfilment["orders_sold"] - fulfilment["orders_shipped"] - fulfilment["orders_cancelled"]
    assert counted["orders_voided"] == unsent == metrics["diagnostics"]["fulfilment"]["orders_voided"]
