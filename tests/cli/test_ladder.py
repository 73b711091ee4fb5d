"""Every reader shows a run on the ladder of its world, or alone; ranks appear on the release's catalog only."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.cli.command import Cli
from tests.run_values import changed, run_of

from ecbench.metrics.measures import AXES
from ecbench.metrics.published import published_models
from ecbench.metrics.ranks import Entrant, ranks_among_models
from ecbench.pages.board.views.ending import year_end
from ecbench.pages.report.output import write_report
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.agents import is_insider
from ecbench.runs.record.lines import End
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.ranking import OTHER_CATALOG, shown_alone_reason, unranked_reason
from ecbench.runs.terms import Fork, Terms, worlds_at
from ecbench.world.load import load_world
from ecbench.world.save import save_world

QUITTER = """
from ecbench import call

class Quitter:
    def play(self, schemas):
        replies = yield [call("check_balance")]
        for _ in range(DAYS):
            replies = yield [call("wait_for_next_day")]
"""
YEAR = End("year_end", 1e6, 365, 900, 4_000)
MODEL, VOICE = "openai/m", "openai/small"
LADDER = ["upper bound", "insider", "steady", "haggler", "first-quote", "idle"]

Shown = tuple[list[str], str]
"""The names of a ladder from the top, and why a run is shown alone."""


def _resume_json(cli: Cli, run: Run) -> Shown:
    told = cli("resume", str(run.folder), "--json").json
    assert told["rank"] is None and told["unranked_reason"] == OTHER_CATALOG
    return [rung["name"] for rung in told["ladder"]["rungs"]], told["ladder"]["alone"]


def _show_json(cli: Cli, run: Run) -> Shown:
    found = cli("show", str(run.folder), "--json").json["ladder"]
    return [rung["name"] for rung in found["rungs"]], found["alone"]


def _report(cli: Cli, run: Run) -> Shown:
    write_report([run], run.folder / "report.html")
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    rows = page.partition('id="comparison"')[2].partition("</table>")[0].split("<tr class=")[1:]
    assert [row.startswith('"published"') for row in rows].count(True) == 18 and ">Rank<" not in page
    own = [row for row in rows if not row.startswith('"published"')]
    names = [row.partition("<td>")[2].partition("</td>")[0] for row in own]
    assert 'id="all-rank-bump"' not in page
    alone = page.partition("shown alone: ")[2].partition(".</li>")[0]
    return [name.partition("</a>")[0].rpartition(">")[2] for name in names], alone


def _board(cli: Cli, run: Run) -> Shown:
    end = year_end(run, 0, [], bound_of(run, 0))
    return [row["name"] for row in end["standings"] if row["kind"] != "paper"], end["alone"]


READERS: dict[str, Callable[[Cli, Run], Shown]] = {
    "resume --json": _resume_json,
    "show --json": _show_json,
    "report": _report,
    "board": _board,
}


def test_a_year_on_the_default_world_stands_on_its_ladder_and_has_no_rank(cli: Cli) -> None:
    assert cli("run", "--agent", "first-quote", "--out", "first-quote", "--quiet").code == 0
    run = open_run(Path("first-quote"))
    assert {name: read(cli, run) for name, read in READERS.items()} == dict.fromkeys(READERS, (LADDER, ""))
    told = cli("resume", "first-quote", "--json").json["ladder"]["rungs"]
    assert [rung["kind"] for rung in told] == ["bound", "anchor", "anchor", "anchor", "run", "anchor"]
    assert told[4]["multiplier"] == pytest.approx(told[4]["final_assets"] / 100_000, abs=1e-4)


@pytest.mark.parametrize("days", [0, 17])
def test_a_year_that_its_agent_left_is_shown_alone_with_the_reason(cli: Cli, days: int) -> None:
    Path("quitter.py").write_text(QUITTER.replace("DAYS", str(days)))
    assert cli("run", "--agent", "quitter.py:Quitter", "--out", "quitter.py-Quitter", "--quiet").code == 0
    run = open_run(Path("quitter.py-Quitter"))
    found = {name: read(cli, run) for name, read in READERS.items()}
    assert {alone for _, alone in found.values()} == {f"stopped on day {days}"}
    assert {len(names) for names, _ in found.values()} == {1}
    assert "GPT-5.5" not in cli("resume", str(run.folder)).out


def test_a_world_without_anchors_gets_them_on_request_and_keeps_them(cli: Cli) -> None:
    cli("run", "--agent", "idle", "--days", "4", "--stake", "5000", "--out", "out", "--quiet")
    before = cli("show", "out", "--json")
    assert not before.json["ladder"]["measured"]
    assert "--ladder plays the other anchors" in cli("show", "out").text
    asked = cli("show", "out", "--ladder", "--json")
    assert [line.split()[4] for line in asked.err.splitlines()] == list(merchant_names())
    found = asked.json["ladder"]
    assert found["measured"] and {rung["name"] for rung in found["rungs"]} >= set(merchant_names())
    kept = cli("show", "out", "--json").json["ladder"]
    assert kept == found
    assert cli("verify", "out").code == 0
    Path("out/anchors.json").write_text("{}")
    assert not cli("show", "out", "--json").json["ladder"]["measured"], "it belongs to no behaviour"


def test_an_entry_that_left_its_arena_is_not_ranked_there(cli: Cli) -> None:
    Path("quit0.py").write_text(QUITTER.replace("DAYS", "0"))
    arena = ("arena", "--seats", "idle,quit0.py:Quitter", "--rounds", "1", "--worlds", "default", "--days", "9")
    shown = cli(*arena, "--out", "out", "--quiet")
    assert "quit0.py:Quitter is not ranked: left round 0 before it was over." in shown.text
    told = cli("resume", "out", "--json").json
    assert [(each["label"], each["rank"], each["wins"]) for each in told["standings"]] == [
        ("idle", 1.0, 1.0),
        ("quit0.py:Quitter", None, 0.0),
    ]
    entries = open_run(Path("out")).entries()
    assert {year_end(entry, 0, [])["alone"] for entry in entries} == {"its market was shared by 2 seats"}


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ([YEAR, YEAR], ""),
        ([End("bankruptcy", -1.0, 40, 9, 9)], ""),
        ([YEAR, None], "1 of 2 episodes not over"),
        ([None], "not over"),
        ([End("stopped", 1.0, 9, 1, 1)], "not over, stopped on day 9"),
        ([YEAR, End("turn_limit", 1.0, 80, 4_000, 9)], "episode 1 reached its turn limit on day 80"),
        ([End("failed", 1.0, 3, 1, 1)], "failed on day 3"),
    ],
)
def test_only_the_calendar_and_bankruptcy_put_a_run_on_a_ladder(ends: list[End | None], why: str) -> None:
    terms = Terms.alone(load_world("default"), agent=MODEL)
    assert shown_alone_reason(run_of("out", terms, len(ends), tuple(worlds_at(["default"]))), ends) == why


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world that says it was imported, with as many rows as the paper's catalog: the release is not at hand here."""
    folder = tmp_path_factory.mktemp("worlds") / "release"
    save_world(replace(load_world("default"), name="release", origin="release"), folder)
    return folder


