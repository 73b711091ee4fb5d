"""The Harbor task: its scripts play and score a year of a real MCP server, and its files fit together."""

import json
import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml  # type: ignore[import-untyped]
from mcp import Client, StdioServerParameters
from tests.adapters.hosting import begin, mcp_year, serving

from ecbench.adapters.mcp.server import http_app, only
from ecbench.world.load import load_world

TASK = Path(__file__).parents[2] / "integrations" / "harbor" / "ecbench-year"
COMPOSE = yaml.safe_load((TASK / "environment" / "docker-compose.yaml").read_text())
CONFIG = tomllib.loads((TASK / "task.toml").read_text())
PATIENCE_SECONDS = 120

Container = dict[str, str]


def run_script(container: Container, script: str, *arguments: Path) -> None:
    program = sys.executable if script.endswith(".py") else "bash"
    command = [program, str(TASK / script), *map(str, arguments)]
    subprocess.run(command, env=container, check=True, timeout=PATIENCE_SECONDS)


def score(container: Container, place: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the market wrote, and what the verifier made of it without its address."""
    result = place / "year.json"
    run_script(container, "environment/market/settle.py", result)
    run_script({"PATH": os.environ["PATH"]}, "tests/test.sh", result, place / "logs")
    scores = json.loads((place / "logs" / "reward.json").read_text())
    assert float((place / "logs" / "reward.txt").read_text()) == scores["reward"]
    return json.loads(result.read_text()), scores


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    """The variables of the agent's container, with a market that runs."""
    world = load_world("default")
    run = begin(tmp_path / "run", world, transport="mcp", days=20, max_turns=4_000)
    year = mcp_year(run, world)
    with serving(http_app(only(year, "a-token"), "127.0.0.1"), lifespan=True) as url:
        yield {"ECBENCH_URL": f"{url}/mcp", "ECBENCH_TOKEN": "a-token", "PATH": os.environ["PATH"]}
    year.close()


def test_the_verifier_scores_a_year_that_was_played_to_its_end(container: Container, tmp_path: Path) -> None:
    run_script(container, "solution/solve.sh")
    result, scores = score(container, tmp_path)
    assert result["termination_reason"] == "year_end"
    assert scores["final_assets"] == result["reward_meta"]["final_assets"] < 100_000
    assert scores["reward"] == pytest.approx(math.log(scores["final_assets"] / 100_000))


def test_an_agent_has_the_tools_through_the_command_and_the_market_ends_the_year_that_it_left(
    container: Container, tmp_path: Path
) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=[str(TASK / "environment" / "market_mcp.py")], env=container
    )

    async def look() -> int:
        async with Client(server) as client:
            await client.call_tool("check_balance", {})
            return len((await client.list_tools()).tools)

    assert anyio.run(look) == 19
    result, scores = score(container, tmp_path)
    assert result["termination_reason"] == "idle"
    assert (scores["reward"], scores["multiple"], scores["tool_calls"]) == (0.0, 1.0, 1)


def test_the_files_of_the_agent_name_the_market_alike() -> None:
    main, market = (COMPOSE["services"][name]["environment"] for name in ("main", "market"))
    instruction, command = (TASK / "instruction.md").read_text(), (TASK / "environment" / "market_mcp.py").read_text()
    assert main["ECBENCH_TOKEN"] == market["ECBENCH_TOKEN"]
    for name, value in main.items():
        assert f"${name}" in instruction and f'"{name}", "{value}"' in command
    [server] = CONFIG["environment"]["mcp_servers"]
    assert f"market_mcp.py {server['command']}" in (TASK / "environment" / "Dockerfile").read_text()
    assert f"`{server['name']}`" in instruction
    assert "90 days" in instruction and "--days=90" in COMPOSE["services"]["market"]["command"]


def test_the_market_has_this_version_and_is_started_with_options_that_it_has() -> None:
    from ecbench import __version__
    from ecbench.cli.program import command_called

    command, *options = COMPOSE["services"]["market"]["command"]
    assert f"]=={__version__}" in (TASK / "environment" / "market" / "Dockerfile").read_text()
    known = {option for parameter in command_called(command).params for option in parameter.opts}
    assert {option.partition("=")[0] for option in options} <= known
