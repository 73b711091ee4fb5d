"""A year over MCP: the tools and what stands beside them, one year for all connections, calls in their order."""

import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from examples.inspect_mcp import year_over_mcp
from inspect_ai import eval as eval_task
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from tests.adapters.hosting import Client as PlainClient
from tests.adapters.hosting import begin, external_terms, mcp_year, serving

from ecbench.adapters.hosted_year import HostedYear, opens_year
from ecbench.adapters.instructions import job
from ecbench.adapters.mcp.server import FINISH, http_app, mcp_server, only
from ecbench.adapters.rate_limit import Rate
from ecbench.harness.brief import FIRST_USER_MESSAGE, ONE_CALL_A_TURN
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.tools import tool_schemas
from ecbench.world.model import World

DAYS = 4
TOKEN = "a token"

Found = TypeVar("Found")
Use = Callable[[Client], Awaitable[Found]]


@pytest.fixture
def run(tmp_path: Path, small_world: Path, world: World) -> Run:
    return begin(tmp_path / "run", world, small_world, transport="mcp", days=DAYS)


@pytest.fixture
def year(run: Run, world: World) -> Iterator[HostedYear]:
    shared = mcp_year(run, world)
    yield shared
    shared.close()


def connected(year: HostedYear, use: Use[Found]) -> Found:
    """What comes of a connection to the year's server."""

    async def connect() -> Found:
        async with Client(mcp_server(lambda _: year)) as client:
            return await use(client)

    return anyio.run(connect)


async def texts(client: Client, name: str, **arguments: Any) -> list[str]:
    return [str(part.text) for part in (await client.call_tool(name, arguments)).content if part.type == "text"]


async def resource(client: Client, name: str) -> str:
    [content] = (await client.read_resource(f"ecbench://{name}")).contents
    return str(getattr(content, "text", ""))


def test_the_tools_are_ours_with_their_schemas_and_one_that_ends_the_year(year: HostedYear) -> None:
    listed = connected(year, lambda client: client.list_tools()).tools
    functions = [schema["function"] for schema in tool_schemas()]
    assert [tool.name for tool in listed] == [*(function["name"] for function in functions), FINISH.name]
    assert [tool.input_schema for tool in listed[:-1]] == [function["parameters"] for function in functions]
    assert [tool.description for tool in listed[:-1]] == [function["description"] for function in functions]


def test_looking_at_the_tools_and_the_job_begins_no_year(tmp_path: Path, world: World) -> None:
    def begin_it() -> Run:
        raise AssertionError("nothing was asked of the year")

    async def look(client: Client) -> None:
        await client.list_tools()
        [listed] = (await client.list_prompts()).prompts
        [message] = (await client.get_prompt(listed.name)).messages
        assert message.content.type == "text"
        assert message.content.text == f"{job(terms, world, ONE_CALL_A_TURN)}\n\n{FIRST_USER_MESSAGE}"
        assert await resource(client, "brief") == job(terms, world, ONE_CALL_A_TURN)

    terms = external_terms(world, "mcp", days=DAYS)
    connected(HostedYear(terms, world, opens_year(begin_it, world), Rate(1e6)), look)


def test_calls_that_are_sent_together_run_in_their_order(year: HostedYear) -> None:
    async def at_once(client: Client) -> dict[int, str]:
        times: dict[int, str] = {}

        async def note(number: int) -> None:
            [reply] = await texts(client, "operate_memory", action="add", title=f"{number}", content="x")
            times[number] = json.loads(reply)["current_time"]

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(note, number)
        return times

    times = connected(year, at_once)
    assert sorted(times, key=lambda number: times[number]) == list(range(12))
    assert len(set(times.values())) == 12


def test_the_call_that_ends_the_year_brings_the_result_and_later_ones_do_too(year: HostedYear, run: Run) -> None:
    async def to_the_end(client: Client) -> None:
        assert "not over yet" in await resource(client, "result")
        for _ in range(DAYS - 1):
            assert len(await texts(client, "wait_for_next_day")) == 1
        reply, result = await texts(client, "wait_for_next_day")
        assert json.loads(reply)["day"] == DAYS
        assert json.loads(result)["termination_reason"] == "year_end"
        late = await client.call_tool("check_balance", {})
        assert late.is_error
        assert await texts(client, "check_balance") == [
            '{"error": "the year is over (year_end); no tool acts any more"}',
            result,
        ]
        assert json.loads(await resource(client, "result")) == json.loads(result)
        assert await texts(client, "finish") == [result]

    connected(year, to_the_end)
    assert read_episode(run, 0).finished


