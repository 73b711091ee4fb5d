"""The figures' numbers, worked out by hand."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from msgspec import structs

from ecbench.metrics.estimators import Figure
from ecbench.metrics.measures import AXES
from ecbench.metrics.ranks import Entrant
from ecbench.metrics.solvency import Kind
from ecbench.pages.report.figure import FilledFigure, figures, fill
from ecbench.pages.report.report_database import report_database
from ecbench.pages.report.run_data import PlayedRun, beside_models, read_run
from ecbench.pages.report.standings import standings
from ecbench.pages.report.year_data import ShownYear
from ecbench.pages.year_days import Funds
from ecbench.runs.folder import Run
from ecbench.runs.results.database import ROW_TYPES, YearTables, make_results


def changed(tables: YearTables, **rows: Any) -> YearTables:
    return YearTables(**{**vars(tables), **rows})


def of_runs(key: str, *runs: PlayedRun) -> FilledFigure | None:
    """A figure of runs, beside the paper's models."""
    [figure] = [figure for figure in figures("runs") if figure.key == key]
    return fill(figure, report_database(runs), papers=True)


def of_year(key: str, year: ShownYear) -> FilledFigure | None:
    [figure] = [figure for figure in figures("year") if figure.key == key]
    return fill(figure, year.database, seat=year.seat)


def day(number: int, units: int) -> Any:
    kind: Kind = "opening" if number == 0 else "morning"
    flows = dict.fromkeys([name for name in ROW_TYPES["days"]._fields if name.endswith("_to_date")], 0.0)
    return ROW_TYPES["days"](
        row=kind, day=number, date=date(2026, 1, 1 + number), bank=1.0, wallet=0.0, escrow=0.0, total=1.0,
        open_stores=1, units=units, storage=0.0, orders_sold=0, orders_cancelled=0, orders_voided=0, **flows,
    )  # fmt: skip


def sale(shipment: int, on: int, units: int, price: float = 12.0) -> Any:
    return ROW_TYPES["sales"](
        shipment=shipment, day=on, store="s1", sku="a1", category="Tea", units=units, price=price, reference_price=10.0,
        gross=units * price, commission=0.0, net=units * price, lost_units=0, outcome="shipped", outcome_day=on + 1,
        speed="slow", freight=0.0, cost=units * 10.0,
    )  # fmt: skip


@pytest.fixture
def tables() -> YearTables:
    """Five units on day 2, four more on day 4; six are sold on day 5, three of them come back on day 8."""
    counted = {0: 0, 1: 0, 2: 5, 3: 5, 4: 9, 5: 9, 6: 3, 7: 3, 8: 6, 9: 6}
    return YearTables(
        days=[day(number, units) for number, units in counted.items()],
        sales=[sale(1, 5, 6)],
    )


def test_the_markup_of_sales_weighs_by_units(played: PlayedRun, tables: YearTables) -> None:
    sales = [sale(1, 0, 3, price=10.0), sale(2, 0, 1, price=18.0)]
    figure = of_year("prices", shown(played, changed(tables, sales=sales)))
    assert figure is not None
    assert [(row["category"], row["month"], row["units"]) for row in figure.rows] == [("Tea", 1, 4)]
    assert figure.rows[0]["price_over_reference"] == pytest.approx((3 * 1.0 + 1.8) / 4)


def test_a_run_that_failed_in_one_year_leads_no_axis(played: PlayedRun) -> None:
    """Its figures are better than those of every model of the paper."""
    values = dict.fromkeys([axis.name for axis in AXES if not axis.higher_is_better], -9.0)
    values |= dict.fromkeys([axis.name for axis in AXES if axis.higher_is_better], 1e9)
    measures = {**played.summary.measures, "oracle_percent": Figure(1e9, None, 2)}
    rich, failed = (
        replace(played, summary=replace(played.summary, entrant=Entrant("", values, 2, bankrupt), measures=measures))
        for bankrupt in (0, 1)
    )
    for run, rank in ((rich, 1), (failed, 2)):
        assert _own_ranks(run) == {rank}
        [line] = [line for line in standings([run]) if line.kind == "own"]
        assert line.rank == rank


def _own_ranks(run: PlayedRun) -> set[int]:
    bump = of_runs("rank-bump", run)
    assert bump is not None
    assert bump.layered
    return {row["rank"] for row in bump.rows if row["name"] == run.label and row["layer"] == "rank"}


