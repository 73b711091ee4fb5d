"""What `ecbench review` prints, keeps and refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.command import Cli
from tests.runs.conftest import MERCHANTS

from ecbench.analysis.review.build_review import FULL
from ecbench.analysis.review.stored_review import REVIEW, read_stored

MOST_SECONDS = 120
DAYS = 40


def played(cli: Cli, world: Path, folder: Path, *more: str, agent: str = f"{MERCHANTS}:Careless") -> Path:
    terms = ("--agent", agent, "--world", str(world), "--days", str(DAYS), "--out", str(folder))
    assert cli("run", *terms, *more, "--quiet").code == 0
    return folder


def test_a_review_prints_the_curve_the_weeks_the_accuracy_and_the_losses_within_eighty_columns(
    cli: Cli, careless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = cli("review", str(careless), "--jobs", "1")
    assert done.code == 0
    headings = ("month by month", "Days that lost more", "The strategy", "Where the money was lost")
    for phrase in (*headings, "Accuracy ", "this episode ended with"):
        assert phrase in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert "8 variants, weekly" in done.out


def test_progress_is_told_by_tenths_of_the_evaluations(cli: Cli, careless: Path) -> None:
    done = cli("review", str(careless), "--jobs", "1", "--quick")
    assert "a quick review: every fourth week" in done.out
    *before, last = done.err.splitlines()
    asked = before[0].split()[2]
    assert before[0] == f"0 of {asked} evaluations" and len(before) <= 10
    assert last == f"{asked} of {asked} evaluations"
    assert cli("review", str(careless), "--jobs", "1", "--quick", "--again", "--quiet").err == ""


def test_the_json_has_what_the_folder_keeps_and_what_follows_from_it(cli: Cli, careless: Path) -> None:
    told = cli("review", str(careless), "--jobs", "1", "--json").json
    kept = json.loads((careless / "episodes" / "0" / REVIEW).read_text())["review"]
    assert all(told[name] == kept[name] for name in kept.keys() - {"curve", "strategy"})
    assert all(stated.items() <= point.items() for stated, point in zip(kept["curve"], told["curve"], strict=True))
    assert cli("verify", str(careless)).code == 0, "a review is no part of the proof"
    assert [point["day"] for point in told["curve"]] == [0, 8, 14, 21, 28, 35, 40]  # one turn ran on from day 6
    assert all(len(point["values"]) == len(FULL.variants) for point in told["curve"])
    assert told["result"] == told["curve"][-1]["value"]
    assert told["accuracy"] == pytest.approx(told["result"] / told["value_on_day_0"])
    for cause, amount in told["lost"].items():
        assert amount == pytest.approx(sum(told["losses"].get(cause, [])))


def test_an_interrupted_review_continues_with_the_same_command(cli: Cli, tmp_path: Path) -> None:
    """One signal: what was found out is kept, and nobody is left working."""
    run = tmp_path / "run"
    begin = ("--agent", "haggler", "--days", "16", "--out", str(run), "--quiet")
    assert cli("run", *begin).code == 0
    command = [sys.executable, "-m", "ecbench", "review", str(run), "--jobs", "2"]
    kept = run / "episodes" / "0"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + MOST_SECONDS
        while time.monotonic() < deadline and len(read_stored(kept).answers) < 3:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == 130
    assert "Run the same command again to continue" in told and "Traceback" not in told
    found = read_stored(kept).answers
    assert 3 <= len(found) < 3 * len(FULL.variants)
    assert cli("review", str(run), "--quick", "--jobs", "1").code == 0
    assert found.items() <= read_stored(kept).answers.items()
