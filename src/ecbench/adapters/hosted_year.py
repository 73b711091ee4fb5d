"""A year, or a seat in one, that a client of a server plays; hosts over HTTP and over MCP serve the same."""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from anyio import CapacityLimiter, Lock, to_thread

from ecbench.adapters.instructions import result
from ecbench.adapters.rate_limit import Rate
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.errors import RunError
from ecbench.players.turn import Record, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import STOPPED
from ecbench.runs.play.external_sessions import Answered, ExternalSession, OpenSeat, TurnRequest, YearSession
from ecbench.runs.record.lines import End
from ecbench.runs.terms import Terms
from ecbench.world.model import World

LONG_WORK_AT_ONCE = 2  # years that are replayed or finished; more would slow one another and the turns of the rest
LARGE_TURNS_AT_ONCE = 4
MOST_SMALL_CALLS = 4  # each may take 0.05 seconds
LARGEST_SMALL_BODY = 4 << 10  # bytes; a short message to many suppliers, or a long one to a few, takes 0.1 seconds

Used = TypeVar("Used")
log = logging.getLogger(__name__)


class HostWork:
    """Limits on slow work that all years of a host share; turns at the seats of an arena wait and do not count."""

    def __init__(self, long: int = LONG_WORK_AT_ONCE, *, waits: bool = False) -> None:
        self.long = CapacityLimiter(long)
        self.sessions: list[ExternalSession] = []  # those that are idle are closed when another is opened
        self._large_turns = CapacityLimiter(LARGE_TURNS_AT_ONCE)
        self._waits = waits

    def limiter_of(self, request: TurnRequest) -> CapacityLimiter | None:
        """Few large turns at once, which may take more than a tenth of a second: they hold up those of other years."""
        large = len(request.calls) > MOST_SMALL_CALLS or request.size > LARGEST_SMALL_BODY
        return self.long if self._waits else self._large_turns if large else None


class HostedYear:
    """One agent's year, or its seat in one. The first request opens the session.

    Requests are carried out one after another, in a thread, since they wait for the disk. After a RunError, which is
    logged, the year is opened again from its record.
    """

    def __init__(
        self,
        terms: Terms,
        world: World,
        open_seat: Callable[[], OpenSeat],
        rate: Rate,
        work: HostWork | None = None,
        *,
        episode: int = 0,
        seat: int = 0,
        recorded: Callable[[int], Turn] | None = None,
    ) -> None:
        self.terms, self.world, self.rate = terms, world, rate
        self.episode, self.seat = episode, seat
        self.over = False
        self.result_read = False
        self._work = work or HostWork()
        self._lock = Lock()
        self._session = ExternalSession(open_seat, recorded)
        self._work.sessions.append(self._session)

    async def open(self) -> None:
        """Begin the record, or replay it, before the first turn needs it."""
        await self._use(self._session.open)

    async def take(self, request: TurnRequest) -> Answered:
        """Run a turn once; the same request again gets the same answer. Raises TurnRefused."""
        return await self._use(self._session.take, request, limiter=self._work.limiter_of(request))

    async def finish(self) -> Record:
        """The result of the year, which ends now if it is not over."""
        return self._result_of(await self._use(self._session.finish, limiter=self._work.long))

    async def result(self) -> Record | None:
        """None while the year runs."""
        end = await self._use(self._end)
        return None if end is None else self._result_of(end)

    def close(self) -> None:
        self._session.close()

    async def _use(self, use: Callable[..., Used], *given: Any, limiter: CapacityLimiter | None = None) -> Used:
        async with self._lock:
            try:
                if self._session.seat is None:
                    await to_thread.run_sync(self._open, limiter=self._work.long)
                used = await to_thread.run_sync(use, *given, limiter=limiter)
            except RunError as problem:
                if f"{problem}" != STOPPED:
                    log.error("year %d: %s", self.episode, problem)
                raise
            self.over = self._session.seat is not None and self._session.seat.end is not None
            return used

    def _open(self) -> None:
        for each in self._work.sessions:
            each.close_if_idle()
        self._session.open()

    def _end(self) -> End | None:
        with self._session.used() as seat:
            return seat.end

    def _result_of(self, end: End) -> Record:
        self.result_read = True
        return result(self.terms, self.world, end)


def opens_year(begin: Callable[[], Run], world: World) -> Callable[[], OpenSeat]:
    """Opens the year of a run that begins with it."""
    begun = cache(begin)
    return lambda: YearSession(begun(), 0, world)


def admitted(year: HostedYear | None, unknown: Rate) -> HostedYear:
    """The year that was found for a token. Raises RequestRefused where there is none, or its rate limit is reached."""
    if not (unknown if year is None else year.rate).allows():
        raise RequestRefused(429, "too many requests; slow down", Retry_After="1")
    if year is None:
        raise RequestRefused(401, "give the token of a year: Authorization: Bearer TOKEN", WWW_Authenticate="Bearer")
    return year
