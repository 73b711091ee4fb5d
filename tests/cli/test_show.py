"""What `ecbench show` tells of a year, and `ecbench export` writes of it."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from tests.cli.command import Cli, refusal
from tests.runs.conftest import MERCHANTS

from ecbench.runs.folder import open_run
from ecbench.runs.results.year_view import view_year

DAYS = 90


def test_the_statement_adds_up_to_the_final_assets(cli: Cli, careless: Path) -> None:
    told = cli("show", str(careless), "--json").json
    assert told["stake"] + sum(told["channels"].values()) == pytest.approx(told["final_assets"], abs=0.1)
    stores, suppliers, money = told["stores"], told["suppliers"], told["channels"]
    assert sum(line["revenue"] for line in stores) == pytest.approx(money["revenue"], abs=0.1)
    assert sum(line["revenue"] for line in told["categories"]) == pytest.approx(money["revenue"], abs=0.1)
    assert sum(line["spend"] for line in suppliers) == pytest.approx(-money["procurement"] - money["fees"], abs=0.1)
    profit = pytest.approx(told["final_assets"] - told["stake"], abs=0.1)
    assert sum(line["result"] for line in stores) + sum(told["outside_stores"].values()) == profit
    assert sum(line["result"] for line in told["skus"]) + sum(told["outside_goods"].values()) == profit


def test_it_names_scams_orders_and_days_that_were_lost(cli: Cli, careless: Path) -> None:
    told = cli("show", str(careless), "--json").json
    assert told["scams"] == [
        {"scam": "vip_fee", "suppliers_met": 1, "suppliers_paid": 1, "orders": 1, "spend": 1_000.0, "cost": 1_000.0}
    ]
    assert told["overpaid_fraudulent"] == 1_000.0
    tables = view_year(open_run(careless), 0).tables
    above = sum(row.charged - row.floor * row.quantity for row in tables.orders if row.floor is not None)
    assert told["overpaid_honest"] == pytest.approx(above, abs=0.01)
    assert told["fulfilment"]["orders_cancelled"] == sum(row.orders_cancelled for row in tables.days) > 0
    assert set(told["rollovers"]) == {"check_warehouse"}
    assert told["failure_modes"]["paid_pre_deal_fraud"]["count"] == 1
    page = cli("show", str(careless))
    for phrase in ("vip_fee", "cancelled", "without a wait", "paid_pre_deal_fraud", "final assets", "Hill Farm"):
        assert phrase in page.out
    assert max(map(len, page.out.splitlines())) <= 80


def test_one_table_is_shown_in_full_and_as_json_with_all_columns(cli: Cli, careless: Path) -> None:
    lines = cli("show", str(careless), "--by", "negotiation", "--json").json["lines"]
    assert [row["loss"] for row in lines] == sorted((row["loss"] for row in lines), reverse=True)
    stores = cli("show", str(careless), "--by", "store", "--json").json["lines"]
    assert len(stores) == 2 and {"store", "type", "opened", "closed", "missed"} <= set(stores[0])
    page = cli("show", str(careless), "--by", "sku").out
    assert "With all lines:" in page and max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize("width", [80, 120, 240])
def test_no_name_and_no_figure_is_cut_at_any_width(
    cli: Cli, careless: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    page = cli("show", str(careless)).out
    assert "…" not in page
    assert max(len(line.rstrip()) for line in page.splitlines()) <= width


def test_calls_are_filtered_by_tool_supplier_and_day(cli: Cli, careless: Path) -> None:
    def calls(*filters: str) -> list[dict[str, object]]:
        found: list[dict[str, object]] = cli("show", str(careless), *filters, "--json").json["calls"]
        return found

    everything = calls("--calls")
    letters = calls("--tool", "chatbox")
    to_farm, to_roast = calls("--supplier", "hill farm"), calls("--supplier", "desk@roast.example")
    assert len(everything) > len(letters) > len(to_farm) > len(to_roast) == 3
    assert len([row for row in letters if row["ok"] or "does not take" not in str(row["error"])]) == len(to_farm) + 3
    assert {row["day"] for row in calls("--tool", "chatbox", "--day", "0")} == {0}
    page = cli("show", str(careless), "--supplier", "S2")
    assert page.out.count("chatbox") == 3 and "day 0 09:30" in page.out


def test_a_run_under_way_is_shown_as_far_as_it_has_come(cli: Cli, careless: Path) -> None:
    events = open_run(careless).events_path(0)
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(lines[:22]))
    for path in events.parent.iterdir():
        if path != events:
            path.unlink()
    told = cli("show", str(careless), "--json").json
    assert told["ending"] is None and 0 < told["day"] < 90
    assert told["stake"] + sum(told["channels"].values()) == pytest.approx(told["final_assets"], abs=0.1)
    assert "not finished" in cli("show", str(careless)).out
    assert [path.name for path in events.parent.iterdir()] == ["events.jsonl"]


def test_a_query_is_answered_as_a_table_or_json_with_where_it_was_read(cli: Cli, careless: Path) -> None:
    sql = 'select category, sum(net) as net, count(*) as "rows" from sales group by category order by net desc'
    rows = view_year(open_run(careless), 0).tables.sales
    expected = {row.category: sum(each.net for each in rows if each.category == row.category) for row in rows}
    found = cli("show", str(careless), "--sql", sql, "--json")
    assert {line["category"]: line["net"] for line in found.json["rows"]} == pytest.approx(expected)
    assert "Read from results.db, which is derived from the record and not part of any proof" in found.err
    first = max(expected, key=lambda category: expected[category])
    assert f"{expected[first]:,.2f}" in cli("show", str(careless), "--sql", sql).out
    odd = cli("show", str(careless), "--sql", "select x'ff00' as bytes, 1e999 as endless", "--json")
    assert json.loads(odd.out)["rows"] == [{"bytes": "ff00", "endless": None}]


def test_a_query_of_a_run_without_its_files_is_answered_from_the_record(cli: Cli, careless: Path) -> None:
    query = ("show", str(careless), "--sql", "select store, result from by_store", "--json")
    before = cli(*query).out
    (careless / "episodes/0/results.db").unlink()
    again = cli(*query)
    assert again.out == before and "results.db" not in again.err
    assert not (careless / "episodes/0/results.db").exists()


def test_several_runs_are_exported_into_one_database(cli: Cli, careless: Path) -> None:
    other = Path(shutil.copytree(careless, careless.with_name("other")))
    out = careless.with_name("all.db")
    done = cli("export", str(careless), str(other), "--format", "sqlite", "--out", str(out))
    assert done.code == 0, done.err
    with closing(connect(out)) as database:
        found = database.execute("select seat, run, episode, agent, final_assets from episodes").fetchall()
        stores = "select seat, store, result from by_store where seat = ? order by store"
        shown = [database.execute(stores, (seat,)).fetchall() for seat in (0, 1)]
        views = [name for (name,) in database.execute("select name from sqlite_schema where type = 'view'")]
        lines = {view: database.execute(f"select count(*) from {view}").fetchone()[0] for view in views}
    view = view_year(open_run(careless), 0)
    agent, assets = view.run.player.agent, view.report["profitability"]["final_balance"]
    assert found == [(0, str(careless), 0, agent, assets), (1, str(other), 0, agent, assets)]
    own = [(line.store, line.result) for line in sorted(view.statement.lines("store"), key=lambda line: line.store)]
    assert [[row[1:] for row in rows] for rows in shown] == [own, own]
    single = {name: view.database.execute(f"select count(*) from {name}").fetchone()[0] for name in views}
    assert len(views) > 10 and lines == {name: 2 * count for name, count in single.items()}
    assert "exists; give the name of a new file" in refusal(
        cli, "export", str(careless), "--format", "sqlite", "--out", str(out)
    )


def test_export_says_what_it_wrote_and_refuses_a_folder_in_use(cli: Cli, careless: Path) -> None:
    out = careless.with_name("out")
    assert f"16 files in {out}" in cli("export", str(careless), "--out", str(out)).out
    assert "is not empty" in refusal(cli, "export", str(careless), "--out", str(out))


def test_a_year_on_a_world_with_a_salt_is_exported_only_by_force(cli: Cli) -> None:
    assert cli("run", "--agent", "idle", "--days", "2", "--world", f"seed-5:{'ab' * 16}", "--out", "run").code == 0
    export = ("export", "run", "--format", "openai", "--out", "out")
    assert "seasons stay unseen" in refusal(cli, *export)
    assert not Path("out").exists()
    assert cli(*export, "--force").code == 0 and Path("out/openai.jsonl").exists()


def test_a_merchants_author_sees_the_stack_when_asking_for_it(
    cli: Cli, small_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy").touch()
    terms = ("--agent", f"{MERCHANTS}:Clumsy", "--world", str(small_world), "--quiet")
    brief = cli("run", *terms, "--out", "brief")
    assert brief.code == 1 and "Traceback" not in brief.err
    whole = cli("run", *terms, "--out", "whole", "--traceback")
    assert whole.code == 1 and 'raise KeyError("no such shelf")' in whole.err and "Traceback" in whole.err
    assert "runs/batches.py" not in whole.err
    assert (tmp_path / "brief" / "episodes" / "0" / "events.jsonl").read_bytes() == (
        tmp_path / "whole" / "episodes" / "0" / "events.jsonl"
    ).read_bytes()
