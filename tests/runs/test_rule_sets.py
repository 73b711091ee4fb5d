"""Runs under rules with a name: recorded, played again, and told apart from the paper's."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.runs.conftest import NewRun, Play

from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.ranking import term_departures

Capture = pytest.CaptureFixture[str]


def played(capsys: Capture, small_world: Path, place: Path, *options: str) -> Run:
    shared = ("run", "--agent", "idle", "--world", str(small_world), "--days", "3", "--quiet", "--out", str(place))
    assert Command(capsys, *shared, *options).code == 0
    return open_run(place)


def test_a_run_records_the_name_of_its_rules_and_what_was_changed_on_top(
    capsys: Capture, small_world: Path, tmp_path: Path
) -> None:
    run = played(capsys, small_world, tmp_path / "run", "--rules", "no-salvage", "--set", "commission=0.5")
    assert (run.terms.rule_set, run.terms.rules) == ("no-salvage", {"commission": 0.5})
    start = json.loads(run.events_path(0).read_text().splitlines()[0])
    assert (start["rule_set"], start["rules"]) == ("no-salvage", {"commission": 0.5})
    assert Command(capsys, "verify", str(run.folder)).code == 0


def test_only_the_papers_rules_are_the_papers_protocol(capsys: Capture, small_world: Path, tmp_path: Path) -> None:
    usual = ("--days", "365")
    for name, given, expected in (
        ("paper", (), []),
        ("named", ("--rules", "paper"), []),
        ("other", ("--rules", "no-salvage"), [("rule set", "no-salvage", "paper")]),
    ):
        run = played(capsys, small_world, tmp_path / name, *usual, *given)
        assert list(term_departures(run)) == expected


def test_a_run_of_rules_that_this_version_does_not_know_is_refused(
    capsys: Capture, new_run: NewRun, play: Play
) -> None:
    run = new_run(days=3)
    text = (run.folder / "run.json").read_text().replace('"rule_set": "paper"', '"rule_set": "paper-2"')
    (run.folder / "run.json").write_text(text)
    refused = Command(capsys, "resume", str(run.folder))
    assert refused.code == 2
    assert "there is no rule set 'paper-2'; did you mean paper or fair-2?" in refused.err
