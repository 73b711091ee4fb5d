"""The years of a run that clients play, by their tokens: each alone in its market, or the seats of an arena."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

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
from ecbench.runs.folder import Run, restate
from ecbench.runs.play.episodes import read_episode, recorded_end
from ecbench.runs.play.external_seats import ExternalSeat, ExternalSeats
from ecbench.runs.play.external_sessions import YearSession

WAITING_AT_ONCE = 1_000  # seats that wait for their rivals; each holds a thread
HOST_PATHS = ("/v1/", "/openapi.json", HEALTH)
MCP_PATH = "/mcp"

log = logging.getLogger(__name__)


class SeatKey(NamedTuple):
    """One entry of a run in one of its episodes. Entries keep their number, while their seats move on."""

    episode: int
    entry: int = 0


HOST_YEAR = SeatKey(0)  # whose token opens further years


class HostedRun:
    """The years of a run by their tokens. `external` are the seats of an arena, which has all its episodes already.

    Any other run has a further episode for each year that its first token opens, while fewer than `most` are open.
    """

    def __init__(
        self,
        run: Run,
        keys: Keys,
        requests_a_second: float,
        external: ExternalSeats | None = None,
        *,
        most: int = 1,
        unknown_a_second: float = UNKNOWN_A_SECOND,
    ) -> None:
        self._run = run
        self._keys = keys
        self._requests_a_second = requests_a_second
        self._external = external
        self._most = most
        self._unknown = Rate(unknown_a_second)
        self._work = HostWork() if external is None else HostWork(WAITING_AT_ONCE, waits=True)
        self._adding = asyncio.Lock()
        self._hosted: dict[SeatKey, HostedYear] = {}
        for episode in range(run.episodes if external is None else 0):
            self._year(SeatKey(episode))

    def entries(self, transport: str) -> list[int]:
        """The entries of a transport, in their order."""
        return [entry for entry, seat in enumerate(self._run.terms.seats) if seat.transport == transport]

    def over(self, transport: str) -> Callable[[str], HostedYear]:
        """Finds the year of a token. It raises RequestRefused for an unknown one, and if it is used too often."""
        return partial(self._year_of, transport)

    def issue(self, key: SeatKey) -> str:
        """A new token. Its hash is on the disk before the token is returned."""
        return self._keys.issue(self._number(key))

    def accept(self, token: str, key: SeatKey) -> None:
        """A token that the user chose, for as long as this server runs."""
        self._keys.accept(token, self._number(key))

    async def add(self, current: HostedYear) -> Record:
        """One more year for the client of this one, and its token, which is shown this once."""
        try:
            if self._external is None:
                async with self._adding:
                    self._refuse_further_year(current)
                    token, key = await to_thread.run_sync(self._extend, limiter=self._work.long)
                    await self._year(key).open()
            else:
                key = self._next_key(current)
                await self._year(key).open()  # waits for the end of this episode, while its other seats are answered
                async with self._adding:
                    token = await to_thread.run_sync(self.issue, key, limiter=self._work.long)
        except RunError as problem:
            log.error("%s", problem)
            message = "the host cannot begin another year at the moment; send the request again"
            raise RequestRefused(503, message) from problem
        return {"token": token, "run_index": key.episode}

    def all_read(self) -> bool:
        """Whether every agent over HTTP has read the result of its last year."""
        keys = [SeatKey(self._run.episodes - 1, entry) for entry in self.entries("http")]
        return all(key in self._hosted and self._hosted[key].result_read for key in keys)

    def close(self) -> None:
        for year in self._hosted.values():
            year.close()

    def _refuse_further_year(self, current: HostedYear) -> None:
        if current.episode != HOST_YEAR.episode:
            raise RequestRefused(403, "this token plays one year; the host's own token opens further ones")
        if sum(not year.over for year in self._hosted.values()) >= self._most:
            raise RequestRefused(429, f"{self._most:,} years are open, and this host keeps no more; finish one first")

    def _extend(self) -> tuple[str, SeatKey]:
        """The key is issued first: if the host dies in between, the next year has that number and a new key."""
        key = SeatKey(self._run.episodes)
        token = self.issue(key)
        self._run = restate(self._run, episodes=self._run.episodes + 1)
        return token, key

    def _next_key(self, current: HostedYear) -> SeatKey:
        """The same entry in the next episode."""
        key = next(SeatKey(key.episode + 1, key.entry) for key, year in self._hosted.items() if year is current)
        if key.episode >= self._run.episodes:
            raise RequestRefused(409, f"the arena has no episode after this one, which is number {current.episode}")
        if not current.over:
            raise RequestRefused(409, "the year is not over yet; go on with it, or POST /v1/finish")
        return key

    def _year_of(self, transport: str, token: str) -> HostedYear:
        number = self._keys.year_of(token)
        key = None if number is None else SeatKey(*divmod(number, self._run.seats))
        known = key is not None and key.episode < self._run.episodes and key.entry in self.entries(transport)
        return admitted(self._year(key) if key and known else None, self._unknown)

    def _year(self, key: SeatKey) -> HostedYear:
        if key not in self._hosted:
            run, episode, external = self._run.of_entry(key.entry), key.episode, self._seat(key)
            world, seat = run.load_world(episode), run.seat(episode)
            self._hosted[key] = HostedYear(
                run.terms_of(episode),
                world,
                external.opened if external else partial(YearSession, run, episode, world),
                Rate(self._requests_a_second),
                self._work,
                episode=episode,
                seat=seat,
                recorded=lambda number: read_episode(run, episode).turns_of(seat)[number - 1],
            )
            self._hosted[key].over = recorded_end(run, episode) is not None
        return self._hosted[key]

    def _seat(self, key: SeatKey) -> ExternalSeat | None:
        if self._external is None:
            return None
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
        path, chosen = scope["path"], http
        if mcp is not None and path == MCP_PATH:
            chosen = mcp
        elif pages is not None and not path.startswith(HOST_PATHS):
            chosen = pages
        await chosen(scope, receive, send)

    return app
