"""The tables of a year: one row for each fact, and together all of its money."""

import json
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from sqlite3 import connect

import pytest
from tests.runs.conftest import TRADER, NewRun, Play, assert_reconciled

from ecbench.analysis.compare.entries import read_entries, warnings
from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.market.journal import Journal
from ecbench.metrics.losses import failure_modes
from ecbench.metrics.losses.shelves import watch_shelves
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.database import RESULTS, YearTables, empty_database, open_results, query
from ecbench.runs.results.year_tables import year_tables
from ecbench.runs.results.year_view import view_record, view_year
from ecbench.season.verify import verify
from ecbench.world.load import load_world


@pytest.fixture
def careless(new_run: NewRun, play: Play) -> Run:
    run = new_run("Careless")
    assert play(run).problem == ""
    return run


def tables_of(run: Run) -> YearTables:
    return view_year(run, 0).tables


def test_every_morning_within_a_batch_has_its_rows(careless: Run) -> None:
    tables = tables_of(careless)
    mornings = {row.day for row in tables.stores if row.row == "morning" and row.store == "store_001"}
    opened, closed = (next(r.day for r in tables.stores if r.row == what) for what in ("opened", "closed"))
    assert mornings == set(range(opened + 1, closed + 1))
    counted = {row.day: row.orders_sold for row in tables.days if row.row == "morning"}
    for day, orders in counted.items():
        assert sum(row.day == day - 1 for row in tables.sales) == orders


def test_a_call_stands_at_the_time_that_its_reply_tells(careless: Run) -> None:
    tables, recording = tables_of(careless), read_episode(careless, 0)
    replies = [reply for turn in recording.turns for reply in turn.replies]
    assert len(replies) == len(tables.calls)
    for row, text in zip(tables.calls, replies, strict=True):
        told = json.loads(text).get("current_time", "").replace("T", " ")[:16]
        assert told in ("", f"{tables.days[0].date + timedelta(days=row.day)} {row.time}")
    for number, state in enumerate(recording.states, start=1):
        own = [row for row in tables.calls if row.turn == number]
        assert max(row.day for row in own) == state.day


def test_mornings_that_came_without_a_wait_are_told_apart(careless: Run) -> None:
    calls = tables_of(careless).calls
    assert sum(row.mornings for row in calls) == tables_of(careless).days[-1].day
    unnoticed = [row for row in calls if row.mornings and row.tool != "wait_for_next_day"]
    assert len(unnoticed) == 12 * 2  # 130 looks at the warehouse take 1,300 minutes, more than two days of 600
    assert all(row.time == "08:00" for row in unnoticed)


def test_a_call_that_fails_says_why_and_one_refused_before_it_begins_takes_no_time(careless: Run) -> None:
    calls = tables_of(careless).calls
    number, unknown, _, extra, stray = (row for row in calls if row.turn == 6)
    assert (number.ok, unknown.ok, extra.ok, stray.ok) == (False, False, False, False)
    assert "must be a number" in number.error and number.minutes > 0
    assert "no tool 'fly'" in unknown.error and unknown.minutes == 0
    assert "does not take" in stray.error and stray.minutes == 0
    assert extra.error == "one day at a time"
    published = [row for row in calls if row.tool == "publish_to_store"]
    assert not published[-1].ok and published[-1].error.startswith("quantity must be")  # of one entry out of two


def test_orders_join_their_session_and_a_double_order_is_one_session(careless: Run) -> None:
    tables = tables_of(careless)
    sessions = {row.session: row for row in tables.sessions}
    joined = [(row, sessions[row.session]) for row in tables.orders if row.session is not None]
    assert all((bargain.supplier, bargain.sku) == (order.supplier, order.sku) for order, bargain in joined)
    assert all(bargain.outcome == "Agreement" and bargain.floor == order.floor for order, bargain in joined)
    assert len(joined) > len({bargain.session for _, bargain in joined})
    assert [row.session for row in tables.orders if not row.sku] == [None]


def test_lost_units_are_what_a_fuller_shelf_would_have_sold() -> None:
    def seeded(units: int) -> YearTables:
        year = Episode(load_world("default"), days=3)
        watch_shelves(year.account)
        merchant_with(year, units)
        year.act([{"name": "wait_for_next_day", "arguments": {}}])
        return year_tables(year)

    short, full = seeded(2), seeded(10_000)
    wanted = {row.sku: row.units for row in full.sales}
    assert sum(row.lost_units for row in short.sales) > 0
    assert not any(row.lost_units for row in full.sales)
    assert {row.sku: row.units + row.lost_units for row in short.sales} == wanted


def merchant_with(year: Episode, units: int) -> None:
    """A store with some goods on its shelf, as if they had been bought."""
    from ecbench.market.stock import list_units, put_away, stock_of
    from ecbench.market.storefronts import open_store

    account, kind = year.account, max(year.world.store_types, key=lambda each: each.capacity)
    store = open_store(account, kind, "Shop")
    for product in year.world.products_by_category[kind.categories[0]][:30]:
        stock = stock_of(account, product)
        put_away(account.books, stock, units, account.market.date.toordinal())
        stock.delivered += units
        list_units(store, stock, units, product.reference_price / 2)


def test_a_copy_of_a_year_keeps_no_journal_and_leaves_that_of_the_original_alone(careless: Run) -> None:
    year = Episode(load_world("default"), days=5)
    year.account.journal = Journal()
    merchant_with(year, 50)
    twin = year.copy()
    twin.act([{"name": "wait_for_next_day", "arguments": {}}])
    assert twin.account.journal is None
    assert not year.account.journal.sales


