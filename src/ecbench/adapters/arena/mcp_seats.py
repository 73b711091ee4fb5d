"""Seats of an arena over MCP: one address, where the token selects the seat. Connections hold no state."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.arena.seat_tokens import SeatKey, SeatKeys
from ecbench.adapters.bearer_tokens import bearer
from ecbench.adapters.mcp.mcp_year import McpYear
from ecbench.adapters.mcp.server import mcp_server
from ecbench.adapters.mcp.transport import seat_app, too_many, unknown
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import ExternalSeats
from ecbench.world.model import World

DOOR = "mcp"


class McpSeats:
    """All seats of an arena that are played over MCP, in every episode, by their tokens."""

    def __init__(self, run: Run, keys: SeatKeys, places: ExternalSeats, address: str, requests_a_second: float) -> None:
        self._keys = keys
        self._unknown = Rate(UNKNOWN_A_SECOND)
        self._seats: dict[SeatKey, tuple[Starlette, Rate]] = {}
        for episode, world in run.on_their_worlds(range(run.episodes)):
            for entry in keys.entries(DOOR):
                server = mcp_server(_seat(run.of_entry(entry), episode, world, places))
                self._seats[SeatKey(episode, entry)] = seat_app(server, address), Rate(requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._admitted(bearer(Headers(scope=scope).get("Authorization")))
        await app(scope, receive, send)

    def _admitted(self, token: str) -> ASGIApp:
        key = self._keys.found(token, DOOR)
        app, rate = (unknown(), self._unknown) if key is None else self._seats[key]
        return app if rate.allows() else too_many()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for app, _ in self._seats.values():
                await running.enter_async_context(app.router.lifespan_context(app))
            yield


def _seat(run: Run, episode: int, world: World, places: ExternalSeats) -> McpYear:
    """The seat of the run's entry. A call is answered when its turn is complete, which needs the rivals."""
    seat = run.seat(episode)
    return McpYear(run.terms_of(episode), world, places[episode, seat].opened, seat)
