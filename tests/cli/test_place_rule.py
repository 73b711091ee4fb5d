"""The place rule at every door that shows a place: each gives it, or the same reason why there is none."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Cli

from ecbench.board.views.ending import year_end
from ecbench.report.output import write_report
from ecbench.runs.folder import Run, open_run
from ecbench.runs.record.events import End
from ecbench.runs.results.place_rule import is_insider, why_disqualified
from ecbench.runs.run_worlds import sites_at
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

QUITTER = """
from ecbench import call

class Quitter:
    def play(self, schemas):
        replies = yield [call("check_balance")]
        for _ in range(DAYS):
            replies = yield [call("wait_for_next_day")]
"""
YEAR = End("year_end", 1e6, 365, 900, 4_000)

Place = tuple[int | None, str]


def _between(text: str, first: str, last: str) -> str:
    return text.partition(first)[2].partition(last)[0]


def _run_json(cli: Cli, run: Run) -> Place:
    told = json.loads(cli("resume", str(run.folder), "--json").out)
    assert all(place["place"] is None for place in told["places"].values()) or told["place"]
    return told["place"], told["no_place"]


def _summary_file(cli: Cli, run: Run) -> Place:
    told = json.loads((run.folder / "summary.json").read_bytes())
    return told["place"], told["no_place"]


def _run_text(cli: Cli, run: Run) -> Place:
    text = cli("resume", str(run.folder)).text
    found = text.partition("place among 19 #")[2].split()
    return (int(found[0]), "") if found else (None, _between(text, "No place: ", ". Higher"))


def _show_json(cli: Cli, run: Run) -> Place:
    told = json.loads(cli("show", str(run.folder), "--json").out)
    return told["place"], told["no_place"]


def _show_text(cli: Cli, run: Run) -> Place:
    lines = cli("show", str(run.folder)).out.splitlines()
    [place] = [line for line in lines if line.startswith(("Place #", "No place: "))]
    number = place.removeprefix("Place #").removesuffix(" of 19")
    return (int(number), "") if number != place else (None, place.removeprefix("No place: "))


def _report(cli: Cli, run: Run) -> Place:
    write_report([run], run.folder / "report.html")
    page = (run.folder / "report.html").read_text(encoding="utf-8").replace("&#39;", "'")
    row = _between(_between(page, '<tr class="own">', "</tr>"), '<td class="number place"', "</td>")
    number = row.rpartition(">")[2]
    assert ['id="all-rank-bump"' in page, 'id="all-profiles"' in page] == [number != "–"] * 2
    return (None, _between(row, "no place: ", '"')) if number == "–" else (int(number), "")


def _board(cli: Cli, run: Run) -> Place:
    end = asdict(year_end(run, 0, []))
    assert end["place"] == end["places"][0]["place"]
    return end["place"], end["no_place"]


DOORS: dict[str, Callable[[Cli, Run], Place]] = {
    "resume --json": _run_json,
    "summary.json": _summary_file,
    "resume": _run_text,
    "show --json": _show_json,
    "show": _show_text,
    "report": _report,
    "board": _board,
}
CASES: dict[str, tuple[tuple[str, ...], Place]] = {
    "bankrupt": ((), (19, "")),
    "quits": (("--agent", "quit0.py:Quitter"), (None, "stopped on day 0")),
    "stops": (("--agent", "quit17.py:Quitter"), (None, "stopped on day 17")),
    "days": (("--days", "9"), (None, "days 9, the paper's is 365")),
    "stake": (("--stake", "900"), (None, "stake 900, the paper's is 100,000")),
    "rules": (("--set", "commission=0.5"), (None, "changed rules not the paper's")),
    "turns": (("--max-turns", "9"), (None, "turn limit 9, the paper's is 4,000")),
    "world": (("--world", "seed-3"), (None, "played on world seed-3, not on world default")),
    "insider": (("--agent", "oracle", "--days", "2"), (None, "an insider, which reads hidden state")),
    "episodes": (("--agent", "quit17.py:Quitter", "-n", "2"), (None, "episode 0 stopped on day 17")),
}


@pytest.mark.parametrize("case", CASES)
def test_every_door_shows_the_same_place_or_the_same_reason(cli: Cli, case: str) -> None:
    for days in (0, 17):
        Path(f"quit{days}.py").write_text(QUITTER.replace("DAYS", str(days)))
    options, expected = CASES[case]
    assert cli("run", "--agent", "idle", "--out", "out", "--quiet", *options).code == 0
    run = open_run(Path("out"))
    # A door that shows one year has that year's reason.
    of_year = (expected[0], expected[1].removeprefix("episode 0 "))
    year_doors = ("show", "show --json", "board")
    assert {name: door(cli, run) for name, door in DOORS.items()} == {
        name: of_year if name in year_doors else expected for name in DOORS
    }


def test_a_fork_has_no_place_and_is_shown_beside_its_parent(cli: Cli) -> None:
    cli("run", "--agent", "idle", "--out", "Parent", "--quiet")
    assert cli("fork", "Parent", "--day", "5", "--agent", "idle", "--out", "fork", "--quiet").code == 0
    parent, fork = open_run(Path("Parent")), open_run(Path("fork"))
    assert {door(cli, fork) for door in DOORS.values()} == {(None, "fork of Parent at day 5")}
    assert "A fork of Parent at day 5, which ended: bankruptcy on day" in cli("show", "fork").text
    write_report([fork, parent], Path("report.html"))
    own = Path("report.html").read_text(encoding="utf-8").split('<tr class="own">')[1:]
    assert [row.count("fork of Parent at day 5</span>") for row in own] == [0, 1]


def test_an_entry_of_an_arena_has_no_place_among_the_models_and_one_that_left_none_in_its_arena(cli: Cli) -> None:
    Path("quit0.py").write_text(QUITTER.replace("DAYS", "0"))
    arena = ("arena", "--seats", "idle,quit0.py:Quitter", "--rounds", "1", "--worlds", "default", "--days", "9")
    shown = cli(*arena, "--out", "out", "--quiet")
    assert "No place among them: its market was shared by 2 seats." in shown.text
    assert "quit0.py:Quitter has no place: left round 0 before it was over." in shown.text
    told = json.loads(cli("resume", "out", "--json").out)
    assert (told["place"], told["no_place"]) == (None, "its market was shared by 2 seats")
    assert [(each["label"], each["place"], each["wins"]) for each in told["standings"]] == [
        ("idle", 1.0, 1.0),
        ("quit0.py:Quitter", None, 0.0),
    ]
    entries = open_run(Path("out")).entries()
    assert {year_end(entry, 0, []).no_place for entry in entries} == {"its market was shared by 2 seats"}
    write_report(entries, Path("report.html"))
    assert "no place: its market was shared by 2 seats." in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "ends", "why"),
    [
        ({}, [YEAR, YEAR], ""),
        ({"max_turns": 9_000}, [YEAR], ""),
        ({"door": "inspect"}, [YEAR], ""),
        ({"door": "http"}, [YEAR], "played over http, in the loop of another program"),
        ({"model": {"brief": "Win."}}, [YEAR], "brief not the paper's"),
        ({"model": {"window": {"window": 9_000}}}, [YEAR], "context window not the paper's"),
        ({"rule_set": "gentle"}, [YEAR], "rule set gentle"),
        ({}, [YEAR, None], "1 of 2 years not over"),
        ({}, [None], "not over"),
        ({}, [End("stopped", 1.0, 9, 1, 1)], "not over, stopped on day 9"),
        ({}, [YEAR, End("turn_limit", 1.0, 80, 4_000, 9)], "episode 1 reached its turn limit on day 80"),
        ({}, [End("failed", 1.0, 3, 1, 1)], "failed on day 3"),
    ],
)
def test_terms_and_endings_that_cost_the_place(changes: dict[str, Any], ends: list[End | None], why: str) -> None:
    terms = Terms.alone(load_world("default"), agent="openai/m")
    run = Run(Path("out"), terms.changed(**changes), len(ends), tuple(sites_at(["default"])))
    assert why_disqualified(run, ends) == why


def test_a_world_is_known_by_its_id_and_not_by_its_name() -> None:
    run = Run(Path("out"), Terms.alone(load_world("default"), agent="idle"), 1, tuple(sites_at(["default"])))
    renamed = replace(run, sites=(replace(run.sites[0], id="0" * 64),))
    assert why_disqualified(renamed, [YEAR]) == "played on a different world named default, not on world default"
    moved = replace(run, sites=(replace(run.sites[0], source="/elsewhere"),))
    assert not why_disqualified(moved, [YEAR])


def test_the_engine_of_a_review_is_an_insider_by_whatever_name() -> None:
    names = (
        "oracle",
        "ecbench.players.merchants.oracle:Oracle",
        "ecbench.review.engine:Engine",
        "idle",
        "mine.py:Oracle",
    )
    assert [is_insider(name) for name in names] == [True, True, True, False, False]
