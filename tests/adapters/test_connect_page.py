"""What the page on connecting says is so."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from tests.cli.command import Command

from ecbench.adapters.http.app import document
from ecbench.errors import RunError
from ecbench.runs.play.agents import refuse_external

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "connect.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_its_requests_are_those_of_the_document() -> None:
    listed = set(re.findall(r"^\| `(GET|POST) (/\S+)` \|", PAGE, re.MULTILINE))
    served = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    assert listed == served - {("GET", "/openapi.json")}
    assert "`GET /openapi.json`" in PAGE


def test_its_configurations_can_be_read() -> None:
    assert [list(json.loads(block)["mcpServers"]) for block in blocks("json")] == [["ecbench"]]
    assert [list(tomllib.loads(block)["mcp_servers"]) for block in blocks("toml")] == [["ecbench"]]


def test_each_agent_of_five_frameworks_has_at_most_fifteen_lines_of_code() -> None:
    """`make integrations` runs them."""
    agents = blocks("python")
    assert len(agents) == 5
    for agent in agents:
        compile(agent, "connect.md", "exec")
        assert agent.startswith("# ") and len([line for line in agent.splitlines()[1:] if line.strip()]) <= 15


def test_its_extras_and_files_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = set(re.findall(r"the extra `(\w+)`", PAGE))
    assert named == {"serve", "mcp"}
    assert all(extras[name] for name in named)
    for file in re.findall(r"(?:examples|benchmarks)/\w+\.py", PAGE):
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize("command", ["http", "mcp"])
def test_its_options_are_those_of_the_commands(capsys: pytest.CaptureFixture[str], command: str) -> None:
    [shared] = re.findall(r"Both (?:commands )?take (.*?)\n\n", PAGE, re.DOTALL)
    told = Command(capsys, command, "--help").out
    for option in re.findall(r"--[a-z-]+", shared):
        assert option in told, option


@pytest.mark.parametrize("transport", ["http", "mcp", "inspect-tools"])
def test_every_foreign_transport_is_named_and_says_how_to_go_on(transport: str) -> None:
    assert f"`{transport}`" in PAGE
    with pytest.raises(RunError, match="continue it where it was begun"):
        refuse_external(transport)
