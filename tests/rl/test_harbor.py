"""The Harbor task: its scripts play and score a year of a real host, and its files fit together."""

import json
import math
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.adapters.hosting import Client, begin, hosted

from ecbench import load_world
from ecbench.runs.folder import Run

TASK = Path(__file__).parents[2] / "integrations" / "harbor" / "ecbench-year"
PATIENCE_SECONDS = 120


def run_script(script: str, client: Client, *arguments: str) -> None:
    place = {"ECBENCH_URL": client.url, "ECBENCH_TOKEN": client.token, "PATH": os.environ["PATH"]}
    subprocess.run(
        ["bash", str(TASK / script), *arguments], env=place, check=True, timeout=PATIENCE_SECONDS, capture_output=True
    )


@pytest.fixture
def year(tmp_path: Path) -> Run:
    return begin(tmp_path / "run", load_world("default"), days=20, max_turns=4_000)


def test_the_verifier_scores_a_year_that_was_played_to_its_end(year: Run, tmp_path: Path) -> None:
    with hosted(year, load_world("default")) as client:
        run_script("solution/solve.sh", client)
        result = client.ask("GET", "/v1/result").body
        assert result["termination_reason"] == "year_end"
        run_script("tests/test.sh", client, str(tmp_path / "logs"))
    scores = json.loads((tmp_path / "logs" / "reward.json").read_text())
    assert scores["final_assets"] == result["reward_meta"]["final_assets"] < 100_000
    assert scores["reward"] == pytest.approx(math.log(scores["final_assets"] / 100_000))
    assert float((tmp_path / "logs" / "reward.txt").read_text()) == scores["reward"]


def test_the_verifier_ends_a_year_that_its_agent_left(year: Run, tmp_path: Path) -> None:
    with hosted(year, load_world("default")) as client:
        client.act({"name": "check_balance", "arguments": {}})
        run_script("tests/test.sh", client, str(tmp_path / "logs"))
        assert client.act({"name": "check_balance", "arguments": {}}).status == 409
    scores = json.loads((tmp_path / "logs" / "reward.json").read_text())
    assert (scores["reward"], scores["multiple"], scores["tool_calls"]) == (0.0, 1.0, 1)


def test_the_task_states_its_limits_and_its_instruction_names_what_the_container_sets() -> None:
    task = tomllib.loads((TASK / "task.toml").read_text())
    assert {"metadata", "agent", "verifier", "environment"} <= task.keys()
    told, compose = (TASK / "instruction.md").read_text(), (TASK / "environment" / "docker-compose.yaml").read_text()
    for name in ("ECBENCH_URL", "ECBENCH_TOKEN"):
        assert name in told and f"{name}:" in compose
    assert "90 days" in told and "--days=90" in compose


def test_the_market_is_started_with_options_that_the_host_has() -> None:
    from ecbench.cli.commands import command_called

    known = {option for parameter in command_called("host").params for option in parameter.opts}
    lines = (TASK / "environment" / "docker-compose.yaml").read_text().splitlines()
    given = {line.strip().removeprefix("- ").partition("=")[0] for line in lines if line.strip().startswith("- --")}
    assert given == {"--bind", "--port", "--out", "--world", "--days"}
    assert given <= known
