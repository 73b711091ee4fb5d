"""The commands that play, resume, show and fork runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import TRADER, WAITS, Cli, manifest, write_merchant

from ecbench.metrics.measures import ALL_AXES
from ecbench.metrics.ranks import paper_entrants
from ecbench.players.merchants.registry import merchant_names

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = "import sys; from ecbench.cli import main; main(sys.argv[1:])"


@pytest.fixture
def options(small_world: Path) -> tuple[str, ...]:
    return ("--agent", TRADER, "--world", str(small_world))


def test_a_run_ends_with_its_figures_beside_the_papers_models_and_its_folder(
    cli: Cli, options: tuple[str, ...]
) -> None:
    run = cli("run", *options, "--out", "out")
    assert (run.code, run.err) == (0, "")
    assert all(model.name[:12] in run.out for model in paper_entrants())
    assert "my_merchant.py:My" in run.out
    assert run.out.endswith("\nRun folder: out\n")
    assert "episode 0: 2026-01-31 (day 30) bank ¥" in run.out
    assert max(map(len, run.out.splitlines()[-30:])) <= 80


def test_json_is_all_that_is_printed_and_episodes_that_repeat_one_another_are_said_to(
    cli: Cli, options: tuple[str, ...]
) -> None:
    run = cli("run", *options, "--episodes", "2", "--days", "30", "--out", "out", "--json")
    summary = run.json
    assert run.err == ""
    assert [each["ending"] for each in summary["episodes"]] == ["year_end", "year_end"]
    parts = (summary, *summary["episodes"])
    skill = [summary["measures"]["skill"]["value"], *(part["axes"].pop("skill") for part in parts)]
    assert skill == [skill[0]] * 4 and -0.1 < skill[0] < 0  # this merchant loses money
    axes = [axis.name for axis in ALL_AXES if axis.name != "skill"]
    assert [list(each["axes"]) for each in summary["episodes"]] == [axes, axes]
    same = {"value": summary["episodes"][0]["final_assets"], "spread": 0.0, "episodes": 2}
    assert (summary["distinct_years"], summary["measures"]["final_assets"]) == (1, same)
    assert (summary["rank"], summary["unranked_reason"]) == (None, "the paper's models played another catalog")
    assert {rank["rank"] for rank in summary["ranks"].values()} == {None}
    assert summary["voice"] == "template"
    assert {path.name for path in Path("out").iterdir()} == {"run.json", "anchors.json", "episodes"}
    told = cli("resume", "out").text
    assert "2 episodes, 1 distinct (results equal to the yuan count once)" in told
    assert not any(model.name[:12] in told for model in paper_entrants())  # which played whole years


def test_the_manifest_says_what_was_run_and_lies_under_runs_by_time_and_agent(cli: Cli, small_world: Path) -> None:
    terms = ("--days", "5", "--stake", "5000", "--set", "commission=0.5")
    cli("run", "--agent", "idle", "--world", str(small_world), *terms, "--quiet")
    [folder] = Path("runs").iterdir()
    assert folder.name.endswith("_idle")
    stated = manifest(str(folder))
    [world] = stated["worlds"]
    assert (world["name"], world["seed"]) == ("corner shop", 5)
    assert (stated["days"], stated["stake"], stated["rules"]) == (5, 5000.0, {"commission": 0.5})
    assert (stated["seats"], stated["episodes"]) == ([{"agent": "idle", "model": {}, "transport": ""}], 1)
    assert stated["schema"] == 3
    assert {"ecbench", "python", "compiled", "git_commit", "created"} <= set(stated)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_merchant_prints_is_not_in_the_json(options: tuple[str, ...], jobs: str) -> None:
    turn = ("while True:", "    print('a turn')", "    os.system('echo a program')", f"    {WAITS}")
    write_merchant("loud.py", *turn, above="import os\nprint('imported')\n")
    arguments = ["--agent", "loud.py:Mine", *options[2:], "--days", "3", "--episodes", "2", "--jobs", jobs, "--json"]
    command = [sys.executable, "-c", PROGRAM, "run", *arguments, "--out", "out"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert [each["ending"] for each in json.loads(run.stdout)["episodes"]] == ["year_end", "year_end"]
    assert run.stderr.count("a turn") == run.stderr.count("a program") == 6 and "imported" in run.stderr


def test_a_command_to_copy_quotes_a_folder_with_spaces(cli: Cli, small_world: Path) -> None:
    begun = ("run", "--agent", "idle", "--days", "2", "--world", str(small_world), "--out", "my runs/first")
    assert "ecbench show 'my runs/first' --ladder" in cli(*begun).text
    assert cli(*begun).err.endswith("or continue it: ecbench resume 'my runs/first'\n")
    events = Path("my runs/first/episodes/0/events.jsonl")
    events.write_bytes(events.read_bytes().replace(b'"turn"', b'"tern"', 1))
    assert "ecbench resume 'my runs/first' --salvage" in cli("resume", "my runs/first").err


@pytest.mark.parametrize("agent", ["my_merchant:MyMerchant", "my_merchant.py:MyMerchant"])
def test_a_merchant_of_ones_own_is_found_where_the_command_is_given(cli: Cli, small_world: Path, agent: str) -> None:
    Path("my_merchant.py").write_text((EXAMPLES / "my_merchant.py").read_text())
    sys.modules.pop("my_merchant", None)
    run = cli("run", "--agent", agent, "--days", "9", "--world", str(small_world), "--out", "out", "--json")
    assert run.json["episodes"][0]["ending"] == "year_end"


def test_agents_lists_the_merchants_one_line_each(cli: Cli) -> None:
    lines = cli("list", "agents").out.splitlines()
    facts = cli("list", "agents", "--json").json["agents"]
    assert all(any(line.startswith(f"{name} ") for line in lines) for name in merchant_names())
    assert [fact["name"] for fact in facts if fact["default"]] == ["steady"]
    assert [fact["name"] for fact in facts if fact["reads_hidden_state"]] == ["insider"]