def test_what_is_written_is_read_again_whatever_an_agent_calls_its_store(careless: Run) -> None:
    tables = tables_of(careless)
    assert tables.stores[0].name == 'Half\n?, and "half"'
    replayed = view_record(careless, 0, read_episode(careless, 0))
    assert replayed.tables == tables


def stored(run: Run) -> Path:
    return run.episode_folder(0) / RESULTS


@pytest.mark.parametrize(
    "change",
    [
        "update results set record = 'another'",
        "drop table sales",
        "alter table sales add column more TEXT",
        "drop view by_store",
        "drop view by_store; create view by_store as select 1 as seat, 'mine' as store",
        "create view more as select load_extension('other')",
        "create trigger more after insert on sales begin delete from sales; end",
        "delete from results",
    ],
)
def test_results_of_another_record_or_format_are_recomputed(careless: Run, change: str) -> None:
    before = tables_of(careless)
    with closing(connect(stored(careless))) as database:
        database.executescript(change)
    view = view_year(careless, 0)
    assert view.read is not None and view.tables == before
    assert "mine" not in [line.store for line in view.statement.lines("store")]


def test_no_view_of_a_stranger_is_asked_for_the_record_that_results_were_made_from(careless: Run) -> None:
    """It could be endless. This one answers as the table of ours does."""
    with closing(connect(stored(careless))) as database:
        [(_, head)] = database.execute("select * from results").fetchall()
        database.executescript("alter table results rename to kept; create view results as select * from kept")
    assert open_results(stored(careless), head, tables=()) is None


def test_results_with_a_date_that_is_none_say_what_to_delete(careless: Run) -> None:
    with closing(connect(stored(careless))) as database:
        database.execute("update days set date = 'someday'")
        database.commit()
    with pytest.raises(RunError, match=f"{RESULTS} was edited: .*'someday'; delete it, and it is recomputed"):
        tables_of(careless).days[0]


@pytest.mark.parametrize("cell", ["'a text'", "x'00'", "null"])
def test_results_with_a_cell_of_the_wrong_type_are_recomputed(careless: Run, cell: str) -> None:
    """A stranger can write what SQLite itself would refuse."""
    before = tables_of(careless)
    [declared] = empty_database().execute("select sql from sqlite_schema where name = 'sales'").fetchone()
    declare = "update sqlite_schema set sql = ? where name = 'sales'"
    for change, *given in (
        (declare, declared.replace(" strict", "").replace(" not null", "")),
        (f"update sales set net = {cell} where shipment = 1",),
        (declare, declared),
    ):
        with closing(connect(stored(careless))) as database:
            database.execute("pragma writable_schema = on")
            database.execute(change, given)
            database.commit()
    view = view_year(careless, 0)
    assert view.read is not None and view.tables == before


def test_invalid_database_file_is_recomputed(careless: Run) -> None:
    before = tables_of(careless)
    content = stored(careless).read_bytes()
    for damaged in (b"", b"nothing", content[:5_000], content[:40_000] + b"\0" * 4_096 + content[44_096:]):
        stored(careless).write_bytes(damaged)
        assert tables_of(careless) == before


@pytest.mark.parametrize(
    "sql",
    [
        *("drop table sales", "attach 'other' as other", "pragma writable_schema = on", "select"),
        "select load_extension('other')",
        "select '\udcff'",
    ],
)
def test_a_query_that_does_not_only_read_is_refused(careless: Run, sql: str) -> None:
    with pytest.raises(RunError, match="the query fails"):
        query(view_year(careless, 0).database, sql)


def test_every_seat_of_an_arena_has_tables_that_reconcile(new_arena: NewRun, play: Play) -> None:
    run = new_arena(TRADER, TRADER, "idle", days=60)
    result = play(run)
    for seat, end in enumerate(result.ends):
        tables = view_year(run.at_seat(0, seat), 0).tables
        assert_reconciled(tables, end.final_assets - 100_000.0)
    assert not (tables.sales or tables.orders or tables.stores)  # the last seat is idle


def test_signs_of_loopholes_are_remarked_and_warned_of(careless: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(failure_modes.loophole_signs(view_year(careless, 0).report)) == verify(careless, None).remarks == []
    assert not [line for line in warnings(read_entries([careless])) if "stock" in line]
    monkeypatch.setattr(failure_modes, "MOST_SALVAGE", 0.0)  # of what it liquidated
    [sign] = failure_modes.loophole_signs(view_year(careless, 0).report)
    brought = sum(row.salvage for row in tables_of(careless).stores)
    assert brought > 0 and f"selling off stock brought ¥{brought:,.0f}" in sign
    proof = verify(careless, None)
    assert proof.remarks == [f"episode 0: {sign}"] and proof.holds
    [entry] = read_entries([careless])
    assert f"{entry.label}: episode 0: {sign}." in warnings([entry])


def test_the_tables_agree_with_the_metrics(played: Run) -> None:
    metrics, tables = view_year(played, 0).report, view_year(played, 0).tables
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
    assert round(days[-1].total, 2) == view_year(played, 0).report["score"]["final_assets"]
    assert days[-1].escrow == 0
    for row in days:
        moved = sum(value for name, value in row._asdict().items() if name.endswith("_to_date"))
        assert 100_000 + moved == pytest.approx(row.total, abs=0.01)
