"""Runs beside one another: by world where they share worlds, with what stands against it said aloud."""

import json
from dataclasses import replace
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.run_values import changed, run_of, year_terms
from tests.runs.conftest import TRADER

from ecbench.analysis.compare.comparison import Difference, RunPair, compare
from ecbench.analysis.compare.entries import ComparedRun, read_entries, refuse_other_games, warnings
from ecbench.analysis.compare.tables import to_json, verdict_line
from ecbench.errors import RunError
from ecbench.metrics.measures import AXES, BAD_SPEND
from ecbench.runs.folder import open_run
from ecbench.runs.terms import WorldRef
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
    site = WorldRef(world, world, 1, f"/{world}")
    run = run_of(label, changed(year_terms(world, agent), **terms), len(assets), (site,))
    return ComparedRun(
        label, run, {world: [{"profitability": {"final_balance": a, "bankrupt": a < 0}} for a in assets]}
    )


def on_worlds(label: str, *assets: float) -> ComparedRun:
    """A year on each of so many worlds."""
    sites = tuple(WorldRef(f"w{number}", f"w{number}", 1, f"/w{number}") for number in range(len(assets)))
    one = entry(label, *assets)
    years = {site.id: [year] for site, year in zip(sites, one.years["w"], strict=True)}
    return replace(one, run=one.run.stating(worlds=tuple(sites)), years=years)


def test_runs_that_share_worlds_are_compared_world_by_world(pair: RunPair) -> None:
    assert len(pair.worlds) == pair.verdict.worlds == WORLDS
    assets = pair.differences[0]
    by_world = [
        [sum(year["profitability"]["final_balance"] for year in run.years[w]) / 2 for w in pair.worlds]
        for run in (pair.first, pair.second)
    ]
    gaps = [one - other for one, other in zip(*by_world, strict=True)]
    assert assets.difference == pytest.approx(sum(gaps) / WORLDS)
    logs = [log(one / other) for one, other in zip(*by_world, strict=True)]
    assert pair.verdict.ratio == pytest.approx(exp(sum(logs) / WORLDS))
    assert pair.verdict.stated_interval == pytest.approx((exp(min(logs)), exp(max(logs))))  # all or nothing
    assert pair.verdict.years == (WORLDS, WORLDS)  # equal years are one observation
    assert "12 years equal another on their world to the yuan" in pair.notes[0]
    bargaining = next(found for found in pair.differences if found.axis.name == "cse_plus")
    assert bargaining.worlds == 0 and bargaining.difference is None and bargaining.interval is None  # an idler has none


def test_a_world_has_the_mean_logarithm_of_its_years_however_many_there_are() -> None:
    """So the ratio between two agents does not depend on the number of years on a world."""
    once = compare([entry("a", 4e5), entry("b", 2e5)]).pairs[0].verdict.effect
    twice = compare([entry("a", 8e5, 2e5), entry("b", 4e5, 1e5)]).pairs[0].verdict.effect
    assert once == pytest.approx(log(2)) and twice == pytest.approx(log(2))


def test_the_text_begins_with_the_sentence_of_the_verdict(two: tuple[Path, Path], capsys: Capture) -> None:
    folders = list(map(str, two))
    text = Command(capsys, "compare", *folders)
    assert text.code == 0 and "6 worlds that both played" in text.out
    assert "Ruined years that differ: A 0 of 6, B 0 of 6; p = 1.000." in text.out
    verdict = facts(capsys, *folders)["pairs"][0]["verdict"]
    assert " ".join(text.out.split()).startswith(verdict["sentence"]) and verdict["sentence"].endswith(
        "; p = 0.031, 6 worlds."
    )
    assert verdict["decided_by"] == "score" and verdict["shown"]


def test_the_verdict_is_the_same_whatever_the_axes(two: tuple[Path, Path], capsys: Capture) -> None:
    all_axes, alone = (facts(capsys, *two, *axes)["pairs"][0] for axes in ((), ("--axis", "drawdown_over_peak")))
    assert alone["verdict"] == all_axes["verdict"] and alone["verdict"]["p"] == 2 / 64
    (only,) = alone["axes"]
    assert only["interval"] == next(a for a in all_axes["axes"] if a["axis"] == only["axis"])["interval"] is not None


