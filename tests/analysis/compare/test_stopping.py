"""Studies that stop when it is clear: interim analyses keep their error, and a run stops where its plan says."""

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec import structs, to_builtins
from tests.analysis.compare.studies import DAYS, begin_study, write_rival
from tests.cli.test_garbled import command
from tests.run_values import changed
from tests.runs.conftest import TRADER, Diary
from tests.season.forger import Forger

from ecbench.analysis.compare.chance import analyses_of, interval_at, is_rejected, p_at
from ecbench.analysis.compare.comparison import compare
from ecbench.analysis.compare.entries import read_entries
from ecbench.analysis.compare.stopping import analysis_of, order_of, plan_against, refuse_mismatch
from ecbench.analysis.compare.tables import to_json, verdict_line
from ecbench.analysis.compare.verdict import from_gaps
from ecbench.errors import RunError
from ecbench.quantiles import LEVEL
from ecbench.runs.folder import open_run
from ecbench.runs.manifest import WorldScore
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.ranking import shown_alone_reason
from ecbench.runs.signatures.keys import write_new_key

STUDIES, WORLDS = 1_000, 10


@pytest.mark.parametrize("law", ["normal", "of one size", "heavy tails"])
def test_equal_agents_are_told_apart_in_at_most_five_percent_of_studies_over_all_analyses(law: str) -> None:
    draws, shape, sizes = np.random.default_rng(7), (STUDIES, WORLDS), analyses_of(WORLDS)
    gaps = {
        "normal": draws.normal(size=shape),
        "of one size": draws.choice([-1.0, 1.0], size=shape),
        "heavy tails": draws.standard_t(2, size=shape),
    }[law]
    ruined = (draws.random(shape) < 0.3) * 1.0 - (draws.random(shape) < 0.3)
    alarms = np.mean([is_rejected(np.column_stack(study), sizes) for study in zip(gaps, ruined, strict=True)])
    assert 0.015 < alarms <= LEVEL + 3 * sqrt(LEVEL * (1 - LEVEL) / STUDIES)


def test_six_worlds_of_ten_that_agree_are_enough_and_one_that_does_not_is_too_many() -> None:
    assert analyses_of(WORLDS) == (6, 8, 10) and analyses_of(40) == (8, 10, 14, 20, 28, 40)

    def decision(gaps: list[float], limit: float = 0.69, ruined: int = 0) -> str:
        lost = [(WorldScore(None, 1, 1), WorldScore(0.0, 0, 1))] * ruined
        interim = analysis_of([*from_gaps(gaps), *lost], analyses_of(WORLDS), limit).interim
        return interim.decision if interim else ""

    agree = [0.5, 0.6, 0.4, 0.9, 0.3, 0.7]
    assert decision(agree) == "better"
    assert decision([-gap for gap in agree]) == "worse"
    assert decision([*agree[:5], -0.3]) == "go on"
    close = [0.1, -0.1, 0.2, -0.2, 0.05, -0.05]
    assert decision(close) == "excluded"
    assert decision(close, ruined=2) == "go on"  # whatever the others end with, one agent is ruined more often
    assert decision([], ruined=6) == "worse"
    assert decision(agree, ruined=2) == "go on"  # the better score is of the one that is ruined more often
    wide = [*close, 3.0, -3.0, 2.0, -2.0]
    assert decision(wide, 0.1) == "not clear"


def test_the_interval_ends_where_the_analyses_begin_to_reject() -> None:
    sizes, gaps = analyses_of(WORLDS), np.random.default_rng(3).normal(0.4, 0.6, size=WORLDS)
    for size in sizes:
        found = interval_at(gaps[:size], sizes)
        assert found is not None
        shifts = (found[0] - 1e-4, found[0] + 1e-4, found[1] - 1e-4, found[1] + 1e-4)
        rejected = [is_rejected((gaps[:size] - shift)[:, None], sizes) for shift in shifts]
        assert rejected == [True, False, False, True]
        assert (p_at(gaps[:size, None], sizes) <= LEVEL) == (not found[0] <= 0 <= found[1])


