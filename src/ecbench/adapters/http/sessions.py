"""The years of a host: each an external session of one run folder, with a token, a lock and a rate limit."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol

from anyio import CapacityLimiter, to_thread

from ecbench.adapters.http.turn_request import is_large
from ecbench.adapters.instructions import config, detail, messages, result, tools
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import RequestRefused, malformed
from ecbench.adapters.session_keys import Keys
from ecbench.errors import RunError
from ecbench.gate import TurnRefused
from ecbench.players.turn import Record, Turn, shortened
from ecbench.runs.folder import Run, restate
from ecbench.runs.play.episodes import read_episode, recorded_end
from ecbench.runs.play.external_seats import GAVE_UP, ExternalSeat
from ecbench.runs.play.external_sessions import (
    Answered,
    ExternalSession,
    OpenSeat,
    TurnRequest,
    YearOver,
    YearSession,
)
from ecbench.world.model import World

HOST_YEAR = 0  # whose token opens further years
LONG_WORK_AT_ONCE = 2  # years that are replayed or finished; more would slow one another and the turns of the rest
LARGE_TURNS_AT_ONCE = 4

log = logging.getLogger(__name__)


class HostWork:
    """Limits on slow work of a host, which all its years share: opening, finishing and large turns."""

    def __init__(self, long: int) -> None:
        self.long = CapacityLimiter(long)
        self.large_turns = CapacityLimiter(LARGE_TURNS_AT_ONCE)
        self.sessions: list[ExternalSession] = []  # those that are idle are closed when another is opened


class HostedYear:
    """One agent's year, or its seat in one. Requests are carried out one after another; the first opens the session.

    At a seat, a turn is answered when it is complete, which needs the rivals: `waits`.
    """

    def __init__(
        self,
        run: Run,
        episode: int,
        world: World,
        rate: Rate,
        work: HostWork,
        external_seat: ExternalSeat | None = None,
    ) -> None:
        self.run = run
        self.episode = episode
        self.rate = rate
        self.over = recorded_end(run, episode) is not None
        self.result_read = False
        self.waits = external_seat is not None
        self._terms, self._seat = run.terms_of(episode), run.seat(episode)
        self._world = world
        self._lock = asyncio.Lock()
        self._work = work
        self._session = ExternalSession(
            partial(YearSession, run, episode, world) if external_seat is None else external_seat.opened, self._recorded
        )
        work.sessions.append(self._session)

    def describe(self) -> Record:
        """The job, the tools and the terms."""
        return {
            "messages": messages(self._terms, self._world, self._seat),
            "tools": tools(self._terms),
            "allow_parallel_tool_calls": True,
            "max_turns": self._terms.turn_limit(self._seat),
            "config": config(self._terms, self.episode),
        }

    async def open(self) -> None:
        """Begin the record, or replay it, before the first turn needs it."""
        async with self._used():
            pass

    async def act(self, request: TurnRequest) -> Record:
        """Run a turn once; the same request again gets the same answer."""
        async with self._used():
            try:
                return _answer(await self._take(request))
            except YearOver as over:
                raise RequestRefused(409, "the year is over; GET /v1/result has its result") from over
            except TurnRefused as refusal:
                raise malformed(f"{refusal}") from refusal

    async def finish(self) -> Record:
        async with self._used() as seat:
            if seat.end is None:
                await to_thread.run_sync(self._session.finish, limiter=self._work.long)
            return self._result(seat)

    async def result(self) -> Record:
        async with self._used() as seat:
            return self._result(seat)

    def close(self) -> None:
        self._session.close()

    async def _take(self, request: TurnRequest) -> Answered:
        """In a thread, since it waits for the disk. Few large turns at once: they hold up those of other years."""
        limiter = self._work.long if self.waits else self._work.large_turns if is_large(request) else None
        return await to_thread.run_sync(self._session.take, request, limiter=limiter)

    def _open(self) -> None:
        for each in self._work.sessions:
            each.close_if_idle()
        self._session.open()

    def _recorded(self, number: int) -> Turn:
        return read_episode(self.run, self.episode).turns_of(self._seat)[number - 1]

    def _result(self, seat: OpenSeat) -> Record:
        if seat.end is None:
            raise RequestRefused(409, "the year is not over yet; go on with it, or POST /v1/finish")
        self.result_read = True
        return result(self._terms, self._world, seat.end)

    @asynccontextmanager
    async def _used(self) -> AsyncIterator[OpenSeat]:
        """The open seat, for one request at a time. After a failure it is opened again from its record."""
        async with self._lock:
            try:
                if self._session.seat is None:
                    await to_thread.run_sync(self._open, limiter=self._work.long)
                assert self._session.seat is not None, "it has just been opened"
                yield self._session.seat
                self.over = self._session.seat.end is not None
            except RequestRefused:
                raise
            except Exception as problem:
                self.close()
                if not isinstance(problem, RunError):
                    raise
                log.error("year %d: %s", self.episode, problem)
                raise RequestRefused(
                    503, "the host cannot write the record of this year at the moment; send the request again"
                ) from problem


def _answer(answered: Answered) -> Record:
    turn, end = answered.turn, answered.end
    ended = end if end is not None and end.ending != GAVE_UP else None
    return {
        "tool_responses": [
            {"tool_call_id": call.get("id"), "content": shortened(outcome.text)}
            for call, outcome in zip(turn.calls, turn.outcomes, strict=True)
        ],
        "turn": answered.number,
        "done": ended is not None,
        "termination_reason": ended.ending if ended else None,
        "termination_detail": detail(ended) if ended else None,
    }


class HostedYears(Protocol):
    """Finds the year that a token opens, and adds further ones: for years alone, or for the seats of an arena."""

    def year_of(self, token: str, /) -> HostedYear: ...
    async def add(self, current: HostedYear, /) -> Record: ...


def checked(year: HostedYear | None, unknown: Rate) -> HostedYear:
    """The year that was found for a token. Raises RequestRefused where there is none, or its rate limit is reached."""
    if not (unknown if year is None else year.rate).allows():
        raise RequestRefused(429, "too many requests; slow down", Retry_After="1")
    if year is None:
        raise RequestRefused(401, "give the token of a year: Authorization: Bearer TOKEN", WWW_Authenticate="Bearer")
    return year


class Years:
    """All years of a host, by their tokens."""

    def __init__(
        self,
        run: Run,
        world: World,
        keys: Keys,
        *,
        most: int,
        requests_a_second: float,
        unknown_a_second: float = UNKNOWN_A_SECOND,
    ) -> None:
        self._run = run
        self._world = world
        self._keys = keys
        self._most = most
        self._requests_a_second = requests_a_second
        self._unknown = Rate(unknown_a_second)
        self._adding = asyncio.Lock()
        self._work = HostWork(LONG_WORK_AT_ONCE)
        self._hosted = [self._host(episode) for episode in range(run.episodes)]

    def year_of(self, token: str) -> HostedYear:
        """Raises RequestRefused for an unknown token, and for one that is used too often."""
        episode = self._keys.year_of(token)
        year = self._hosted[episode] if episode is not None and episode < len(self._hosted) else None
        return checked(year, self._unknown)

    async def add(self, current: HostedYear) -> Record:
        """One more year, and its token, which is shown this once."""
        if current.episode != HOST_YEAR:
            raise RequestRefused(403, "this token plays one year; the host's own token opens further ones")
        async with self._adding:
            if sum(not year.over for year in self._hosted) >= self._most:
                raise RequestRefused(
                    429, f"{self._most:,} years are open, and this host keeps no more; finish one first"
                )
            try:
                token, self._run = await to_thread.run_sync(self._extend)
            except RunError as problem:
                log.error("%s", problem)
                raise RequestRefused(
                    503, "the host cannot begin another year at the moment; send the request again"
                ) from problem
            year = self._host(self._run.episodes - 1)
            self._hosted.append(year)
            await year.open()
            return {"token": token, "run_index": year.episode}

    def close(self) -> None:
        for year in self._hosted:
            year.close()

    def _extend(self) -> tuple[str, Run]:
        """The key is issued first: if the host dies in between, the next year has that number and a new key."""
        key = self._keys.issue(self._run.episodes)
        return key, restate(self._run, episodes=self._run.episodes + 1)

    def _host(self, episode: int) -> HostedYear:
        rate = Rate(self._requests_a_second)
        return HostedYear(self._run, episode, self._world, rate, self._work)
