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


def test_machines_get_values_that_set_takes_back(cli: Cli, tmp_path: Path, small_world: Path) -> None:
    listed = json.loads(cli("list", "rules", "--json").out)["rules"]
    assert [rule["name"] for rule in listed] == list(DEFAULT_RULES.values())
    assert listed[0]["ranges"] == [{"least": 1, "most": 1e12, "above": False, "whole": False}]
    settings = [part for rule in listed for part in ("--set", f"{rule['name']}={json.dumps(rule['value'])}")]
    out = str(tmp_path / "run")
    run = ("run", "--agent", "idle", "--world", str(small_world), "--days", "2", "--quiet", "--out", out)
    assert cli(*run, *settings).code == 0


def test_a_changed_rule_is_shown_beside_the_papers(cli: Cli) -> None:
    shown = cli("list", "rules", "commission", "stake", "--set", "commission=0.1")
    assert "commission = 0.1  (in the paper: 0.02)\n" in shown.out
    assert "stake = 100,000\n" in shown.out and "setup_fee" not in shown.out


def test_a_named_set_is_shown_beside_the_papers(cli: Cli) -> None:
    shown = cli("list", "rules", "salvage_rate", "--rules", "no-salvage")
    assert "salvage_rate = 0  (in the paper: 0.1)\n" in shown.out
    on_top = cli("list", "rules", "salvage_rate", "--rules", "no-salvage", "--set", "salvage_rate=0.25")
    assert "salvage_rate = 0.25  (in the paper: 0.1)\n" in on_top.out


def test_the_sets_are_listed_with_what_they_change(cli: Cli) -> None:
    shown = cli("list", "rules", "--sets")
    assert "no-salvage: the same, but" in shown.out and "    salvage_rate = 0  (in the paper: 0.1)\n" in shown.out
    listed = json.loads(cli("list", "rules", "--sets", "--json").out)["sets"]
    changes = {each["name"]: each["changes"] for each in listed}
    assert list(changes) == list(RULE_SETS)
    assert (changes["paper"], changes["no-salvage"]) == ({}, {"salvage_rate": 0.0})


@pytest.mark.parametrize(
    "wrong", [("comission",), ("--set", "comission=1"), ("--set", "commission=2"), ("--rules", "papers")]
)
def test_bad_arguments_of_list_rules_get_a_one_line_error(cli: Cli, wrong: tuple[str, ...]) -> None:
    refused = cli("list", "rules", *wrong)
    assert refused.code == 2
    assert refused.err.startswith("ecbench: ") and refused.err.count("\n") == 1