@pytest.fixture(scope="module")
def rival(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An idler that keeps its stake, ten years on ten worlds."""
    return write_rival(tmp_path_factory.mktemp("study"), WORLDS)


@pytest.fixture(scope="module")
def stopped(rival: Path) -> Path:
    """A trader, played until it is clear that it earns more than the idler."""
    run = begin_study(rival.parent / "stopped", rival, TRADER)
    code, out, err = command("resume", str(run.folder), "-q")
    assert code == 0, err
    assert "Interim analysis: my_merchant.py:MyMerchant ends with 1.01 times the assets of idle (95%, valid" in out
    assert "valid under stopping" in out and "p = 0.048, 6 of 10 worlds, stopped early" in out
    return run.folder


def test_a_run_stops_at_the_first_clear_analysis_of_its_plan(stopped: Path, rival: Path) -> None:
    run = open_run(stopped)
    assert run.manifest.stopping and len(run.manifest.stopping.scores) == WORLDS
    order = order_of(run.worlds)
    assert {int(path.name) for path in (stopped / "episodes").iterdir()} == set(order[:6])
    assert order != sorted(order) == list(range(WORLDS))
    code, out, _ = command("verify", str(stopped))
    assert code == 0 and "stopped early, after 6 of 10 worlds, where its plan ends (better)" in out
    assert json.loads(command("verify", str(stopped), "--json")[1])["stopped_early"]


def test_a_stopped_run_is_labelled_and_shown_alone(stopped: Path, rival: Path) -> None:
    found = compare(read_entries([open_run(stopped), open_run(rival)]))
    (pair,) = found.pairs
    assert pair.verdict.shown and pair.verdict.interim and pair.verdict.interim.worlds == 6
    assert "stopped early" in verdict_line(pair, 1) and any("stopped early" in line for line in found.warnings)
    assert to_json(found)["pairs"][0]["verdict"]["interim"]["decision"] == "better"
    run = open_run(stopped)
    assert shown_alone_reason(run, [None] * run.episodes) == f"{run.episodes} of {run.episodes} episodes not over"


def test_a_resumed_study_goes_on_with_the_same_plan(rival: Path, stopped: Path, tmp_path: Path) -> None:
    run = begin_study(tmp_path / "again", rival, TRADER)
    assert run.manifest.stopping
    for episode in order_of(run.worlds)[:2]:
        play_here(run, episode, diary := Diary(), diary.stop)
    code, out, _ = command("resume", str(run.folder), "--json")
    told = json.loads(out)
    assert code == 0 and told["stopped_early"] and [found["worlds"] for found in told["interim_analyses"]] == [6]
    played = {path.name for path in (run.folder / "episodes").iterdir()}
    assert played == {path.name for path in (stopped / "episodes").iterdir()}
    assert command("resume", str(run.folder), "-q")[0] == 0  # nothing is left to play
    assert played == {path.name for path in (run.folder / "episodes").iterdir()}


def test_a_rival_that_cannot_be_compared_is_refused(rival: Path, stopped: Path, tmp_path: Path) -> None:
    run = open_run(rival)
    (entry,) = read_entries([run])
    with pytest.raises(RunError, match="not played on the worlds of this season"):
        plan_against(entry, run.worlds[1:])
    unfinished = replace(entry, years=dict(list(entry.years.items())[1:]))
    with pytest.raises(RunError, match="has not finished 1 of 10 fresh worlds"):
        plan_against(unfinished, run.worlds)
    few = replace(entry, run=run.stating(worlds=run.worlds[:5]))
    with pytest.raises(RunError, match="at least 6 fresh worlds, and there are 5"):
        plan_against(few, run.worlds[:5])
    with pytest.raises(RunError, match=f"days {DAYS}, and here 30"):
        refuse_mismatch(changed(run.terms, days=30), run)
    out = str(tmp_path / "new")
    for options, words in (
        (("--until-clear",), "go together"),
        (("--against", str(rival), "--until-clear"), "cannot be compared"),
    ):
        code, _, err = command("season", "play", "--agent", "idle", "--out", out, *options)
        assert code == 2 and words in err.replace("\n", " "), err
    assert not Path(out).exists()


@pytest.mark.parametrize("planned", [True, False])
def test_the_plan_of_a_signed_run_cannot_be_changed_removed_or_added(
    rival: Path, tmp_path: Path, planned: bool
) -> None:
    key, folder = write_new_key(tmp_path / "key"), tmp_path / "run"
    plan = begin_study(tmp_path / "study", rival, "idle").manifest.stopping
    assert plan is not None
    begin_study(folder, rival, "idle", signing_key=key, planned=planned)
    assert command("resume", str(folder), "-q", "--sign", str(tmp_path / "key"))[0] == 0
    for other in (None, structs.replace(plan, against="steady")) if planned else (plan,):
        Forger(folder, Random()).rewrite(stopping=to_builtins(other))
        code, out, _ = command("verify", str(folder), "--trust", key.public)
        assert code == 1 and "the stopping plan of run.json is not the one that was signed" in out
