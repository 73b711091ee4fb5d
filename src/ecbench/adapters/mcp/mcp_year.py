"""The year behind an MCP server. The first call that needs it opens it, so a client may list the tools without one."""

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, NamedTuple

from anyio import Lock, to_thread

from ecbench.adapters.instructions import books, result
from ecbench.errors import RunError
from ecbench.gate import TurnRefused, admit
from ecbench.players.turn import Record, shortened
from ecbench.runs.folder import Run
from ecbench.runs.play.external_sessions import ExternalSession, YearSession
from ecbench.runs.terms import Terms
from ecbench.world.model import World

log = logging.getLogger(__name__)

OpenSession = Callable[[], ExternalSession]


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
        self._open_session = open_session
        self._session: ExternalSession | None = None
        self._lock = Lock()

    async def call(self, name: str, arguments: Any) -> CallAnswer:
        try:
            calls = admit([{"name": name, "arguments": arguments}])
            async with self._opened() as session:
                return await to_thread.run_sync(self._take, session, calls)
        except RunError as problem:
            return _failed(unavailable(problem))
        except TurnRefused as problem:
            return _failed(problem)

    async def finish(self) -> CallAnswer:
        try:
            async with self._opened() as session:
                end = await to_thread.run_sync(session.finish)
                return CallAnswer(_text(result(self.terms, self.world, end)))
        except RunError as problem:
            return _failed(unavailable(problem))

    async def books(self) -> Record:
        async with self._opened() as session:
            return books(session)

    async def result(self) -> Record:
        async with self._opened() as session:
            if session.end is None:
                return {"error": "the year is not over yet; go on with it, or call finish"}
            return result(self.terms, self.world, session.end)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def _take(self, session: ExternalSession, calls: list[Record]) -> CallAnswer:
        if session.end is not None:
            over = f"the year is over ({session.end.ending}); no tool acts any more"
            return CallAnswer(_text({"error": over}), failed=True, result=result(self.terms, self.world, session.end))
        [outcome] = session.take(calls)
        if session.end is not None:
            return CallAnswer(outcome.text, outcome.failed, result(self.terms, self.world, session.end))
        if session.sync_due:
            session.sync()
        return CallAnswer(outcome.text, outcome.failed)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[ExternalSession]:
        """The session, for one request at a time. After a failure it may be ahead of its record: it is closed."""
        async with self._lock:
            try:
                if self._session is None:
                    self._session = await to_thread.run_sync(self._open_session)
                yield self._session
            except Exception:
                self.close()
                raise


def unavailable(problem: RunError) -> str:
    """What an agent is told of a record that cannot be opened or written; the log names the file."""
    log.error("%s", problem)
    return "the record of this year cannot be written at the moment; make the call again"


def _failed(problem: Exception | str) -> CallAnswer:
    return CallAnswer(_text({"error": f"{problem}"}), failed=True)


def _text(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False)