def _five_years(world: Path, **changes: Any) -> Run:
    terms = Terms.alone(load_world(world), agent=MODEL, voice=VOICE)
    return run_of("out", changed(terms, **changes), 5, tuple(worlds_at([str(world)])))


def test_under_the_papers_protocol_a_model_is_ranked_on_an_imported_catalog(release: Path) -> None:
    assert unranked_reason(_five_years(release), [YEAR] * 5) == ""
    figures = {axis.name: published_models()[3][axis.name] for axis in AXES}
    found = ranks_among_models(Entrant("m", figures, 5, barred=unranked_reason(_five_years(release), [YEAR] * 5)))
    assert found["final_assets"].rank == 4


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"days": 30}, "days 30, the paper's is 365"),
        ({"rule_set": "gentle"}, "rule set gentle"),
        ({"model": {"brief": "Win."}}, "brief not the paper's"),
        ({"model": {"window": {"window": 9_000}}}, "context window not the paper's"),
        ({"voice": "template"}, "suppliers wrote from templates, the paper's with a model"),
        ({"agent": "steady"}, "the agent is not a model"),
        ({"transport": "http"}, "played over http, in the loop of another program"),
        ({"fork": Fork("other", 0, 5, 9)}, "fork of other at day 5"),
    ],
)
def test_another_protocol_is_not_ranked_on_an_imported_catalog(
    release: Path, changes: dict[str, Any], why: str
) -> None:
    assert unranked_reason(_five_years(release, **changes), [YEAR] * 5) == why


def test_other_catalogs_are_not_ranked(release: Path, tmp_path: Path) -> None:
    default = _five_years(release).stating(worlds=tuple(worlds_at(["default"])))
    assert unranked_reason(default, [YEAR] * 5) == OTHER_CATALOG
    world = load_world(release)
    save_world(replace(world, name="small", products=world.products[:-1]), tmp_path / "small")
    save_world(replace(world, name="own", origin=""), tmp_path / "own")
    for folder in (tmp_path / "small", tmp_path / "own", tmp_path / "gone"):
        elsewhere = default.stating(worlds=(structs.replace(default.worlds[0], source=str(folder)),))
        assert unranked_reason(elsewhere, [YEAR] * 5) == OTHER_CATALOG
        if folder.exists():
            assert unranked_reason(_five_years(folder), [YEAR] * 5) == OTHER_CATALOG
    assert len({load_world(place).id for place in (release, tmp_path / "own")}) == 2
    assert unranked_reason(_five_years(release).stating(episodes=1), [YEAR]) == "1 episode, the paper has 5"


def test_the_engine_of_a_review_is_an_insider_by_whatever_name() -> None:
    names = (
        "insider",
        "ecbench.players.merchants.insider:InsiderMerchant",
        "ecbench.analysis.review.engine:Engine",
        "idle",
        "mine.py:Oracle",
    )
    assert [is_insider(name) for name in names] == [True, True, True, False, False]
