from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal

from ecbench.analysis.explain.world_figures import summarize
from ecbench.rules import rule_set
from ecbench.world.load import load_world


@pytest.fixture(autouse=True)
def _on_a_wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


def test_show_counts_for_machines(cli: Cli, small_world: Path) -> None:
    world = cli("world", "show", str(small_world), "--json").json
    assert {row["name"]: row["suppliers"] for row in world["suppliers"] if row["suppliers"]} == {
        "candid": 1,
        "adversarial": 1,
        "vip_fee": 1,
    }
    assert sum(row["products"] for row in world["categories"]) == 3
    assert [row["tier"] for row in world["store_types"]] == [1, 3]
    pots = world["store_types"][0]
    assert (pots["honest"], pots["fraudulent"], pots["daily_cost"], pots["seasonality"][10]) == (1, 0, 130.0, 1.5)
    spans = [(row["name"], row["first"], row["last"]) for row in world["calendar"]]
    assert spans[0] == ("Fog", "2026-02-10", "2026-02-10")
    assert spans[-1] == ("Dock Strike", "2026-12-28", "2026-12-31")
    assert [row["demand"] for row in world["calendar"]][-1] == 0.25


def test_the_scams_are_told_with_the_constants_of_the_rules() -> None:
    """tab:fraud_catalog."""
    rules = rule_set("paper").with_overrides({"membership_fee": 700, "short_delivery": [0.5, 0.2]})
    told = {row["name"]: " ".join(row["effects"]) for row in summarize(load_world("default"), rules)["suppliers"]}
    assert "¥700" in told["vip_fee"] and "30%" in told["vip_fee"]
    assert "20% to 40%" in told["future_discount"]
    assert all("x1.5" in told[scam] for scam in ("vip_fee", "future_discount", "fake_urgency"))
    assert "50% to 70%" in told["qty_bait"]
    assert "40%" in told["quality_downgrade"] and "95%" in told["quality_downgrade"]
    assert told["candid"] == ""


def test_a_valid_world_checks_out(cli: Cli, small_world: Path) -> None:
    run = cli("world", "check", str(small_world))
    assert run.code == 0
    assert "corner shop is a valid world: 2 store types, 3 categories, 3 products, 3 suppliers" in run.out
    assert load_world(small_world).id in run.out
    assert cli("world", "check", str(small_world), "--json").json["valid"]


def test_a_broken_world_is_exit_code_2_and_names_its_mistakes(cli: Cli, small_world: Path) -> None:
    path = small_world / "products.csv"
    path.write_text(path.read_text().replace(",88,", ",-88,"))
    told = refusal(cli, "world", "check", str(small_world))
    assert "products.csv, row 3, column reference_price: '-88' is not a price from 0.01" in told
    run = cli("world", "check", str(small_world), "--json")
    answer = run.json
    assert run.code == 2 and answer["error"] in run.err
    assert [problem["file"] for problem in answer["problems"]] == ["products.csv"]


def test_show_prints_tables_and_lists_name_the_default_world(
    cli: Cli, small_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = cli("world", "show", str(small_world), "--categories").out
    dates = ("2026-12-28", "2026-12-31")
    for fact in ("Tea & Coffee", "Dock Strike", *dates, "Spring Week", "vip_fee", "33.3% fraudulent", "Green Tea"):
        assert fact in shown
    assert "6,886" in cli("world", "list").out
    [default] = [each for each in cli("world", "list", "--json").json["worlds"] if each["name"] == "default"]
    assert (default["products"], default["suppliers"]) == (6886, 576)
    monkeypatch.setenv("COLUMNS", "80")
    out = cli("world", "show", "default", "--categories").out
    assert "…" not in out and max(map(len, out.splitlines())) <= 80


def test_a_fresh_world_has_the_counts_asked_for(cli: Cli) -> None:
    counts = ["--products", "400", "--suppliers", "300", "--fraud-share", "0.2"]
    assert cli("world", "new", "--seed", "7", "--out", "w7", *counts).code == 0
    assert cli("world", "check", "w7").code == 0
    world = load_world("w7")
    assert (len(world.products), len(world.suppliers)) == (400, 300)
    assert abs(sum(not supplier.honest for supplier in world.suppliers) - 60) < 28  # four standard deviations of a draw


@pytest.mark.parametrize(
    "counts",
    [
        *(["--products", products] for products in ("1", "99999999999")),
        *(["--fraud-share", share] for share in ("1.5", "nan")),
        ["--suppliers", "0"],
        *(["--seed", seed] for seed in ("-1", "9" * 4_000)),
        *(["--name", name] for name in ("", "two\nlines", "\udcff")),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_written(cli: Cli, counts: list[str]) -> None:
    assert cli("world", "new", "--seed", "7", "--out", "w7", *counts).code == 2
    assert list(Path().iterdir()) == []
