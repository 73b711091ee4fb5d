"""The same label, the same number: each place that shows a measure agrees with `metrics/measures`."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.cli.command import Command
from tests.pages.board.conftest import client

from ecbench.cli import main
from ecbench.metrics.anchors import with_skill
from ecbench.metrics.measures import AXES, MEASURES, SKILL, measured, measured_year
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.runs.folder import open_run
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.frames import load_run

TRUTH = {"x-ecbench-truth": "shown"}
AGENT, OTHER, YEARS = "haggler", "first-quote", 2

Figures = Mapping[str, float | str | None]
"""By the name of a measure: a number, or a text where the place shows one to people."""


@dataclass
class Played:
    """Two runs on the same two worlds, and the board over them."""

    shelf: Path
    capsys: pytest.CaptureFixture[str]
    board: TestClient

    def json(self, *arguments: str) -> Any:
        return json.loads(Command(self.capsys, *arguments, "--json").out)

    @property
    def folder(self) -> Path:
        return self.shelf / AGENT

    @cached_property
    def reports(self) -> list[Any]:
        run = open_run(self.folder)
        files = [run.episode_folder(year) / "metrics.json" for year in range(YEARS)]
        found = [json.loads(path.read_text())["seats"][0] for path in files]
        return [with_skill(report, bound_of(run, year)) for year, report in enumerate(found)]

    @cached_property
    def summary(self) -> Any:
        return self.json("resume", str(self.folder))

    @cached_property
    def page(self) -> str:
        path = self.shelf / "page.html"
        if not path.exists():
            Command(self.capsys, "report", str(self.folder), "--episode", "0", "--out", str(path))
        return path.read_text()

    def looked_at(self, path: str = "") -> Any:
        """What the board shows of the first year."""
        [year] = [run for run in self.board.get("/api/home").json()["runs"] if run["folder"] == AGENT][:1]
        answer = self.board.get(f"/api/runs/{year['id']}/0{path}", headers=TRUTH)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    for agent in (AGENT, OTHER):
        with pytest.raises(SystemExit):
            main(("run", "--agent", agent, "--worlds", "1-2", "--days", "30", "--out", str(folder / agent), "--quiet"))
    return folder


@pytest.fixture
def played(shelf: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Played]:
    desk = Desk(Library(shelf), frozenset(), lambda: "20260101-000000")
    with client(desk) as board:
        yield Played(shelf, capsys, board)
    desk.close()


def of_tables(played: Played) -> Figures:
    tables = played.json("report", "--tables", str(played.folder))["tables"]
    return {each["measure"]: each["value"] for table in tables for each in table["figures"] if each["row"] == AGENT}


def of_comparison(played: Played) -> Figures:
    axes = [word for name in MEASURES for word in ("--axis", name)]
    [pair] = played.json("compare", str(played.folder), str(played.shelf / OTHER), *axes)["pairs"]
    assert pair["verdict"]["a_mean"] == next(axis["first"] for axis in pair["axes"] if axis["axis"] == "final_assets")
    return {axis["axis"]: axis["first"] for axis in pair["axes"]}


def of_last_table(played: Played) -> Figures:
    """Of the table that a run ends with, as it is printed."""
    lines = Command(played.capsys, "resume", str(played.folder)).out.splitlines()
    rows = [line.split() for line in lines if line.split()[:1] == [AGENT]]
    [figures] = [cells for _, *cells in rows if len(cells) == len(AXES)]  # the ladder has fewer
    return dict(zip((axis.name for axis in AXES), figures, strict=True))


def of_report(played: Played) -> Figures:
    """Of the leaderboard of the page, column by column."""
    board = played.page[played.page.index('id="comparison"') :]
    heads = re.findall(r"<th[^>]*>(.*?)</th>", board[: board.index("</thead>")])
    own = board[board.index('<tr class="own">') :]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", own[: own.index("</tr>")])
    texts = [re.sub(r"<br>.*|<[^>]*>", "", cell) for cell in cells]  # an interval stands below its value
    by_title = dict(zip(heads, texts, strict=True))
    return {axis.name: by_title[axis.title] for axis in (*AXES, SKILL)}


RUN_PLACES: Mapping[str, Callable[[Played], Figures]] = {
    "summary": lambda played: {name: figure["value"] for name, figure in played.summary["measures"].items()},
    "axes": lambda played: {name: value for name, value in played.summary["axes"].items() if name in MEASURES},
    "tables": of_tables,
    "compare": of_comparison,
    "run": of_last_table,
    "report": of_report,
}


def of_episode(played: Played) -> Figures:
    row = played.summary["episodes"][0]
    assert row["final_assets"] == row["axes"]["final_assets"]
    return {"tool_calls": row["calls"], "turns": row["turns"], **row["axes"]}


def of_frames(played: Played) -> Figures:
    row = next(iter(load_run(played.folder).episodes.iter_rows(named=True)))
    return {name: value for name, value in row.items() if name in MEASURES}


def of_statement(played: Played) -> Figures:
    """Of `ecbench show`, whose lines are added up."""
    shown = played.json("show", str(played.folder))
    suppliers, scams, kept = shown["suppliers"], shown["scams"], shown["fulfilment"]
    return {
        "final_assets": shown["final_assets"],
        "orders": sum(line["orders"] for line in suppliers),
        "honest_spend": sum(line["spend"] for line in suppliers if line["honest"]),
        "fraud_spend": sum(line["spend"] for line in scams),
        "fraud_orders": sum(line["orders"] for line in scams),
        "fraud_suppliers_ordered": sum(line["suppliers_paid"] for line in scams),
        "membership_fee_yuan": -shown["channels"]["fees"],
        "units_sold": sum(line["units"] for line in shown["stores"]),
        "stores_opened": len(shown["stores"]),
        "orders_sold": kept["orders_shipped"] + kept["orders_cancelled"] + kept["orders_voided"],
        "cancelled_orders": kept["orders_cancelled"],
        "voided_orders": kept["orders_voided"],
    }


def of_board(played: Played) -> Figures:
    year, end, deals = played.looked_at(), played.looked_at("/end"), played.looked_at("/truth/deals")["deals"]
    position = played.looked_at(f"/turns/{year['turns']}")
    assert {year["timeline"]["total"][-1], round(position["money"]["total"], 2)} == {end["final_assets"]}
    [(told, _)] = re.findall(r"([\d,]+) (calls?)\.", end["html"])
    return {
        "final_assets": end["final_assets"],
        "turns": year["turns"],
        "tool_calls": int(told.replace(",", "")),
        "orders": len(deals),
    }


YEAR_PLACES: Mapping[str, Callable[[Played], Figures]] = {
    "summary": of_episode,
    "frames": of_frames,
    "show": of_statement,
    "board": of_board,
}


def assert_same(shown: Figures, true: Mapping[str, float | None]) -> None:
    """Where lines in yuan are added up, each is rounded to the cent."""
    texts = {axis.name: axis.text for axis in (*AXES, SKILL)}
    for name, value in shown.items():
        if isinstance(value, str):
            assert value == texts[name](true[name]), name
        else:
            cents = 0.01 if MEASURES[name].unit == "¥" else 1e-9
            assert value == (None if true[name] is None else pytest.approx(true[name], rel=1e-9, abs=cents)), name


@pytest.mark.parametrize("place", RUN_PLACES)
def test_a_measure_of_a_run_is_the_same_number_in(place: str, played: Played) -> None:
    shown = RUN_PLACES[place](played)
    assert {axis.name for axis in AXES} <= shown.keys()
    assert_same(shown, {name: figure.value for name, figure in measured(played.reports).items()})


@pytest.mark.parametrize("place", YEAR_PLACES)
def test_a_measure_of_a_year_is_the_same_number_in(place: str, played: Played) -> None:
    assert_same(YEAR_PLACES[place](played), measured_year(played.reports[0]))


def test_failure_modes_are_counted_by_hits_everywhere(played: Played) -> None:
    hits = sum(mode["count"] for mode in played.reports[0]["failure_modes"].values())
    assert f"Failure modes: {hits:,} hits" in Command(played.capsys, "show", str(played.folder)).out
    assert re.findall(r"Failure modes: ([\d,]+) hits", played.page) == [f"{hits:,}"]


def test_what_was_paid_above_the_floors_is_the_same_on_the_board(played: Played) -> None:
    shown = played.json("show", str(played.folder))
    over = sum(deal["overpaid"] for deal in played.looked_at("/truth/deals")["deals"])
    assert over == pytest.approx(shown["overpaid_honest"] + shown["overpaid_fraudulent"], abs=0.5)


def sentences_in(page: str) -> list[str]:
    return [unescape(text) for text in re.findall(r'<p class="sentence[^>]*>(.*?)</p>', page)]


def test_a_call_is_put_into_the_same_sentence_by_show_board_and_report(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each places it behind turn and tool."""
    monkeypatch.setenv("COLUMNS", "5000")  # so that no sentence is wrapped
    shown = Command(played.capsys, "show", str(played.folder), "--calls").out
    told = re.findall(r"^turn (\d+), day \d+ \S+, (\w+): (.+)$", shown, re.MULTILINE)
    [packed] = re.findall(r'id="transcript-0">([^<]+)<', played.page)
    transcript = json.loads(gzip.decompress(base64.b64decode(packed)))
    calls = [call for call in transcript["calls"] if call["tool"] != "says"]
    reported = [(str(call["turn"]), call["tool"], *sentences_in(call["html"])) for call in calls]
    assert told == reported and len({tool for _, tool, _ in told}) > 5
    for turn in (1, 2, int(told[-1][0])):
        watched = sentences_in(played.looked_at(f"/turns/{turn}/did"))
        assert watched == [sentence for number, _, sentence in told if number == str(turn)]
