"""Runs under rules with a name: recorded, played again, and told apart from the paper's."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.runs.conftest import NewRun, Play

from ecbench.cli.run_file import read_overrides
from ecbench.errors import RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.terms import rules_with

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


def test_a_run_of_rules_that_this_version_does_not_know_is_refused(
    capsys: Capture, new_run: NewRun, play: Play
) -> None:
    run = new_run(days=3)
    text = (run.folder / "run.json").read_text().replace('"rule_set": "paper"', '"rule_set": "paper-2"')
    (run.folder / "run.json").write_text(text)
    refused = Command(capsys, "resume", str(run.folder))
    assert refused.code == 2
    assert "there is no rule set 'paper-2'; did you mean paper or fair-2?" in refused.err


def test_changes_come_on_top_of_the_named_set() -> None:
    rules = rules_with(read_overrides(["commission=0.05"], "no-salvage"), "no-salvage")
    assert (rules.commission, rules.salvage_rate) == (0.05, 0.0)
    assert rules_with({"salvage_rate": 0.3}, "no-salvage").salvage_rate == 0.3
    with pytest.raises(RunError, match="there is no rule set 'papers'"):
        rules_with({}, "papers")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("commission", "write it as KEY=VALUE"),
        ("commission=much", "commission must be a number from 0 to 1; got 'much'"),
        ("stake=NaN", "stake must be a number from 1 to 1,000,000,000,000; got nan"),
        ("goodwill_scale=0.5", "goodwill_midpoint must be at most 700 times goodwill_scale, which is 0.5; got 500"),
        ("closing_hour=8", "closing_hour must be above opening_hour, which is 8; got 8"),
        ("max_discount=0.01", "max_discount must be above min_discount, which is 0.05; got 0.01"),
        ("lead_days=[7,3]", "lead_days must be the fewest days and then the most; got 7 and 3"),
        ("short_delivery=[0.9,0.2]", "short_delivery must add up to 1 at most; got [0.9, 0.2]"),
        ("freight_factor=2", "freight_factor must be a table of fast, standard, slow; got 2"),
        ('freight_factor={"fast": "x"}', "freight_factor.fast must be a number from 0 to 100; got 'x'"),
        ("lead_days=[1]", "lead_days must be two numbers such as [3, 7]; got [1]"),
        ("storage_age_steps=[]", "storage_age_steps must be 1 to 100 pairs such as [[0, 1.0], [21, 1.4]]; got []"),
        ("storage_age_steps=[[0]]", "storage_age_steps[0] must be two numbers such as [0, 1.0]; got [0]"),
        ("storage_age_steps=[[1, 2]]", "storage_age_steps must begin at age 0; got 1"),
        ("storage_age_steps=[[0, 1], [0, 2]]", "storage_age_steps must rise from step to step; got 0 and then 0"),
        ("price_return_knees=[[1, 1], [0.5, 1]]", "price_return_knees must rise from step to step; got 1 and then 0.5"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(setting: str, message: str) -> None:
    with pytest.raises(RunError) as refused:
        read_overrides([setting])
    assert message in str(refused.value)
