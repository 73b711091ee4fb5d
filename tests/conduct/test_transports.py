"""Every transport offers the tools of its rule set: the two statements exist under `conduct` alone."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from inspect_ai.tool import ToolDef
from mcp import Client
from tests.adapters.hosting import begin, hosted, mcp_year

from ecbench.adapters.hosted_year import HostedYear
from ecbench.adapters.inspect.sample_year import SampleYear, YearTerms
from ecbench.adapters.inspect.tools import year_tools
from ecbench.adapters.mcp.server import FINISH, mcp_server
from ecbench.rl import Setting, YearEnvironment
from ecbench.tools.catalog import TOOL_BY_NAME
from ecbench.world.load import load_world

STATEMENTS = ["report_shortage", "write_to_owner"]


def over_http(rules: str, place: Path, source: Path) -> list[str]:
    world = load_world(source)
    with hosted(begin(place / "run", world, source, rule_set=rules)) as client:
        return [tool["function"]["name"] for tool in client.ask("GET", "/v1/session").body["tools"]]


def over_mcp(rules: str, place: Path, source: Path) -> list[str]:
    world = load_world(source)
    run = begin(place / "run", world, source, transport="mcp", rule_set=rules)

    async def listed(shared: HostedYear) -> list[str]:
        async with Client(mcp_server(lambda _: shared)) as client:
            return [tool.name for tool in (await client.list_tools()).tools if tool.name != FINISH.name]

    with closing(mcp_year(run, world)) as shared:
        return anyio.run(listed, shared)


def over_inspect(rules: str, place: Path, source: Path) -> list[str]:
    terms = YearTerms(str(source), 6, 100_000.0, 4_000, rule_set=rules)
    sample = SampleYear(terms, "agent", place / "sample")
    return [ToolDef(tool).name for tool in year_tools(sample)]


def in_rl(rules: str, _place: Path, source: Path) -> list[str]:
    with closing(YearEnvironment(Setting(str(source), 6, rules=rules))) as environment:
        return [tool["function"]["name"] for tool in environment.reset().tools]


@pytest.mark.parametrize("listed", [over_http, over_mcp, over_inspect, in_rl])
@pytest.mark.parametrize(("rules", "more"), [("paper", []), ("fair-2", []), ("conduct", STATEMENTS)])
def test_two_more_tools_are_listed_under_conduct_alone(
    listed: Callable[[str, Path, Path], list[str]], rules: str, more: list[str], tmp_path: Path, small_world: Path
) -> None:
    assert listed(rules, tmp_path, small_world) == [*TOOL_BY_NAME, *more]
