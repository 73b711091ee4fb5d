"""`ecbench humans`: which years of persons enter a baseline, which are refused, and their mean."""

import json
from collections.abc import Callable
from itertools import count
from math import isclose, sqrt
from pathlib import Path
from random import Random

import pytest
from tests.cli.command import Cli
from tests.suite.forger import Forger

from ecbench.board.server.sessions import PersonSessions
from ecbench.players.turn import Record
from ecbench.runs.folder import Run
from ecbench.runs.run_archive import packed_run
from ecbench.world.load import load_world

DAYS = 3
WAIT = {"name": "wait_for_next_day", "arguments": {}}
OPEN_STORE = {"name": "open_store", "arguments": {"store_type": "appliance_digital", "store_name": "Corner"}}


def played(folder: Path, *first: Record, until: int = DAYS, pause: float = 60.0) -> Run:
    """A person's year with a turn a day, each after a pause of so many seconds; it may be ended early."""
    ticks = count(0.0, pause)
    sessions = PersonSessions(clock=lambda: next(ticks))
    run = sessions.begin(folder, [], load_world("seed-3"), "seed-3", DAYS, 100_000.0, "paper")
    for day in range(until):
        sessions.act(run, 0, [*(first if day == 0 else ()), WAIT], {"text": ""})
    if until < DAYS:
        sessions.finish(run, 0, "the player ended the year")
    sessions.close()
    return run


def zipped(run: Run, file: Path) -> str:
    file.write_bytes(packed_run(run))
    return str(file)


def test_years_of_persons_are_averaged_on_the_scale_of_logarithms(cli: Cli, tmp_path: Path) -> None:
    one, two = played(tmp_path / "one"), played(tmp_path / "two", OPEN_STORE, pause=1_000.0)
    given = (zipped(one, tmp_path / "one.zip"), str(two.folder))
    shown = cli("humans", *given, "--json", "--csv", str(tmp_path / "years.csv"))
    assert shown.code == 0, shown.err
    found = json.loads(shown.out)
    ends = [year["final_assets"] for year in found["years"]]
    [group] = found["groups"]
    assert ends[0] != ends[1] and (group["years"], group["days"], group["rules"]) == (2, DAYS, "paper")
    assert isclose(group["mean"], sqrt(ends[0] * ends[1]), abs_tol=0.01)
    low, high = group["interval"]
    assert low < min(ends) and high > max(ends) and isclose(low * high, group["mean"] ** 2, rel_tol=1e-6)
    assert [year["minutes"] for year in found["years"]] == [3.0, 15.0], "a pause of 1,000 s counts as 5 minutes"
    assert (tmp_path / "years.csv").read_text().count("\n") == 3
    told = cli("humans", *given).out
    assert "one.zip" in told and "95% interval" in told and "Refused" not in told


def forged(tmp_path: Path) -> str:
    """More money in every state, under checksums that hold."""
    forger = Forger(played(tmp_path / "forged").folder, Random(1))
    forger.write({**line, "bank": line["bank"] + 1_000} if "bank" in line else line for line in forger.lines())
    forger.cover()
    return str(forger.folder)


def broken(tmp_path: Path) -> str:
    (tmp_path / "broken.zip").write_bytes(b"PK no archive")
    return str(tmp_path / "broken.zip")


def left_early(tmp_path: Path) -> str:
    return str(played(tmp_path / "early", until=1).folder)


def missing(tmp_path: Path) -> str:
    return str(tmp_path / "nowhere")


def given_twice(tmp_path: Path) -> str:
    return zipped(played(tmp_path / "honest-copy"), tmp_path / "copy.zip")


def of_a_merchant(tmp_path: Path) -> str:
    run = played(tmp_path / "merchants")
    forger = Forger(run.folder, Random(1))
    seats = [{**seat, "door": ""} for seat in forger.manifest["seats"]]
    forger.state(seats=seats)
    return str(run.folder)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (forged, "does not verify"),
        (broken, "not an archive of a run"),
        (left_early, "ended early, on day 1 of 3"),
        (missing, "nowhere"),
        (given_twice, "the same year as"),
        (of_a_merchant, "not a person's year"),
    ],
)
def test_what_is_no_whole_verified_year_of_a_person_is_refused_in_one_line(
    cli: Cli, tmp_path: Path, made: Callable[[Path], str], why: str
) -> None:
    honest, other = str(played(tmp_path / "honest").folder), made(tmp_path)
    shown = cli("humans", honest, other, "--json")
    found = json.loads(shown.out)
    assert shown.code == 1 and [year["file"] for year in found["years"]] == [honest]
    [refused] = found["refused"]
    assert refused["file"] == other and why in refused["reason"] and "\n" not in refused["reason"]


def test_a_report_shows_persons_beside_runs_on_the_same_terms(cli: Cli, tmp_path: Path) -> None:
    person, page = zipped(played(tmp_path / "person"), tmp_path / "person.zip"), tmp_path / "page.html"
    for days, told in ((DAYS, True), (DAYS + 1, False)):
        run = tmp_path / f"run-{days}"
        cli("run", "--agent", "idle", "--world", "seed-3", "--days", str(days), "--out", str(run), "--quiet")
        assert cli("report", str(run), "--humans", person, "--out", str(page)).code == 0
        assert ("<td>persons</td>" in page.read_text()) == told
    refused = cli("report", str(run), "--humans", broken(tmp_path), "--out", str(tmp_path / "other.html"))
    assert refused.code == 2 and "not an archive of a run" in refused.err and not (tmp_path / "other.html").exists()