def test_a_run_on_another_catalog_has_a_profile_and_no_rank(played: PlayedRun) -> None:
    assert of_runs("rank-bump", played) is None and of_runs("profiles", played) is not None
    lines = standings([played])
    assert {line.rank for line in lines} == {None}
    assert [line.kind for line in lines[-18:]] == ["published"] * 18


def test_models_years_are_never_beside_a_shorter_episode(played: PlayedRun, idle: Run) -> None:
    """The idle merchant played 20 days."""
    short = read_run("idle", idle)
    assert beside_models([played]) and not beside_models([played, short])
    assert {line.kind for line in standings([played, short])} <= {"own", "anchor"}
    database = report_database([played, short])
    for figure in figures("runs"):
        filled = fill(figure, database, papers=False)
        assert filled is None or not any(row.get("published") for row in filled.rows), figure.key


def test_an_axis_without_a_value_is_left_open_in_a_profile(played: PlayedRun) -> None:
    values = {axis.name: 1.0 for axis in AXES} | {AXES[2].name: None}
    radar = of_runs("profiles", replace(played, summary=replace(played.summary, entrant=Entrant("", values))))
    assert radar is not None
    corners = [row for row in radar.rows if row["layer"] == "corner"]
    [row] = [row for row in corners if row["score"] is None]
    assert (row["axis"], row["x"], row["y"]) == (AXES[2].title, None, None)
    assert {each["axis"] for each in corners} == {axis.title for axis in AXES}
    edges = [each["edge"] for each in radar.rows if each["layer"] == "edge"]
    assert set(edges) == {0, 3, 4, 5, 6}, "none to or from the third axis"
    assert len(edges) == 2 * 5, "each has two ends"


def test_the_papers_ranking_reverses_as_often_as_the_paper_counts(played: PlayedRun) -> None:
    values = {axis.name: 0.0 for axis in AXES}
    last = replace(played, summary=replace(played.summary, entrant=Entrant("", values)))
    database = report_database([last])
    database.execute("delete from ranks where number = 0")  # leaves the paper's models alone
    [figure] = [figure for figure in figures("runs") if figure.key == "rank-bump"]
    turned = database.execute(f"select sum(label) from ({figure.query}) where layer = 'count'", {"papers": 1})
    assert turned.fetchall() == [(311,)]


def test_a_mean_curve_counts_the_years_that_are_still_running(played: PlayedRun) -> None:
    """One year ends on day 7; from then on the mean is the other's."""
    year = played.over[0]
    totals = {0: [(0, 100.0), (7, 20.0)], 1: [(0, 100.0), (7, 140.0), (14, 300.0)]}
    years = [
        replace(year, episode=number, money=[Funds(day, total, 0.0, 0.0) for day, total in held])
        for number, held in totals.items()
    ]
    figure = of_runs("trajectories", replace(played, years=years))
    assert figure is not None
    means = [row for row in figure.rows if row["layer"] == "mean"]
    found = [(row["day"], row["years"], row["mean"], row["least"], row["most"]) for row in means]
    assert found == [(0, 2, 100.0, 100.0, 100.0), (7, 2, 80.0, 20.0, 140.0), (14, 1, 300.0, 300.0, 300.0)]
    assert [row["survivors"] for row in means] == [0, 0, 1]
    assert [row["last_of_all"] for row in means] == [0, 1, 0]


def test_whiskers_are_one_standard_deviation(played: PlayedRun) -> None:
    measures = {**played.summary.measures, "bad_spend_percent": Figure(20.0, 5.0, 3)}
    voiced = played.run.stating(voice="openai/small")
    entrant = replace(played.entrant, values={**played.entrant.values, "bad_spend_percent": 20.0})
    summary = replace(played.summary, measures=measures, entrant=entrant)
    figure = of_runs("fraud", replace(played, run=voiced, summary=summary))
    assert figure is not None
    shares = [row for row in figure.rows if row["panel"] == "a"]
    [share], models = [row for row in shares if not row["published"]], [row for row in shares if row["published"]]
    assert (len(models), {row["std"] for row in models}) == (18, {None})
    assert (share["low"], share["percent"], share["high"]) == (15.0, 20.0, 25.0)
    assert share["no_screening"] == pytest.approx(played.summary.value("fraud_roster_percent"))