def test_one_world_is_described_and_not_tested() -> None:
    (pair,) = compare([entry("a", 6e5, 7e5, 8e5, 9e5, 10e5), entry("b", 1e5, 2e5, 3e5, 3e5)]).pairs
    found = pair.differences[0]
    assert found.difference == 6e5 and found.wins is None and found.interval is None  # equal years count once
    assert pair.verdict.p is None and pair.verdict.ruin_p is None and pair.verdict.interval is None
    assert "these results do not carry over to another" in pair.notes[0]
    assert pair.notes[-1] == "No p-value and no interval: they take 6 worlds that both played."
    assert "b: 1 of 4 years equal another on their world to the yuan" in " ".join(pair.notes)
    assert verdict_line(pair, 1).endswith(
        "inconclusive, 1 world; at least 6 worlds on which both have a year without ruin are needed."
    )


def test_runs_without_a_shared_world_have_their_own_figures_and_no_difference() -> None:
    (pair,) = compare([entry("a", 5e4, world="v"), entry("b", 3e4, world="w")]).pairs
    found = pair.differences[0]
    assert (found.first, found.second, found.difference) == (5e4, 3e4, None)
    assert "share no world" in pair.notes[0] and verdict_line(pair, 1) == "a and b: no world that both played."


def test_three_runs_are_three_pairs_and_their_verdicts_are_corrected_together() -> None:
    levels = (("a", 1e5), ("b", 3e5), ("c", 9e5))
    worlds = [on_worlds(name, *(start * (1 + step / 10) for step in range(6))) for name, start in levels]
    pairs = compare(worlds).pairs
    assert [pair.first.label + pair.second.label for pair in pairs] == ["ab", "ac", "bc"]
    assert [pair.verdict.p_adjusted for pair in pairs] == [2 / 64] * 3  # signs are turned together


def test_worlds_that_ruin_both_agents_tell_nothing_of_either() -> None:
    (pair,) = compare([on_worlds("a", -1, -1, -1, 4e5, 5e5, -1), on_worlds("b", -2, -2, -2, 2e5, 2e5, 3e5)]).pairs
    assert (pair.verdict.ruined, pair.verdict.ruin_p) == ((4, 3), 1.0)
    assert pair.verdict.ratio == pytest.approx(exp((log(2) + log(2.5)) / 2))  # of the two worlds without ruin


def test_a_year_below_a_hundredth_of_the_stake_is_ruined() -> None:
    rich, poor = on_worlds("a", *[66_000.0] * 8), on_worlds("b", *[22_000.0] * 7, 350.0)
    (pair,) = compare([rich, poor]).pairs
    assert verdict_line(pair, 1) == (
        "a ends with 3.0 times the assets of b (95%: 3.0 to 3.0) in years without ruin, which decides; both lose "
        "money; p = 0.016, 8 worlds; ruined: a 0 of 8 years, b 1 of 8 years."
    )
    found = to_json(compare([rich, poor]))["pairs"][0]["verdict"]
    assert found["ratio"] == pytest.approx(3.0) and found["decided_by"] == "score"
    assert found["ruin"] == {"a": 0, "a_years": 8, "b": 1, "b_years": 8, "p": 1.0, "p_adjusted": 1.0}
    (turned,) = compare([poor, rich]).pairs
    assert verdict_line(turned, 1) == verdict_line(pair, 1) and turned.verdict.p == pair.verdict.p
    assert turned.verdict.effect == pytest.approx(-(pair.verdict.effect or 0.0))


@pytest.mark.parametrize(
    ("terms", "word"),
    [
        ({"max_turns": 100}, "turn limit"),
        ({"transport": "inspect"}, "transport"),
        ({"voice": "openai/m"}, "suppliers' voice"),
        ({"model": {"brief": "Win."}}, "brief"),
        ({"agent": "insider"}, "b reads hidden state: an insider"),
    ],
)
def test_another_handicap_is_a_visible_warning(terms: dict[str, Any], word: str) -> None:
    assert any(word in line for line in warnings([entry("a", 1.0), entry("b", 1.0, **terms)]))
    assert not warnings([entry("a", 1.0), entry("b", 1.0)])


