"""ecbench world bound: the upper bound, or one line that says why there is none."""

import re
from pathlib import Path

from tests.cli.command import Cli


def test_a_person_reads_the_amount_and_the_exception(cli: Cli, small_world: Path) -> None:
    told = cli("world", "bound", str(small_world), "--days", "60").text
    assert "World corner shop, 60 days, stake ¥100,000" in told
    assert re.search(r"Upper bound: ¥[\d,]+ \([\d.,]+x the stake\)", told)
    assert "No play that cannot foresee the market's draws ends with more on average." in told
    assert "The one exception, selling goods off for more than they cost" in told


def test_a_machine_reads_terms_and_bound(cli: Cli, small_world: Path) -> None:
    arguments = ("--days", "60", "--stake", "5000", "--set", "commission=0.05", "--json")
    facts = cli("world", "bound", str(small_world), *arguments).json
    assert (facts["world"], facts["days"], facts["stake"]) == ("corner shop", 60, 5_000.0)
    assert facts["rules"] == {"commission": 0.05}
    assert facts["bound"] > 5_000.0
    facts = cli("world", "bound", str(small_world), "--set", "stake=7000", "--json").json
    assert (facts["days"], facts["stake"]) == (365, 7_000.0), "the world's days, and the stake of the rules"


def test_where_no_price_is_too_high_there_is_no_limit(cli: Cli, small_world: Path) -> None:
    sheet = small_world / "categories.csv"
    sheet.write_text(sheet.read_text().replace("exponential,2.25", "constant_elasticity,0.9"))
    assert cli("world", "bound", str(small_world), "--days", "30", "--json").json["bound"] is None
    assert "no limit" in cli("world", "bound", str(small_world), "--days", "30").out
