"""Everything in an episode's folder follows from its events."""

import csv
import io
import json

import pytest
from tests.runs.conftest import NewRun, Play, files_of

from ecbench.runs.folder import Run
from ecbench.runs.play import replay_year
from ecbench.runs.seal import SEAL, SEALED
from ecbench.runs.session import read_episode
from ecbench.world.model import World


@pytest.fixture
def played(new_run: NewRun, play: Play) -> Run:
    run = new_run()
    play(run)
    return run


def sheet(run: Run, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files_of(run)[name].decode())))


def test_the_derived_files_are_made_again_byte_for_byte(played: Run, play: Play) -> None:
    before = files_of(played)
    for name in (*SEALED, SEAL):
        (played.episode_folder(0) / name).unlink()
    play(played)
    assert files_of(played) == before


def test_a_replay_gives_the_files_of_the_year(played: Run, world: World) -> None:
    files = replay_year(played.terms, 0, world, read_episode(played, 0)).files
    assert {name: text.encode() for name, text in files.items()} == {
        name: files_of(played)[name] for name in (*SEALED, SEAL)
    }


def test_the_sheets_agree_with_the_metrics(played: Run) -> None:
    metrics = json.loads(files_of(played)["metrics.json"])
    orders, sessions = sheet(played, "orders.csv"), sheet(played, "sessions.csv")
    charged = round(sum(float(row["charged"]) for row in orders), 2)
    assert charged == metrics["fraud_identification"]["spend_total"]
    assert len(sessions) == len(metrics["negotiation"]["per_negotiation"])
    assert sum(row["outcome"] == "Agreement" for row in sessions) == metrics["negotiation"]["total_deals"]
    assert {row["product"] for row in orders} <= {"a1", "a2", "a3", ""}


def test_the_daily_books_hold_every_channel_of_the_ledger_to_date(played: Run) -> None:
    days = sheet(played, "days.csv")
    assert [int(row["day"]) for row in days] == list(range(1, 366))
    for row in days[:-1]:
        moved = sum(float(value) for name, value in row.items() if name.endswith("_to_date"))
        assert 100_000 + moved == pytest.approx(float(row["total"]), abs=0.01)
