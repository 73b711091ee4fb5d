"""An MCP server as a process: on standard input and output, or on an address that requires a token."""

from collections.abc import Callable

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.hosted_year import HostedYear, admitted
from ecbench.adapters.mcp.server import YEAR, mcp_server, year_of_request
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import header
from ecbench.adapters.session_keys import bearer, digest, matches

PATH = "/mcp"


def serve_stdio(server: Server[object]) -> None:
    """Serve until standard input is closed."""

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(run)


def http_app(year_of: Callable[[str], HostedYear], address: str) -> ASGIApp:
    """Connections hold no state: the token of each request selects its year, or raises RequestRefused."""
    served = mcp_server(year_of_request).streamable_http_app(
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