def test_an_overdrawn_year_is_drawn_with_its_stock(played: PlayedRun, tables: YearTables) -> None:
    """The bank is below zero on days 6 and 7; nothing is drawn of a year that never was."""
    assert of_year("collapse", shown(played, tables)) is None
    days = [row._replace(bank=-5.0) if row.day in (6, 7) else row for row in tables.days]
    figure = of_year("collapse", shown(played, changed(tables, days=days)))
    assert figure is not None
    assert "on 2 mornings, first on day 6, at most by ¥5" in figure.caption
    assert [row["units"] for row in figure.rows if row["layer"] == "stock"] == [row.units for row in days]
    assert [row["day"] for row in figure.rows if row["layer"] == "overdrawn"] == [6, 7]


def session(number: int, price: float | None, *, on: int, floor: float = 6.0) -> Any:
    return ROW_TYPES["sessions"](
        session=number, supplier="Hill", sku="a1", category="Tea", honest=True, template="candid", scam="",
        reference_price=10.0, floor=floor, opening_target=9.0, agent_prices=(5.0,), supplier_prices=(9.0,), turns=2,
        outcome="Agreement" if price else "Disagreement", final_price=price, closed_by="AgentAccept", day_opened=on,
        day_concluded=on, critical_violations=(), secondary_violations=(),
    )  # fmt: skip


@pytest.fixture
def played(careless: Run) -> PlayedRun:
    return read_run("careless", careless)


def shown(played: PlayedRun, tables: YearTables) -> ShownYear:
    """The first year of a run with other tables."""
    year = ShownYear(played.years[0])
    assert year.view is not None
    vars(year)["view"] = replace(year.view, database=make_results("", {year.seat: tables}))
    return year


def test_a_deal_lies_between_floor_and_reference_price(played: PlayedRun, tables: YearTables) -> None:
    """Floor 6, reference 10: a price of 7 pays a quarter of the range, a wish of 9 three quarters."""
    rows = [session(1, 7.0, on=3), session(2, None, on=1), session(3, 8.0, on=2), session(4, 8.0, on=2, floor=10.0)]
    year = shown(played, changed(tables, sessions=rows))
    bargains, repeated = of_year("bargains", year), of_year("repeat-prices", year)
    assert bargains is not None and repeated is not None
    assert [(row["month"], row["deals"], row["paid"], row["asked"]) for row in bargains.rows] == [(1, 2, 0.375, 0.75)]
    assert [(row["panel"], row["order"], row["paid"]) for row in repeated.rows] == [("a", 1, 0.5), ("a", 2, 0.25)]


def test_the_wedge_is_what_was_paid_above_the_best_price_before(played: PlayedRun, tables: YearTables) -> None:
    """Floor 6, reference 10, prices 8, 7, 9, 7.5: a quarter of the range was won, then 0.5 and 0.125 given back."""
    rows = [session(number, price, on=number) for number, price in enumerate((8.0, 7.0, 9.0, 7.5), start=1)]
    figure = of_year("repeat-prices", shown(played, changed(tables, sessions=rows)))
    assert figure is not None
    wedge = [row for row in figure.rows if row["panel"] == "b"]
    assert [row["best"] for row in wedge] == [0.5, 0.25, 0.25, 0.25]
    assert sum(row["paid"] - row["best"] for row in wedge) == 0.625
    drawn = figure.spec["vconcat"][1]
    assert drawn["data"]["values"] == wedge
    area = next(layer for layer in drawn["layer"] if layer["mark"]["type"] == "area")
    assert (area["encoding"]["y"]["field"], area["encoding"]["y2"]["field"]) == ("paid", "best")


def test_the_waterfall_runs_from_the_stake_to_the_final_assets_without_a_gap(played: PlayedRun) -> None:
    year = played.years[0]
    figure = of_year("waterfall", ShownYear(year))
    assert figure is not None
    assert year.end is not None
    stake, *steps, final = figure.rows
    assert stake["end"] == 100_000.0
    assert sum(row["yuan"] for row in (stake, *steps)) == pytest.approx(year.end.final_assets, abs=0.05)
    assert final["end"] == pytest.approx(year.end.final_assets)
    for before, after in zip([stake, *steps], steps, strict=False):
        assert after["start"] == pytest.approx(before["end"])


def test_the_year_that_stands_for_a_run_is_the_one_in_the_middle(played: PlayedRun) -> None:
    year = played.years[0]
    assert year.end is not None
    worths = [structs.replace(year.end, final_assets=worth) for worth in (5.0, 1.0, 3.0)]
    ends = [replace(year, episode=number, end=end) for number, end in enumerate(worths)]
    shown = replace(played, years=ends).shown
    assert shown is not None
    assert shown.episode == 2
