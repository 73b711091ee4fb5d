"""The address of an arena: HTTP and MCP, distinguished by their paths, and pages for persons."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from anyio import to_thread
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.http.app import HEALTH

THREADS = 1_000  # each seat that waits for its rivals holds one
HOST_PATHS = ("/v1/", "/openapi.json", HEALTH)
MCP_PATH = "/mcp"


class RunningApp(Protocol):
    """An app with a context that is open while it is served."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...
    def running(self) -> AbstractAsyncContextManager[None]: ...


def arena_app(http: ASGIApp, mcp: RunningApp | None = None, pages: ASGIApp | None = None) -> ASGIApp:
    @asynccontextmanager
    async def serving(_: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        if mcp is None:
            yield
        else:
            async with mcp.running():
                yield

    life = Starlette(lifespan=serving)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await life(scope, receive, send)
            return
        path: str = scope["path"]
        chosen: ASGIApp = http if pages is None or path.startswith(HOST_PATHS) else pages
        if mcp is not None and path == MCP_PATH:
            chosen = mcp
        await chosen(scope, receive, send)

    return app
