"""The year behind an MCP server. The first call that needs it opens it, so a client may list the tools without one."""

import json
import logging
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

from anyio import Lock, to_thread

from ecbench.adapters.instructions import books, result
from ecbench.errors import RunError
from ecbench.gate import TurnRefused, admit
from ecbench.players.turn import Record, shortened
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import STOPPED
from ecbench.runs.play.external_sessions import ExternalSession, OpenSeat, TurnRequest, YearOver, YearSession
from ecbench.runs.terms import Terms
from ecbench.world.model import World

log = logging.getLogger(__name__)

Used = TypeVar("Used")
OpenSession = Callable[[], OpenSeat]


class CallAnswer(NamedTuple):
    """The reply to a call, whether it failed, and the result of the year with the call that ended it."""

    reply: str
    failed: bool = False
    result: Record | None = None

    @property
    def texts(self) -> list[str]:
        return [shortened(self.reply)] if self.result is None else [shortened(self.reply), _text(self.result)]


def opens_year(begin: Callable[[], Run], world: World) -> OpenSession:
    """Opens the year of a run that begins with it."""
    begun = cache(begin)
    return lambda: YearSession(begun(), 0, world)


class McpYear:
    """One year for all connections. Calls run in the order in which they arrive: each is a turn."""

    def __init__(self, terms: Terms, world: World, open_session: OpenSession, seat: int = 0) -> None:
        self.terms = terms
        self.seat = seat
        self.world = world
        self._session = ExternalSession(open_session)
        self._lock = Lock()

    async def call(self, name: str, arguments: Any) -> CallAnswer:
        try:
            calls = admit([{"name": name, "arguments": arguments}])
            return await self._use(self._take, TurnRequest(calls))
        except YearOver as over:
            return CallAnswer(_text({"error": f"{over}"}), failed=True, result=await self.result())
        except RunError as problem:
            return _failed(unavailable(problem))
        except TurnRefused as problem:
            return _failed(problem)

    async def finish(self) -> CallAnswer:
        try:
            return CallAnswer(_text(result(self.terms, self.world, await self._use(self._session.finish))))
        except RunError as problem:
            return _failed(unavailable(problem))

    async def books(self) -> Record:
        return await self._use(self._books)

    async def result(self) -> Record:
        return await self._use(self._result)

    def close(self) -> None:
        self._session.close()

    async def _use(self, use: Callable[..., Used], *given: Any) -> Used:
        """In a thread, one after another: a thread that waits for its turn would be missing elsewhere."""
        async with self._lock:
            return await to_thread.run_sync(use, *given)

    def _take(self, request: TurnRequest) -> CallAnswer:
        answered = self._session.take(request)
        [outcome] = answered.turn.outcomes
        ended = result(self.terms, self.world, answered.end) if answered.end else None
        return CallAnswer(outcome.text, outcome.failed, ended)

    def _books(self) -> Record:
        with self._session.used() as seat:
            return books(seat)

    def _result(self) -> Record:
        with self._session.used() as seat:
            if seat.end is None:
                return {"error": "the year is not over yet; go on with it, or call finish"}
            return result(self.terms, self.world, seat.end)


def unavailable(problem: RunError) -> str:
    """What an agent is told of a record that cannot be opened or written; the log names the file."""
    if f"{problem}" == STOPPED:
        return STOPPED
    log.error("%s", problem)
    return "the record of this year cannot be written at the moment; make the call again"


def _failed(problem: Exception | str) -> CallAnswer:
    return CallAnswer(_text({"error": f"{problem}"}), failed=True)


def _text(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False)
