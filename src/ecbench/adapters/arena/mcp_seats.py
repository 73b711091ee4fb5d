"""Seats of an arena over MCP: one address, where a token says which seat is meant. Nothing is kept per connection."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.arena.seat_tokens import SeatKey, SeatKeys
from ecbench.adapters.bearer_tokens import bearer
from ecbench.adapters.mcp.server import mcp_server
from ecbench.adapters.mcp.session import SharedYear
from ecbench.adapters.mcp.transport import seat_app, too_many, unknown
from ecbench.adapters.rate_limit import STRANGERS_A_SECOND, Rate
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import OpenSeat, OpenSeats, VisitedSeat
from ecbench.runs.folder import open_run
from ecbench.runs.play.external_sessions import Visit
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world
from ecbench.world.model import World

DOOR = "mcp"


class SharedSeat(SharedYear):
    """One seat of one round. A call is answered when its turn is over, which needs the rivals."""

    def __init__(self, terms: Terms, world: World, folder: Path, place: OpenSeat) -> None:
        super().__init__(terms, world, lambda: open_run(folder))
        self._folder = folder
        self._place = place

    def _open(self) -> Visit:
        return VisitedSeat(self._folder, self._place)


class McpSeats:
    """All seats of an arena that come in over MCP, in every round, behind their tokens."""

    def __init__(
        self, arena: ArenaRun, keys: SeatKeys, places: OpenSeats, address: str, requests_a_second: float
    ) -> None:
        self._keys = keys
        self._strangers = Rate(STRANGERS_A_SECOND)
        self._seats: dict[SeatKey, tuple[Starlette, Rate]] = {}
        for number in range(arena.terms.rounds):
            world = load_world(arena.terms.world_of(number))
            for entry in keys.entries(DOOR):
                seat = arena.terms.seat_of(number, entry)
                terms, folder = arena.seat_terms(number, seat, world), arena.seat_folder(number, seat)
                server = mcp_server(SharedSeat(terms, world, folder, places[number, seat]))
                self._seats[SeatKey(number, entry)] = seat_app(server, address), Rate(requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._admitted(bearer(Headers(scope=scope).get("Authorization")))
        await app(scope, receive, send)

    def _admitted(self, token: str) -> ASGIApp:
        key = self._keys.found(token, DOOR)
        app, rate = (unknown(), self._strangers) if key is None else self._seats[key]
        return app if rate.allows() else too_many()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for app, _ in self._seats.values():
                await running.enter_async_context(app.router.lifespan_context(app))
            yield
