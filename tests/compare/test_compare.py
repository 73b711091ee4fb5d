"""Runs beside one another: by world where they share worlds, with what stands against it said aloud."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.runs.conftest import TRADER

from ecbench.compare.comparison import RunPair, compare
from ecbench.compare.entries import ComparedRun, read_entries
from ecbench.compare.fairness import refuse_other_games, warnings
from ecbench.compare.tables import COLUMNS, known_worlds, sheets
from ecbench.errors import RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.run_worlds import Site
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world
from ecbench.world.save import save_world

WORLDS, DAYS = 6, 12
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def shops(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Little worlds with other draws each, as --worlds takes them."""
    from tests.conftest import write_little_world

    place = tmp_path_factory.mktemp("shops")
    world = load_world(write_little_world(place))
    for number in range(WORLDS):
        save_world(replace(world, name=f"shop-{number}", seed=number), place / f"shop{number}")
    return ",".join(str(place / f"shop{number}") for number in range(WORLDS))


@pytest.fixture(scope="session")
def two(shops: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A trader and an idler, two years on each of the worlds."""
    place = tmp_path_factory.mktemp("two")
    for agent, name in ((TRADER, "trader"), ("idle", "idler")):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(place)
            from ecbench.cli import main

            with pytest.raises(SystemExit) as ended:
                main(["run", "--agent", agent, "--worlds", shops, "-n", "2", "--days", str(DAYS), "--out", name, "-q"])
            assert not ended.value.code
    return place / "trader", place / "idler"


@pytest.fixture
def pair(two: tuple[Path, Path]) -> RunPair:
    (found,) = compare(read_entries(list(map(open_run, two)))).pairs
    return found


def facts(capsys: Capture, *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Command(capsys, "compare", *map(str, arguments), "--json").out)
    return found


def play(capsys: Capture, out: Path, *options: str, agent: str = "idle") -> Path:
    assert Command(capsys, "run", "--agent", agent, *options, "--out", str(out), "-q").code == 0
    return out


def entry(label: str, *assets: float, agent: str = "mock/model", world: str = "w", **terms: Any) -> ComparedRun:
    """Years on one world that ended with so much."""
    site = Site(world, world, 1, f"/{world}")
    run = Run(
        Path(label),
        Terms(world, world, 1, (SeatTerms(agent),), 365, 1e5).changed(**terms),
        len(assets),
        (site,),
    )
    return ComparedRun(
        label, run, {world: [{"profitability": {"final_balance": a, "bankrupt": a < 0}} for a in assets]}
    )


def test_runs_that_share_worlds_are_compared_world_by_world(pair: RunPair) -> None:
    assert pair.match.design == "same worlds" and pair.match.units == (WORLDS, WORLDS)
    assets = pair.differences[0]
    by_world = [
        [sum(year["profitability"]["final_balance"] for year in run.years[w]) / 2 for w in pair.match.first_worlds]
        for run in (pair.match.first, pair.match.second)
    ]
    gaps = [one - other for one, other in zip(*by_world, strict=True)]
    assert assets.difference == pytest.approx(sum(gaps) / WORLDS)
    assert assets.interval is not None and assets.interval[0] <= sum(gaps) / WORLDS <= assets.interval[1]
    assert min(gaps) <= assets.interval[0] and assets.interval[1] <= max(gaps)


def test_years_without_chance_have_no_spread_of_their_own(pair: RunPair) -> None:
    spread = pair.differences[0].spread
    assert spread is not None and spread.years == 0.0
    assert pair.bankruptcies.first_years == pair.bankruptcies.second_years == WORLDS


def test_an_axis_on_which_one_has_no_sample_is_null_and_the_others_are_not(pair: RunPair) -> None:
    by_name = {found.axis.name: found for found in pair.differences}
    bargaining = by_name["cse_plus"]  # an idler makes no deal
    assert bargaining.units == (0, 0) and bargaining.difference is None and bargaining.p is None
    assert by_name["final_assets"].difference is not None


def test_a_comparison_says_the_same_every_time(two: tuple[Path, Path], capsys: Capture) -> None:
    first = Command(capsys, "compare", *map(str, two), "--json")
    assert first.code == 0 and first.out == Command(capsys, "compare", *map(str, two), "--json").out
    ours, theirs = (facts(capsys, *runs)["pairs"][0]["axes"][0] for runs in (two, two[::-1]))
    assert ours["p"] == theirs["p"] and ours["difference"] == pytest.approx(-theirs["difference"])
    assert ours["interval"][0] == pytest.approx(-theirs["interval"][1], rel=0.05)


def test_text_markdown_and_csv_give_the_same_figures(two: tuple[Path, Path], capsys: Capture) -> None:
    folders = list(map(str, two))
    text = Command(capsys, "compare", *folders)
    assert text.code == 0 and "6 worlds that both played" in text.out and "Fisher's exact test" in text.out
    page = Command(capsys, "compare", *folders, "--markdown").out
    assert page.startswith("## A = my_merchant.py:MyMerchant, B = idle") and "| Final assets | higher |" in page
    rows = list(csv.DictReader(io.StringIO(Command(capsys, "compare", *folders, "--csv").out)))
    axes = facts(capsys, *folders)["pairs"][0]["axes"]
    assert [row["axis"] for row in rows] == [fact["axis"] for fact in axes] and tuple(rows[0]) == COLUMNS
    for row, fact in zip(rows, axes, strict=True):
        for name in ("difference", "p", "p_holm", "ratio", "smallest_seen"):
            assert row[name] == ("" if fact[name] is None else str(fact[name]))


def test_fewer_axes_are_corrected_for_fewer_tests(two: tuple[Path, Path], capsys: Capture) -> None:
    all_axes, alone = facts(capsys, *two), facts(capsys, *two, "--axis", "final_assets")
    assert alone["tests"] == 1 and len(alone["pairs"][0]["axes"]) == 1
    (only,) = alone["pairs"][0]["axes"]
    assert only["p"] == only["p_holm"] == all_axes["pairs"][0]["axes"][0]["p"]
    assert "choose fewer axes beforehand" in json.dumps(all_axes["pairs"][0]["notes"])
    assert alone["pairs"][0]["notes"] == []


def test_with_two_worlds_no_test_is_made_and_the_needed_number_is_told(
    two: tuple[Path, Path], shops: str, tmp_path: Path, capsys: Capture
) -> None:
    options = ("--worlds", ",".join(shops.split(",")[:2]), "--days", "3")
    few = [play(capsys, tmp_path / agent[-4:], *options, agent=agent) for agent in ("idle", TRADER)]
    told = " ".join(Command(capsys, "compare", *map(str, few)).out.split())
    assert "corrected over" not in told and "no test is possible with so few" in told
    assert "with 2 worlds no difference could reach 5%; at least 6 worlds that both played are needed." in told
    enough = " ".join(Command(capsys, "compare", *map(str, two)).out.split())
    assert "no test is possible" not in enough and "Holm: p corrected over all" in enough


def test_deterministic_merchants_on_one_world_get_no_p_value() -> None:
    (pair,) = compare([entry("a", 5.0, 5.0, 5.0, agent="steady"), entry("b", 3.0, 3.0, 3.0, agent="idle")]).pairs
    found = pair.differences[0]
    assert pair.match.design == "one world" and pair.match.units == (1, 1)
    assert found.difference == 2.0 and found.p is None and found.interval is None
    assert "a plays the same year every time" in " ".join(pair.notes)
    assert pair.notes[-1].endswith("at least 6 worlds that both played are needed, or 4 different years of each.")


def test_models_on_one_world_are_compared_year_by_year_and_for_that_world_alone() -> None:
    (pair,) = compare([entry("a", 6, 7, 8, 9, 10), entry("b", 1, 2, 3, 4, 5)]).pairs
    found = pair.differences[0]
    assert found.p == 2 / 252 and found.interval is not None
    assert found.beats is None and found.wins is None  # one world says nothing of a fresh one
    assert "these results do not carry over to another" in pair.notes[0]


def test_runs_without_a_shared_world_are_compared_under_a_note() -> None:
    (pair,) = compare([entry("a", 5.0, world="v"), entry("b", 3.0, world="w")]).pairs
    assert pair.match.design == "other worlds" and pair.differences[0].difference == 2.0
    assert "share no world" in pair.notes[0] and pair.differences[0].p is None


def test_three_runs_are_three_pairs_and_all_their_tests_are_corrected_together() -> None:
    runs = [entry(name, *(start + step for step in range(5))) for name, start in (("a", 1.0), ("b", 3.0), ("c", 9.0))]
    found = compare(runs)
    met = [pair.match.first.label + pair.match.second.label for pair in found.pairs]
    assert met == ["ab", "ac", "bc"]
    assert found.tests == 3
    smallest = min(pair.differences[0].p or 1 for pair in found.pairs)
    assert min(pair.differences[0].p_holm or 1 for pair in found.pairs) == pytest.approx(3 * smallest)


def test_bankruptcies_are_counted_and_tested() -> None:
    (pair,) = compare([entry("a", -1, -2, -3, -4), entry("b", 1, 2, 3, 4)]).pairs
    assert (pair.bankruptcies.first, pair.bankruptcies.second) == (4, 0)
    assert pair.bankruptcies.p == pytest.approx(2 / 70)


@pytest.mark.parametrize(
    ("terms", "word"),
    [
        ({"max_turns": 100}, "turn limit"),
        ({"door": "inspect"}, "door"),
        ({"voice": "openai/m"}, "suppliers' voice"),
        ({"model": {"brief": "Win."}}, "brief"),
    ],
)
def test_another_handicap_is_a_visible_warning(terms: dict[str, Any], word: str) -> None:
    assert any(word in line for line in warnings([entry("a", 1.0), entry("b", 1.0, **terms)]))
    assert not warnings([entry("a", 1.0), entry("b", 1.0)])


def test_bad_spend_is_not_compared_between_voices() -> None:
    years = {"fraud_identification": {"spend_on_bad_supplier_share": 0.5, "orders_total": 9}}
    years |= {"profitability": {"bankrupt": False}}
    one, other = entry("a"), entry("b", voice="openai/m")
    runs = [replace(run, years={"w": [years] * 5}) for run in (one, other)]
    by_name = {found.axis.name: found for found in compare(runs).pairs[0].differences}
    assert by_name["bad_spend_percent"].first is None
    alike = [replace(run, years={"w": [years] * 5}) for run in (one, one)]
    assert compare(alike).pairs[0].differences[2].first == 50.0


@pytest.mark.parametrize("option", [("--days", "20"), ("--stake", "5000"), ("--set", "commission=0.5")])
def test_another_game_is_refused_and_compared_only_under_a_warning(
    two: tuple[Path, Path], shops: str, option: tuple[str, str], tmp_path: Path, capsys: Capture
) -> None:
    length = () if option[0] == "--days" else ("--days", str(DAYS))
    other = play(capsys, tmp_path / "other", "--world", shops.split(",", maxsplit=1)[0], *length, *option)
    refused = Command(capsys, "compare", str(two[0]), str(other))
    assert refused.code == 2 and "cannot be compared" in refused.err and not refused.out
    forced = Command(capsys, "compare", str(two[0]), str(other), "--anyway")
    assert forced.code == 0 and "WARNING: Not the same game" in forced.out


def test_years_that_are_not_over_or_damaged_are_left_out_under_a_warning(
    shops: str, two: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = play(capsys, tmp_path / "torn", "--worlds", shops, "--days", str(DAYS))
    events = out / "episodes" / "1" / "events.jsonl"
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(lines[:-1]))  # its process was killed before the end
    other = out / "episodes" / "2" / "events.jsonl"
    other.write_bytes(other.read_bytes().replace(b'"bank":', b'"BANK":', 1))
    (out / "episodes" / "3" / "metrics.json").unlink()  # which follows from the events
    found = facts(capsys, two[0], out)
    assert sum(found["runs"][1]["years"].values()) == WORLDS - 2
    assert len(found["runs"][1]["left_out"]) == 2 and "2 of 6 years are left out" in found["warnings"][0]
    assert found["pairs"][0]["axes"][0]["difference"] is not None
    assert not (out / "episodes" / "3" / "metrics.json").exists()  # looking writes nothing


def test_a_run_with_no_finished_year_is_refused(
    shops: str, two: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = play(capsys, tmp_path / "begun", "--world", shops.split(",", maxsplit=1)[0], "--days", str(DAYS))
    (out / "episodes" / "0" / "events.jsonl").unlink()
    (out / "episodes" / "0" / "checksums.json").unlink()
    refused = Command(capsys, "compare", str(two[0]), str(out))
    assert refused.code == 2 and "has no finished year to compare (episode 0: not begun)" in refused.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "Missing argument"),
        (["{0}"], "at least two runs"),
        (["{0}", "{0}"], "is given twice"),
        (["{0}", "nowhere"], "is not a run"),
        (["{0}", "{1}", "--axis", "luck"], "there is no measure 'luck'; the axes are final_assets, "),
        (["{0}", "{1}", "--axis", "final_asets"], "did you mean final_assets?"),
        (["{0}", "{1}", "--json", "--csv"], "exclude each other"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(
    arguments: list[str], word: str, two: tuple[Path, Path], capsys: Capture
) -> None:
    refused = Command(capsys, "compare", *(argument.format(*two) for argument in arguments))
    assert refused.code == 2 and word in " ".join(refused.err.split())


def test_the_default_world_stands_beside_fresh_ones_and_is_not_one_of_them() -> None:
    sites = tuple(Site(name, name, 1, source) for name, source in (("x", "/x"), ("y", "/y"), ("default", "default")))
    runs = []
    for label, assets in (("a", 4.0), ("b", 3.0)):
        one = entry(label, assets)
        years = {site.id: one.years["w"] for site in sites}
        runs.append(replace(one, run=replace(one.run, sites=sites), years=years))
    (pair,) = compare(runs).pairs
    assert pair.match.first.names(pair.match.first_worlds) == ["x", "y"]
    assert known_worlds(pair) == ["World default is no fresh one and is left out; final assets there: A ¥4, B ¥3."]


def test_a_difference_of_nothing_has_no_sign() -> None:
    (pair,) = compare([entry("a", 1.0), entry("b", 1.4)]).pairs
    assert sheets(pair)[0].rows[0][:5] == ["Final assets", "higher", "¥1", "¥1", "¥0"]


def test_an_insider_is_named() -> None:
    assert "insider" in warnings([entry("oracle", 1.0, agent="oracle"), entry("b", 1.0)])[0]


def test_runs_of_other_terms_can_be_refused_before_anything_is_computed() -> None:
    other = entry("b", 1.0)
    other = replace(other, run=replace(other.run, base_terms=replace(other.run.terms, stake=5.0)))
    with pytest.raises(RunError, match=r"stake ¥100,000 \(a\) and ¥5 \(b\); --anyway"):
        refuse_other_games([entry("a", 1.0), other])
