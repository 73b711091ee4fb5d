"""ecbench world bound: the upper bound, or one line that says why there is none."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal


def test_a_person_reads_the_amount_and_the_exception(cli: Cli, small_world: Path) -> None:
    shown = cli("world", "bound", str(small_world), "--days", "60")
    told = " ".join(shown.out.split())
    assert shown.code == 0
    assert "World corner shop, 60 days, stake ¥100,000" in told
    assert re.search(r"Upper bound: ¥[\d,]+ \([\d.,]+x the stake\)", told)
    assert "No play that cannot foresee the market's draws ends with more on average." in told
    assert "The one exception, selling goods off for more than they cost" in told


def test_a_machine_reads_terms_bound_and_windows(cli: Cli, small_world: Path) -> None:
    arguments = ("--days", "60", "--stake", "5000", "--set", "commission=0.05", "--json")
    facts = json.loads(cli("world", "bound", str(small_world), *arguments).out)
    assert (facts["days"], facts["stake"], facts["rules"]) == (60, 5_000.0, {"commission": 0.05})
    assert facts["world"] == "corner shop"
    windows = facts["windows"]
    assert facts["bound"] == pytest.approx(windows[-1]["assets"])
    assert [window["first"] for window in windows] == ["2026-01-05", "2026-01-19", "2026-02-02", "2026-02-16"]
    assert all(set(window["store_types"]) <= {"tea", "pots"} for window in windows)


def test_the_worlds_own_days_and_the_rules_stake_are_the_defaults(cli: Cli, small_world: Path) -> None:
    facts = json.loads(cli("world", "bound", str(small_world), "--set", "stake=7000", "--json").out)
    assert (facts["days"], facts["stake"]) == (365, 7_000.0)


def test_where_no_price_is_too_high_there_is_no_limit(cli: Cli, small_world: Path) -> None:
    sheet = small_world / "categories.csv"
    sheet.write_text(sheet.read_text().replace("exponential,2.25", "constant_elasticity,0.9"))
    facts = json.loads(cli("world", "bound", str(small_world), "--days", "30", "--json").out)
    assert facts["bound"] is None
    assert "no limit" in cli("world", "bound", str(small_world), "--days", "30").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--days", "0"), "--days"),
        (("--set", "escrow_days=2"), "there is no upper bound: return_days reaches 7 and escrow_days is 2"),
    ],
)
def test_bad_terms_get_a_line_and_exit_code_two(
    cli: Cli, small_world: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(cli, "world", "bound", str(small_world), *arguments)