def test_an_agent_that_finishes_ends_the_year_for_good(year: HostedYear, run: Run, world: World) -> None:
    [result] = connected(year, lambda client: texts(client, "finish"))
    assert json.loads(result)["termination_reason"] == "idle"
    again = mcp_year(open_run(run.folder), world)
    assert connected(again, lambda client: texts(client, "finish")) == [result]
    assert connected(again, lambda client: texts(client, "wait_for_next_day"))[1] == result


def test_a_refusal_is_marked_as_an_error_and_says_what_would_be_right(year: HostedYear) -> None:
    async def err(client: Client) -> None:
        for name, arguments in (("oracle", {}), ("withdraw", {"amount": "much"}), ("close_store", {"store_id": "x"})):
            answer = await client.call_tool(name, arguments)
            assert answer.is_error, name
        assert not (await client.call_tool("check_balance", {})).is_error

    connected(year, err)


UNAVAILABLE = "the record of this year cannot be written at the moment; make the call again"


def test_a_year_that_another_process_plays_is_refused(
    year: HostedYear, run: Run, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    connected(year, lambda client: texts(client, "check_balance"))
    second = mcp_year(run, world)
    [told] = connected(second, lambda client: texts(client, "check_balance"))
    assert json.loads(told)["error"] == UNAVAILABLE
    assert "is being written by another process" in caplog.text


def test_what_is_not_there_is_refused_by_name(year: HostedYear) -> None:
    for ask in (lambda c: c.get_prompt("song"), lambda c: c.read_resource("ecbench://floors")):
        with pytest.raises((MCPError, ExceptionGroup)):
            connected(year, ask)


def test_the_address_asks_for_the_token_and_keeps_nothing_of_a_connection(year: HostedYear) -> None:
    with serving(http_app(only(year, TOKEN), "127.0.0.1"), lifespan=True) as url:
        asked = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "check_balance", "arguments": {}},
        }
        accepts = {"Accept": "application/json, text/event-stream", "Content_Type": "application/json"}
        for token, status in (("wrong", 401), ("", 401), (TOKEN, 200), (TOKEN, 200)):
            client = PlainClient(url, token)
            answer = client.ask("POST", "/mcp", asked, **accepts)
            client.close()
            assert answer.status == status
            assert "mcp-session-id" not in answer.headers
        reply = json.loads(answer.body["result"]["content"][0]["text"])
        assert reply["current_time"].endswith("08:20")


def test_requests_with_a_wrong_token_do_not_slow_the_agent_down(year: HostedYear) -> None:
    with serving(http_app(only(year, TOKEN), "127.0.0.1"), lifespan=True) as url:
        unknown, agent = PlainClient(url, "wrong"), PlainClient(url, TOKEN)
        statuses = {unknown.ask("GET", "/mcp").status for _ in range(80)}
        assert statuses == {401, 429}
        assert agent.ask("POST", "/mcp", {}, Content_Type="application/json").status not in (401, 429)
        unknown.close()
        agent.close()


def test_the_example_plays_with_an_agent_of_inspect(small_world: Path, tmp_path: Path) -> None:
    made = 0

    def say(*_: object) -> ModelOutput:
        nonlocal made
        made += 1
        call = ToolCall(f"c{made}", "wait_for_next_day", {}) if made < 3 else ToolCall("end", "submit", {"answer": "x"})
        output = ModelOutput.from_message(ChatMessageAssistant(content="", tool_calls=[call]))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    program = tmp_path / "ecbench"
    program.write_text(f"#!{sys.executable}\nfrom ecbench.cli import main\nmain()\n")
    program.chmod(0o755)
    model = get_model("mockllm/model", custom_outputs=say)
    task = year_over_mcp(str(tmp_path / "out"), str(program), str(small_world), days=9)
    (log,) = eval_task(task, model=model, log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success"
    run = open_run(tmp_path / "out")
    assert (run.player.agent, len(read_episode(run, 0).turns)) == ("inspect-react", 2)


def test_it_speaks_on_standard_input_and_output(small_world: Path, tmp_path: Path) -> None:
    command = ["-m", "ecbench", "mcp", "--world", str(small_world), "--out", str(tmp_path / "out"), "--days", "3"]

    async def play() -> list[str]:
        async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
            return [(await texts(client, "wait_for_next_day"))[0] for _ in range(3)]

    assert [json.loads(reply)["day"] for reply in anyio.run(play)] == [1, 2, 3]
    run = open_run(tmp_path / "out")
    assert (run.player.transport, run.terms.max_turns, read_episode(run, 0).finished) == ("mcp", 40_000, True)
