"""The MCP server: the tools and `finish`; the job as a prompt; job, rules, books and result as resources."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from ecbench import __version__
from ecbench.adapters.instructions import job, public_rules, tools
from ecbench.adapters.mcp.mcp_year import McpYear, unavailable
from ecbench.errors import RunError
from ecbench.harness.brief import FIRST_USER_MESSAGE, ONE_CALL_A_TURN
from ecbench.players.turn import Record

NAME = "ecbench"
BRIEF = "brief"
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

Read = Callable[[], Awaitable[str]]


class Resource:
    """A text that a client can read by its address."""

    def __init__(self, name: str, description: str, kind: str, read: Read) -> None:
        self.uri = f"ecbench://{name}"
        self.kind = kind
        self.read = read
        self.listed = types.Resource(name=name, uri=self.uri, description=description, mime_type=kind)


def mcp_server(year: McpYear) -> Server[Any]:
    resources = {resource.uri: resource for resource in _resources(year)}
    offered = [_tool(schema) for schema in tools(year.terms)]

    async def list_tools(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[*offered, FINISH])

    async def call_tool(_: object, request: types.CallToolRequestParams) -> types.CallToolResult:
        ending = request.name == FINISH.name
        answer = await (year.finish() if ending else year.call(request.name, request.arguments))
        return types.CallToolResult(content=[_text(text) for text in answer.texts], is_error=answer.failed)

    async def list_prompts(*_: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=BRIEF, description="The job, and the word to begin.")]
        )

    async def get_prompt(_: object, request: types.GetPromptRequestParams) -> types.GetPromptResult:
        if request.name != BRIEF:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {request.name[:60]!r}; there is {BRIEF}")
        whole = _text(f"{job(year.terms, year.world, ONE_CALL_A_TURN, year.seat)}\n\n{FIRST_USER_MESSAGE}")
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=whole)])

    async def list_resources(*_: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[resource.listed for resource in resources.values()])

    async def read_resource(_: object, request: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        found = resources.get(str(request.uri))
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no such resource; there are {', '.join(resources)}")
        try:
            text = await found.read()
        except RunError as problem:
            raise MCPError(types.INTERNAL_ERROR, unavailable(problem)) from problem
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=found.uri, mime_type=found.kind, text=text)]
        )

    return Server(
        NAME,
        version=__version__,
        title="E-Commerce Bench",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _resources(year: McpYear) -> list[Resource]:
    async def brief() -> str:
        return job(year.terms, year.world, ONE_CALL_A_TURN, year.seat)

    async def rules() -> str:
        return _json(public_rules(year.terms, year.seat))

    async def books() -> str:
        return _json(await year.books())

    async def result() -> str:
        return _json(await year.result())

    return [
        Resource(BRIEF, "The job, as an agent should know it before its first call.", "text/markdown", brief),
        Resource("rules", "The figures that the brief and the tools state.", "application/json", rules),
        Resource("books", "Where the business stands now.", "application/json", books),
        Resource("result", "How the year ended, once it is over.", "application/json", result),
    ]


def _tool(schema: Record) -> types.Tool:
    function = schema["function"]
    return types.Tool(name=function["name"], description=function["description"], input_schema=function["parameters"])


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _json(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, indent=2)