def test_the_difference_of_an_axis_is_over_worlds_and_the_better_direction_wins() -> None:
    def run(label: str, *falls: float) -> ComparedRun:
        made = on_worlds(label, *[1e5] * len(falls))
        years = {
            world: [{**year, "score": {"drawdown_over_peak": fall}} for year in found]
            for (world, found), fall in zip(made.years.items(), falls, strict=True)
        }
        return replace(made, years=years)

    def fall(one: ComparedRun, other: ComparedRun) -> Difference:
        return compare([one, other], [AXES[3]]).pairs[0].differences[0]

    six = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = fall(run("a", *six), run("b", *(value + 0.05 for value in six)))
    assert found.difference == pytest.approx(-0.05) and found.interval == pytest.approx((-0.05, -0.05))
    assert (found.wins, found.losses) == (6, 0)  # lower is better
    few = fall(run("a", 0.1, 0.2, 0.3), run("b", 0.2, 0.2, 0.1))
    assert (few.wins, few.losses) == (1, 1) and few.interval is None and few.difference == pytest.approx(1 / 30)


def test_bad_spend_is_not_compared_between_voices() -> None:
    years = {"fraud_identification": {"spend_on_bad_supplier_share": 0.5, "orders_total": 9}}
    years |= {"profitability": {"bankrupt": False, "final_balance": 1.0}}
    one, other = entry("a"), entry("b", voice="openai/m")
    runs = [replace(run, years={"w": [years] * 5}) for run in (one, other)]
    by_name = {found.axis.name: found for found in compare(runs).pairs[0].differences}
    assert by_name["bad_spend_percent"].first is None
    alike = [replace(run, years={"w": [years] * 5}) for run in (one, one)]
    assert compare(alike, [BAD_SPEND]).pairs[0].differences[0].first == 50.0


@pytest.mark.parametrize(("term", "value"), [("days", 20), ("stake", 5_000.0), ("rules", {"commission": 0.5})])
def test_runs_of_another_game_are_refused(term: str, value: Any) -> None:
    with pytest.raises(RunError, match="cannot be compared: " + term):
        refuse_other_games([entry("a", 1.0), entry("b", 1.0, **{term: value})])


def test_another_game_is_compared_only_under_a_warning(
    two: tuple[Path, Path], shops: str, tmp_path: Path, capsys: Capture
) -> None:
    other = play(capsys, tmp_path / "other", "--world", shops.split(",", maxsplit=1)[0], "--days", "20")
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
    assert len(found["runs"][1]["left_out"]) == 2 and "2 of 6 years left out" in found["warnings"][0]
    assert found["pairs"][0]["axes"][0]["difference"] is not None
    assert not (out / "episodes" / "3" / "metrics.json").exists()  # looking writes nothing


def test_a_run_with_no_finished_year_is_refused(
    shops: str, two: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = play(capsys, tmp_path / "begun", "--world", shops.split(",", maxsplit=1)[0], "--days", str(DAYS))
    (out / "episodes" / "0" / "events.jsonl").unlink()
    (out / "episodes" / "0" / "metrics.json").unlink()
    refused = Command(capsys, "compare", str(two[0]), str(out))
    assert refused.code == 2 and "has no finished year to compare (episode 0: not begun)" in refused.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "Missing argument"),
        (["{0}"], "at least two runs"),
        (["{0}", "{0}"], "is given twice"),
        (["{0}", "nowhere"], "is not a run"),
        (["{0}", "{1}", "--axis", "luck"], "there is no measure 'luck'; "),
        (["{0}", "{1}", "--axis", "final_asets"], "did you mean final_assets?"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(
    arguments: list[str], word: str, two: tuple[Path, Path], capsys: Capture
) -> None:
    refused = Command(capsys, "compare", *(argument.format(*two) for argument in arguments))
    assert refused.code == 2 and word in " ".join(refused.err.split())


def test_the_default_world_stands_beside_fresh_ones_and_is_not_one_of_them() -> None:
    sites = tuple(
        WorldRef(name, name, 1, source) for name, source in (("x", "/x"), ("y", "/y"), ("default", "default"))
    )
    runs = []
    for label, assets in (("a", 4.0), ("b", 3.0)):
        one = entry(label, assets)
        years = {site.id: one.years["w"] for site in sites}
        runs.append(replace(one, run=one.run.stating(worlds=tuple(sites)), years=years))
    (pair,) = compare(runs).pairs
    assert pair.first.names(pair.worlds) == ["x", "y"]
    assert pair.notes[0] == "World default is not a fresh one and is left out; final assets there: A ¥4, B ¥3."
