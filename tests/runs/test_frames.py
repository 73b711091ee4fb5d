"""A run as data frames and as files of other programs."""

import csv
import json
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import polars
import pytest
from tests.runs.conftest import TRADER, Diary, NewRun, Play

import ecbench
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.results.database import ROW_TYPES
from ecbench.runs.results.export import ANALYSIS, export_entries
from ecbench.runs.results.year_view import view_year

TABLES = ("episodes", *ROW_TYPES)


@pytest.fixture
def two_years(new_run: NewRun, play: Play) -> Run:
    """The second was stopped in spring."""
    run = new_run(episodes=2, days=60)
    play(run)
    play(run, 1, Diary(stop_on_day=30))
    return run


def money_of(found: Any) -> float:
    orders, sales, returns, stores, days = found.orders, found.sales, found.returns, found.stores, found.days
    shipped = sales.filter(polars.col("outcome") == "shipped")["net"].sum()
    rent = stores["setup"].sum() + stores["operating"].sum() - stores["salvage"].sum()
    storage = days.filter(polars.col("row") == "morning")["storage"].sum()
    spent = orders["charged"].sum() + sales["freight"].sum() + returns["from_escrow"].sum() + rent + storage
    return float(shipped - spent)


def test_a_run_is_frames_of_all_its_years(two_years: Run) -> None:
    found = ecbench.load_run(two_years.folder)
    assert found.episodes["ending"].to_list() == ["year_end", "stopped"]
    assert all(getattr(found, name).columns[0] == "episode" for name in TABLES)
    assert found.days.filter(polars.col("episode") == 1)["day"].max() == 30
    assert found.orders.schema["placed"] == polars.Datetime and found.days.schema["date"] == polars.Date
    assert found.sessions.schema["agent_prices"] == polars.List(polars.Float64)
    assert found.orders.schema["session"] == polars.Int64
    assets = found.episodes["final_assets"].sum()
    assert 2 * 100_000.0 + money_of(found) == pytest.approx(assets, abs=0.02)


def test_a_damaged_record_is_shown_up_to_the_damage_with_a_warning(two_years: Run) -> None:
    events = two_years.events_path(1)
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join([*lines[:-3], lines[-3].replace(b'"day":', b'"dax":'), *lines[-2:]]))
    with pytest.warns(UserWarning, match=rf"line {len(lines) - 2}: it does not match its SHA-256.*--salvage"):
        found = ecbench.load_run(two_years.folder)
    assert found.episodes["ending"].to_list() == ["year_end", None]


def test_a_year_that_has_not_begun_is_a_year_without_rows(new_run: NewRun) -> None:
    found = ecbench.load_run(new_run().folder)
    assert found.episodes["ending"].to_list() == [None] and len(found.calls) == 0
    assert found.days["row"].to_list() == ["opening", "final"]


def test_an_entry_of_an_arena_is_read_like_a_run_also_without_its_files(new_arena: NewRun, play: Play) -> None:
    arena = new_arena(TRADER, "idle")
    play(arena)
    whole = ecbench.load_run(arena.folder)
    assert whole.episodes["agent"].to_list() == [TRADER]
    assert ecbench.load_run(arena.folder, entry=1).episodes["agent"].to_list() == ["idle"]
    (arena.episode_folder(0) / "results.db").unlink()
    assert ecbench.load_run(arena.folder).days.equals(whole.days)


def test_frames_without_polars_say_what_to_install(two_years: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ecbench.extras.find_spec", lambda name: None)
    with pytest.raises(RunError, match=r"data frames need `pip install 'ecbench\[frames\]'`"):
        ecbench.load_run(two_years.folder)


def test_a_query_is_answered_as_a_frame_and_only_reads(two_years: Run) -> None:
    found = ecbench.load_run(two_years.folder)
    answer = found.query("select store, units, result from by_store order by store", episode=1)
    assert answer.columns == ["store", "units", "result"]
    lines = {line.store: line for line in view_year(two_years, 1).statement.lines("store")}
    assert list(answer["store"]) == sorted(lines)
    assert list(answer["result"]) == pytest.approx([lines[store].result for store in sorted(lines)])
    with pytest.raises(RunError, match="the query fails"):
        found.query("delete from sales")


def test_csv_and_parquet_contain_what_the_frames_do(two_years: Run, tmp_path: Path) -> None:
    found = ecbench.load_run(two_years.folder)
    export_entries({"": two_years}, tmp_path / "csv", "csv")
    export_entries({"": two_years}, tmp_path / "parquet", "parquet")
    for name in TABLES:
        frame = getattr(found, name)
        assert polars.read_parquet(tmp_path / "parquet" / f"{name}.parquet").equals(frame), name
        with (tmp_path / "csv" / f"{name}.csv").open(newline="") as file:
            heading, *rows = csv.reader(file)
        assert (heading, len(rows)) == (frame.columns, len(frame))


def test_the_releases_layout_has_its_files_columns_and_sections(two_years: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = export_entries({"": two_years}, out, "release")
    assert [path.relative_to(out).as_posix() for path in written] == [
        *(
            name
            for year in (0, 1)
            for name in (
                f"balance/run_{year}_daily_balance.csv",
                f"metrics/run_{year}_analysis.json",
                f"metrics/run_{year}_negotiation_metrics.json",
            )
        ),
        "summary.json",
    ]
    columns, opening, *mornings = (out / "balance/run_0_daily_balance.csv").read_text().splitlines()
    assert columns == "date,bank_balance,platform_wallet,total_balance,open_stores,warehouse_items,storage_charged"
    assert opening == "2026-01-01,100000.0,0.0,100000.0,0,0,0.0"
    assert len(mornings) == 60
    analyses = [json.loads((out / f"metrics/run_{year}_analysis.json").read_bytes()) for year in (0, 1)]
    analysis = analyses[0]
    assert tuple(analysis) == (*ANALYSIS, "reward")
    assert "controllable_return_rate" in analysis["return_management"]
    assert "controllable_return_rate_corrected" not in analysis["return_management"]
    assert analysis["reward"]["termination_reason"] == "max_days_reached"
    assert analysis["reward"]["final_balance"] == analysis["profitability"]["final_balance"]
    bargains = json.loads((out / "metrics/run_0_negotiation_metrics.json").read_bytes())
    assert {row["supplier_type"] for row in bargains["per_negotiation"]} <= {"good", "bad"}
    summary = json.loads((out / "summary.json").read_bytes())
    assert list(summary) == ["n_runs", "metrics", "bankrupt_count"]
    assert (summary["n_runs"], summary["bankrupt_count"]) == (2, 0)
    shares = [year["negotiation_quality"]["CSE+"] for year in analyses]
    spread = {"mean": round(fmean(shares), 4), "std": round(stdev(shares), 4), "n": 2}
    assert summary["metrics"]["CSE+"] == spread
    assert summary["metrics"]["final_balance"]["n"] == 2
