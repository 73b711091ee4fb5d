"""ecbench list rules: what --set can change."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Cli

from ecbench.rules import DEFAULT_RULES, RULE_SETS, rule_lines


def test_every_rule_is_listed_with_value_range_and_meaning(cli: Cli) -> None:
    shown = cli("list", "rules")
    assert shown.code == 0
    for line in rule_lines():
        assert f"{line.name} = {line.value}\n    {line.meaning}: {line.allowed}\n" in shown.out


def test_machines_get_values_that_set_takes_back(cli: Cli, small_world: Path) -> None:
    listed = cli("list", "rules", "--json").json["rules"]
    assert [rule["name"] for rule in listed] == list(DEFAULT_RULES.values())
    assert listed[0]["ranges"] == [{"least": 1, "most": 1e12, "above": False, "whole": False}]
    settings = [part for rule in listed for part in ("--set", f"{rule['name']}={json.dumps(rule['value'])}")]
    run = ("run", "--agent", "idle", "--world", str(small_world), "--days", "2", "--quiet", "--out", "run")
    assert cli(*run, *settings).code == 0


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (("salvage_rate", "--rules", "no-salvage"), "salvage_rate = 0  (in the paper: 0.1)\n"),
        (("commission", "--rules", "no-salvage"), "commission = 0.02\n"),
        (("--sets",), "no-salvage: the same, but"),
        (("--sets",), "    salvage_rate = 0  (in the paper: 0.1)\n"),
    ],
)
def test_what_a_set_changes_is_shown_beside_the_papers(cli: Cli, options: tuple[str, ...], shown: str) -> None:
    listed = cli("list", "rules", *options).out
    assert shown in listed and "setup_fee" not in listed


def test_the_sets_are_listed_with_what_they_change(cli: Cli) -> None:
    listed = cli("list", "rules", "--sets", "--json").json["sets"]
    changes = {each["name"]: each["changes"] for each in listed}
    assert list(changes) == list(RULE_SETS)
    assert (changes["paper"], changes["no-salvage"]) == ({}, {"salvage_rate": 0.0})
