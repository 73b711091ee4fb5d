"""`ecbench.evaluate`: a run from Python, with agents of every kind."""

import gc
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import ecbench
from ecbench import call, evaluate
from ecbench.errors import RunError
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Play
from ecbench.runs.folder import open_run

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/python.md")


class Sleeper:
    """Waits all year, or fails on a day."""

    def __init__(self, fails_on: int | None = None) -> None:
        self.fails_on = fails_on

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        day = 0
        while day != self.fails_on:
            yield [call("wait_for_next_day")]
            day += 1
        raise KeyError("tired")


def test_a_name_is_played_into_a_folder_that_the_commands_read(small_world: Path, tmp_path: Path) -> None:
    played = evaluate("haggler", world=small_world, episodes=2, days=9, stake=50_000.0, out=tmp_path / "run")
    assert [result.over for result in played.results] == [True, True]
    run = open_run(played.folder)
    terms = run.terms
    assert (run.player.agent, terms.days, terms.stake) == ("haggler", 9, 50_000.0)
    [ended] = {result.end.assets for result in played.results if result.end}
    assert played.axes is not None and played.axes["final_assets"] == pytest.approx(ended)
    assert repr(played).startswith("<EvaluatedRun of haggler on 'corner shop': 2 of 2 episodes over, ¥")
    with pytest.raises(RunError, match="is not empty"):
        evaluate("haggler", world=small_world, days=9, out=tmp_path / "run")


def test_without_a_folder_nothing_is_left(small_world: Path) -> None:
    played = evaluate("idle", world=small_world, days=3)
    folder = played.folder
    assert folder.exists()
    del played
    gc.collect()
    assert not folder.exists()


def test_workers_give_the_same_years_as_this_process(small_world: Path) -> None:
    alone = evaluate("haggler", world=small_world, episodes=3, days=9)
    shared = evaluate("haggler", world=small_world, episodes=3, days=9, jobs=2)
    assert [result.ends for result in alone.results] == [result.ends for result in shared.results]


def test_a_class_an_object_and_a_local_class_play_alike(small_world: Path) -> None:
    class Local(Sleeper):
        """No worker can import it."""

    agents = (Sleeper, Sleeper(), Local, Local())
    ends = [evaluate(agent, world=small_world, episodes=2, days=5, jobs=2).results for agent in agents]
    assert all([result.ends for result in each] == [result.ends for result in ends[0]] for each in ends)
    assert all(result.over for each in ends for result in each)


def test_an_object_plays_as_it_was_made(small_world: Path) -> None:
    dear, cheap = (evaluate(Haggler(90, price=price), world=small_world, days=90).axes for price in (1.5, 0.9))
    assert dear is not None and cheap is not None and dear["final_assets"] != cheap["final_assets"]


def test_a_failure_of_the_agent_is_a_problem_of_its_year(small_world: Path) -> None:
    played = evaluate(Sleeper(fails_on=2), world=small_world, days=5)
    assert played.axes is None
    [problem] = played.problems
    assert problem.startswith("episode 0: the merchant failed: KeyError: 'tired' (test_evaluate.py, line ")
    assert problem.endswith("), in turn 3")
    assert repr(played) == "<EvaluatedRun of tests.test_evaluate:Sleeper on 'corner shop': 0 of 1 episodes over>"


def test_rules_are_a_name_or_changes_to_the_papers(small_world: Path) -> None:
    named = evaluate("idle", world=small_world, days=2, rules="no-salvage").run.terms
    assert (named.rule_set, named.rules) == ("no-salvage", {})
    changed = evaluate("idle", world=small_world, days=2, rules={"commission": 0.5, "stake": 7_000.0}).run.terms
    assert (changed.rule_set, changed.rules, changed.stake) == ("paper", {"commission": 0.5, "stake": 7_000.0}, 7_000.0)


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("nobody", {}, "no merchant is called 'nobody'"),
        (3, {}, "builtins:int: a merchant needs a method play"),
        ("idle", {"days": 0}, "days=0: it must be a whole number from 1"),
        ("idle", {"episodes": 1.5}, "episodes=1.5: it must be a whole number"),
        ("idle", {"rules": "house"}, "there is no rule set 'house'"),
        ("idle", {"rules": 5}, "rules=5: it must be the name of a rule set, or changes to the paper's rules"),
        ("idle", {"rules": {"fee": 5}, "stake": 1e4}, "fee"),
        ("idle", {"jobs": None}, "jobs=None: it must be a whole number from 1"),
        ("idle", {"stake": "1"}, "stake='1': it must be a number from 1"),
    ],
)
def test_what_cannot_begin_is_refused(agent: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RunError, match=re.escape(message)):
        evaluate(agent, **options)


def test_runs_show_what_they_are(small_world: Path) -> None:
    assert repr(ecbench.load_world("default")).startswith(
        "<World 'default': 365 days from 2026-01-01, 6,886 products, "
    )
    run = evaluate("idle", world=small_world, episodes=2, days=2).run
    assert repr(run) == f"<Run {run.folder}: idle; 2 episodes of 2 days on 'corner shop'>"


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_the_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    text = (ROOT / page).read_text(encoding="utf-8")
    [example] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "evaluate(" in block]
    exec(compile(example, page, "exec"), {"__name__": "__main__"})
