"""Everything in an episode's folder follows from its events."""

import csv
import io
import json

import pytest
from tests.runs.conftest import Play, files_of

from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED
from ecbench.world.model import World


def sheet(run: Run, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files_of(run)[name].decode())))


def test_the_derived_files_are_made_again_byte_for_byte(played: Run, play: Play) -> None:
    before = files_of(played)
    for name in (*DERIVED, CHECKSUMS):
        (played.episode_folder(0) / name).unlink()
    play(played)
    assert files_of(played) == before


def test_a_replay_gives_the_files_of_the_year(played: Run, world: World) -> None:
    files = replay_episode(played.terms, 0, world, read_episode(played, 0)).seats[0].files
    assert {name: text.encode() for name, text in files.items()} == {
        name: files_of(played)[name] for name in (*DERIVED, CHECKSUMS)
    }


def test_the_sheets_agree_with_the_metrics(played: Run) -> None:
    metrics = json.loads(files_of(played)["metrics.json"])
    orders, sessions = sheet(played, "orders.csv"), sheet(played, "sessions.csv")
    charged = round(sum(float(row["charged"]) for row in orders), 2)
    assert charged == metrics["fraud_identification"]["spend_total"]
    assert len(sessions) == len(metrics["negotiation"]["per_negotiation"])
    assert sum(row["outcome"] == "Agreement" for row in sessions) == metrics["negotiation"]["total_deals"]
    assert {row["sku"] for row in orders} <= {"a1", "a2", "a3", ""}


def test_the_daily_books_run_from_the_opening_to_what_the_year_is_scored_on(played: Run) -> None:
    days = sheet(played, "days.csv")
    assert [int(row["day"]) for row in days] == [*range(366), 365]
    assert [row["row"] for row in days] == ["opening", *["morning"] * 365, "final"]
    assert (days[0]["date"], float(days[0]["total"])) == ("2026-01-01", 100_000.0)
    final = json.loads(files_of(played)["metrics.json"])["score"]["final_assets"]
    assert round(float(days[-1]["total"]), 2) == final
    assert float(days[-1]["escrow"]) == 0
    for row in days:
        moved = sum(float(value) for name, value in row.items() if name.endswith("_to_date"))
        assert 100_000 + moved == pytest.approx(float(row["total"]), abs=0.01)


def test_the_daily_books_count_every_order_sold_cancelled_and_voided(played: Run) -> None:
    days, metrics = sheet(played, "days.csv"), json.loads(files_of(played)["metrics.json"])
    fulfilment = metrics["fulfilment_quality"]
    counted = {name: sum(int(row[name]) for row in days) for name in days[0] if name.startswith("orders_")}
    assert counted["orders_sold"] == fulfilment["orders_sold"] > 0
    assert counted["orders_cancelled"] == fulfilment["orders_cancelled"]
    unsent = fulfilment["orders_sold"] - fulfilment["orders_shipped"] - fulfilment["orders_cancelled"]
    assert counted["orders_voided"] == unsent == metrics["diagnostics"]["fulfilment"]["orders_voided"]
