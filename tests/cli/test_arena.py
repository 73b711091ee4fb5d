"""ecbench arena, and the other commands on its folder."""

from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.command import Cli, complete
from tests.conftest import write_little_world
from tests.runs.conftest import TRADER

from ecbench.cli.run_tables import _standings_table
from ecbench.metrics.arena_standings import EntryResult, standings


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short rounds, which no test changes."""
    place = tmp_path_factory.mktemp("played")
    seats = ("--seats", f"{TRADER},idle,idle", "--rounds", "2", "--days", "6")
    complete("arena", *seats, "--worlds", str(write_little_world(place)), "--out", str(place / "arena"), "-q")
    return place / "arena"


def test_standings_are_printed_and_no_figure_is_cut(played: Path, cli: Cli) -> None:
    told = cli("resume", str(played))
    assert told.code == 0
    words = ("MyMerchant", "idle-1", "idle-2", "Mean assets", "who ended richer than whom")
    for phrase in (*words, "From 2 rounds, 1 distinct", f"Run folder: {played}"):
        assert phrase in told.out, phrase
    assert "…" not in told.out and "95%" not in told.out


def test_tables_of_eight_entries_with_long_names_and_large_sums_fit_80_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [f"provider/a-model-with-a-long-name-{number}" for number in range(8)]
    rounds = [
        [EntryResult(own, 9e7 * (own + 1) / (own + turn + 2), "year_end") for own in range(8)] for turn in range(3)
    ]
    found = standings(names, names, rounds)
    console = Console(width=80)
    console.print(_standings_table(found))
    text = capsys.readouterr().out
    assert "…" not in text and max(map(len, text.splitlines())) <= 80
    for standing in found:
        assert f"¥{standing.assets:,.0f}" in text


def test_json_contains_every_episode_and_the_standings(played: Path, cli: Cli) -> None:
    found = cli("resume", str(played), "--json").json
    assert [result["episode"] for result in found["results"]] == [0, 1]
    assert [seat["entry"] for seat in found["results"][1]["seats"]] == ["idle-2", "my_merchant.py:MyMerchant", "idle-1"]
    assert len(found["standings"]) == 3 and all(result["over"] for result in found["results"])
    assert found["head_to_head"]["entries"] == ["my_merchant.py:MyMerchant", "idle-1", "idle-2"]


def test_a_seat_is_shown_and_named(played: Path, cli: Cli) -> None:
    shown = cli("show", str(played), "--seat", "1", "--episode", "1")
    assert shown.code == 0
    assert shown.text.startswith("Episode 1, seat 1, my_merchant.py:MyMerchant on corner shop: year end on day 6")
    facts = cli("show", str(played), "--seat", "1", "--json").json
    assert (facts["seat"], facts["agent"]) == (1, "idle")


def test_its_entries_are_exported_reported_and_compared_like_runs(played: Path, tmp_path: Path, cli: Cli) -> None:
    assert cli("export", str(played), "--out", str(tmp_path / "out")).code == 0
    names = {"my_merchant.py-MyMerchant", "idle-1", "idle-2"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    assert cli("report", str(played), "--out", str(tmp_path / "page.html")).code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "idle-1" in page and "idle-2" in page
    compared = cli("compare", str(played), "--json").json
    assert len(compared["pairs"]) == 3


def test_a_seat_is_taken_over(played: Path, tmp_path: Path, cli: Cli) -> None:
    told = cli("fork", str(played), "--seat", "0", "--day", "3", "--agent", "idle", "--out", str(tmp_path / "f"), "-q")
    assert told.code == 0, told.err
    assert cli("verify", str(tmp_path / "f")).code == 0
    assert "A fork of arena at day 3" in cli("show", str(tmp_path / "f")).text
