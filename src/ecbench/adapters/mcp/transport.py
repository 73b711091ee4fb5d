"""An MCP server as a process: on standard input and output, or on an address that requires a token."""

import socket
from collections.abc import Callable

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.bearer_tokens import bearer, digest, matches
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.server import serve

PATH = "/mcp"


def serve_stdio(server: Server[object]) -> None:
    """Serve until standard input is closed."""

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(run)


def serve_http(
    server: Server[object],
    listening: socket.socket,
    token: str,
    requests_a_second: float,
    on_ready: Callable[[], None],
) -> None:
    """Connections hold no state: the address stands for the year."""
    serve(http_app(server, listening.getsockname()[0], token, requests_a_second), listening, on_ready, lifespan=True)


def http_app(server: Server[object], address: str, token: str, requests_a_second: float) -> ASGIApp:
    return TokenGuard(seat_app(server, address), token, Rate(requests_a_second))


def seat_app(server: Server[object], address: str) -> Starlette:
    """The server of one year, without a check of tokens."""
    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        host=address,
    )


class TokenGuard:
    """Requires the token, and limits the rate of requests."""

    def __init__(self, app: ASGIApp, token: str, rate: Rate) -> None:
        self._app = app
        self._known = digest(token)
        self._rate = rate
        self._unknown = Rate(UNKNOWN_A_SECOND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refused := self._refusal(Headers(scope=scope))):
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        known = matches(bearer(headers.get("Authorization")), self._known)
        if not (self._rate if known else self._unknown).allows():
            return too_many()
        return None if known else unknown()


def too_many() -> JSONResponse:
    return _refused(429, "too many requests; slow down", {"Retry-After": "1"})


def unknown() -> JSONResponse:
    return _refused(401, "give the token: Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"})


def _refused(status: int, message: str, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse({"error": message}, status, {"Cache-Control": "no-store", **headers})
