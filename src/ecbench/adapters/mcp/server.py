"""The MCP server: the tools and `finish`, the job as a prompt, job and result as resources."""

import json
from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench import __version__
from ecbench.adapters.hosted_year import HostedYear, admitted
from ecbench.adapters.instructions import job, result
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import header
from ecbench.adapters.session_keys import bearer, digest, matches
from ecbench.errors import RunError
from ecbench.gate import TurnRefused, admit
from ecbench.harness.brief import FIRST_USER_MESSAGE, ONE_CALL_A_TURN
from ecbench.players.turn import Record, shortened
from ecbench.runs.play.external_seats import STOPPED
from ecbench.runs.play.external_sessions import TurnRequest, YearOver
from ecbench.runs.terms import rules_of
from ecbench.tools import tool_schemas

NAME = "ecbench"
PATH = "/mcp"
SCHEME = "ecbench://"  # of resources
BRIEF = "brief"
YEAR = "ecbench.year"  # in the scope of a request over HTTP
FINISH = types.Tool(
    name="finish",
    description="End the year now, for good, and settle it as it stands. Only to stop trading early: a year ends "
    "by itself after its last day. Returns the result.",
    input_schema={"type": "object", "properties": {}},
)
INSTRUCTIONS = (
    "You run an online business for a simulated year, with these tools alone. Read the job first: the prompt `brief`, "
    "or the resource ecbench://brief. Nothing happens unless you call a tool; wait_for_next_day ends a day. Go on "
    "until a reply says that the year is over."
)
RESOURCES = {
    BRIEF: ("The job, as an agent should know it before its first call.", "text/markdown"),
    "result": ("How the year ended, once it is over.", "application/json"),
}
NOT_OVER = {"error": "the year is not over yet; go on with it, or call finish"}

YearOf = Callable[[Any], HostedYear]
"""The year that the context of a request is about."""


def mcp_server(year_of: YearOf) -> Server[Any]:
    """Each call is a turn. The first that needs the year opens it, so a client may list the tools without one."""

    async def list_tools(context: Any, _: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[*map(_tool, tool_schemas(rules_of(year_of(context).terms))), FINISH])

    async def on_call(context: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
        return await call_tool(year_of(context), request.name, request.arguments)

    async def list_prompts(*_: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=BRIEF, description="The job, and the word to begin.")]
        )

    async def get_prompt(context: Any, request: types.GetPromptRequestParams) -> types.GetPromptResult:
        if request.name != BRIEF:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {request.name[:60]!r}; there is {BRIEF}")
        whole = _text(f"{_job(year_of(context))}\n\n{FIRST_USER_MESSAGE}")
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=whole)])

    async def list_resources(*_: object) -> types.ListResourcesResult:
        listed = [
            types.Resource(name=name, uri=SCHEME + name, description=description, mime_type=kind)
            for name, (description, kind) in RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=listed)

    async def read_resource(context: Any, request: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(request.uri)
        name = uri.removeprefix(SCHEME)
        if name not in RESOURCES:
            raise MCPError(types.INVALID_PARAMS, f"there is no such resource; there are {', '.join(RESOURCES)}")
        try:
            year = year_of(context)
            text = _job(year) if name == BRIEF else _json(await year.result() or NOT_OVER)
        except RunError as problem:
            raise MCPError(types.INTERNAL_ERROR, unavailable(problem)) from problem
        content = types.TextResourceContents(uri=uri, mime_type=RESOURCES[name][1], text=text)
        return types.ReadResourceResult(contents=[content])

    return Server(
        NAME,
        version=__version__,
        title="E-Commerce Bench",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=on_call,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def serve_stdio(server: Server[Any]) -> None:
    """Serve until standard input is closed."""

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(run)


def http_app(year_of: Callable[[str], HostedYear], address: str) -> ASGIApp:
    """Connections hold no state: the token of each request selects its year, or raises RequestRefused."""
    served = mcp_server(lambda context: context.request.scope[YEAR]).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        host=address,
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope[YEAR] = year_of(bearer(header(scope, b"authorization")))
        await served(scope, receive, send)

    return app


def only(year: HostedYear, token: str) -> Callable[[str], HostedYear]:
    """This one year, for this token."""
    known, unknown = digest(token), Rate(UNKNOWN_A_SECOND)
    return lambda given: admitted(year if matches(given, known) else None, unknown)


def unavailable(problem: RunError) -> str:
    """What an agent is told of a record that cannot be opened or written; the log names the file."""
    if f"{problem}" == STOPPED:
        return STOPPED
    return "the record of this year cannot be written at the moment; make the call again"


async def call_tool(year: HostedYear, name: str, arguments: Any) -> types.CallToolResult:
    """The reply to a call, and behind the call that ended the year the result."""
    try:
        if name == FINISH.name:
            return _called(_json(await year.finish()))
        answered = await year.take(TurnRequest(admit([{"name": name, "arguments": arguments}])))
    except YearOver as over:
        return _called(_json({"error": f"{over}"}), _json(await year.result() or NOT_OVER), failed=True)
    except RunError as problem:
        return _called(_json({"error": unavailable(problem)}), failed=True)
    except TurnRefused as problem:
        return _called(_json({"error": f"{problem}"}), failed=True)
    [outcome] = answered.turn.outcomes
    ended = [_json(result(year.terms, year.world, answered.end))] if answered.end else []
    return _called(shortened(outcome.text), *ended, failed=outcome.failed)


def _called(*texts: str, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(text) for text in texts], is_error=failed)


def _job(year: HostedYear) -> str:
    return job(year.terms, year.world, ONE_CALL_A_TURN, year.seat)


def _tool(schema: Record) -> types.Tool:
    function = schema["function"]
    return types.Tool(name=function["name"], description=function["description"], input_schema=function["parameters"])


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _json(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False)
