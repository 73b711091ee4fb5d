"""What the page on connecting says is so."""

import re
from pathlib import Path

import pytest
from tests.cli.command import Command

from ecbench.adapters.http.app import document
from ecbench.errors import RunError
from ecbench.runs.play.agents import refuse_external

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "connect.md").read_text(encoding="utf-8")


def test_its_requests_are_those_of_the_document() -> None:
    listed = set(re.findall(r"^\| `(GET|POST) (/\S+)` \|", PAGE, re.MULTILINE))
    served = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    assert listed == served - {("GET", "/openapi.json")}
    assert "`GET /openapi.json`" in PAGE


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
