"""The seats of an arena that external agents play: over HTTP and MCP, on one address, with a token each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from ecbench.adapters.hosted_year import HostedYear, HostWork, admitted
from ecbench.adapters.http.app import HEALTH
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.adapters.session_keys import Keys
from ecbench.errors import RunError
from ecbench.players.turn import Record
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import ExternalSeat, ExternalSeats

WAITING_AT_ONCE = 1_000  # seats that wait for their rivals; each holds a thread
HOST_PATHS = ("/v1/", "/openapi.json", HEALTH)
MCP_PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class SeatKey:
    """One entry of an arena in one of its episodes. Entries keep their number, while their seats move on."""

    episode: int
    entry: int


class ArenaSeats:
    """The seats of an arena by their tokens; each transport accepts those of its own entries alone."""

    def __init__(self, run: Run, keys: Keys, external: ExternalSeats, requests_a_second: float) -> None:
        self._run = run
        self._keys = keys
        self._external = external
        self._requests_a_second = requests_a_second
        self._unknown = {transport: Rate(UNKNOWN_A_SECOND) for transport in ("http", "mcp")}
        self._work = HostWork(WAITING_AT_ONCE, waits=True)
        self._hosted: dict[SeatKey, HostedYear] = {}

    def entries(self, transport: str) -> list[int]:
        """The entries of a transport, in their order."""
        return [entry for entry, seat in enumerate(self._run.terms.seats) if seat.transport == transport]

    def over(self, transport: str) -> Callable[[str], HostedYear]:
        """Finds the seat of a token. It raises RequestRefused for an unknown one, and if it is used too often."""
        return partial(self._seat_of, transport)

    def issue(self, key: SeatKey) -> str:
        """A new token. Its hash is on the disk before the token is returned."""
        return self._keys.issue(self._number(key))

    def accept(self, token: str, key: SeatKey) -> None:
        """A token that the user chose, for as long as this server runs."""
        self._keys.accept(token, self._number(key))

    async def add(self, current: HostedYear) -> Record:
        """The seat of the same entry in the next episode, once that has begun, and its token."""
        entry = next(key.entry for key, year in self._hosted.items() if year is current)
        key = SeatKey(current.episode + 1, entry)
        if key.episode >= self._run.episodes:
            raise RequestRefused(409, f"the arena has no episode after this one, which is number {current.episode}")
        if not current.over:
            raise RequestRefused(409, "the year is not over yet; go on with it, or POST /v1/finish")
        try:
            await to_thread.run_sync(self._place(key).opened, limiter=self._work.long)
            token = await to_thread.run_sync(self.issue, key)
        except RunError as problem:
            raise RequestRefused(503, f"{problem}; send the request again") from problem
        return {"token": token, "run_index": key.episode}

    def all_read(self) -> bool:
        """Whether every agent over HTTP has read the result of its last year."""
        last = self._run.episodes - 1
        seats = [self._hosted.get(SeatKey(last, entry)) for entry in self.entries("http")]
        return all(seat is not None and seat.result_read for seat in seats)

    def _seat_of(self, transport: str, token: str) -> HostedYear:
        number = self._keys.year_of(token)
        key = None if number is None else SeatKey(*divmod(number, self._run.seats))
        known = key is not None and key.episode < self._run.episodes and key.entry in self.entries(transport)
        return admitted(self._seat(key) if key and known else None, self._unknown[transport])

    def _seat(self, key: SeatKey) -> HostedYear:
        if key not in self._hosted:
            run, world = self._run.of_entry(key.entry), self._run.load_world(key.episode)
            rate, place = Rate(self._requests_a_second), self._place(key)
            self._hosted[key] = HostedYear.of_run(run, key.episode, world, rate, self._work, place)
        return self._hosted[key]

    def _place(self, key: SeatKey) -> ExternalSeat:
        return self._external[key.episode][self._run.of_entry(key.entry).seat(key.episode)]

    def _number(self, key: SeatKey) -> int:
        return key.episode * self._run.seats + key.entry


def arena_app(http: ASGIApp, mcp: ASGIApp | None = None, pages: ASGIApp | None = None) -> ASGIApp:
    """The address of an arena: HTTP and MCP, distinguished by their paths, and pages for people."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            to_thread.current_default_thread_limiter().total_tokens = WAITING_AT_ONCE  # of people on the pages
            await (mcp or Starlette())(scope, receive, send)
            return
        path: str = scope["path"]
        chosen = http if pages is None or path.startswith(HOST_PATHS) else pages
        if mcp is not None and path == MCP_PATH:
            chosen = mcp
        await chosen(scope, receive, send)

    return app
