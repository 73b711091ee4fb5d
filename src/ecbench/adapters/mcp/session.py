"""The year behind an MCP server: opened by the first call that needs it, so a client may look at the tools alone."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from anyio import Lock, to_thread

from ecbench.adapters.instructions import books, result
from ecbench.errors import RunError
from ecbench.players.turn import Record, shortened
from ecbench.runs.folder import Run
from ecbench.runs.play.external_sessions import Visit, YearSession
from ecbench.runs.terms import Terms
from ecbench.world.model import World

BeginRun = Callable[[], Run]


class Told(NamedTuple):
    """What came of a call: the reply, and the result of the year behind the call that ended it."""

    reply: str
    result: Record | None = None

    @property
    def failed(self) -> bool:
        return fault_of(self.reply) is not None

    @property
    def texts(self) -> list[str]:
        return [shortened(self.reply)] if self.result is None else [shortened(self.reply), _text(self.result)]


class SharedYear:
    """Calls run one after another, in the order in which they arrive: each is a turn of its own."""

    def __init__(self, terms: Terms, world: World, begin: BeginRun) -> None:
        self.terms = terms
        self.world = world
        self._begin = begin
        self._run: Run | None = None
        self._visit: Visit | None = None
        self._lock = Lock()

    async def call(self, name: str, arguments: Record) -> Told:
        try:
            async with self._opened() as visit:
                return await to_thread.run_sync(self._take, visit, {"name": name, "arguments": arguments})
        except RunError as problem:
            return Told(_text({"error": f"{problem}"}))

    async def finish(self) -> Told:
        try:
            async with self._opened() as visit:
                over = await to_thread.run_sync(visit.finish)
                return Told(_text(result(self.terms, self.world, over)))
        except RunError as problem:
            return Told(_text({"error": f"{problem}"}))

    async def books(self) -> Record:
        async with self._opened() as visit:
            return books(visit)

    async def result(self) -> Record:
        async with self._opened() as visit:
            if visit.result is None:
                return {"error": "the year is not over yet; go on with it, or call finish"}
            return result(self.terms, self.world, visit.result)

    def leave(self) -> None:
        if self._visit is not None:
            self._visit.leave()
            self._visit = None

    def _take(self, visit: Visit, call: Record) -> Told:
        if visit.result is not None and visit.result.end is not None:
            over = f"the year is over ({visit.result.end.ending}); no tool acts any more"
            return Told(_text({"error": over}), result(self.terms, self.world, visit.result))
        [reply] = visit.take([call])
        if visit.result is not None:
            return Told(reply, result(self.terms, self.world, visit.result))
        if visit.sync_due:
            visit.sync()
        return Told(reply)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Visit]:
        async with self._lock:
            try:
                if self._visit is None:
                    self._visit = await to_thread.run_sync(self._open)
                yield self._visit
            except Exception:  # it may be ahead of its record
                self.leave()
                raise

    def _open(self) -> Visit:
        self._run = self._run or self._begin()
        return YearSession(self._run, 0, self.world)


def _text(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False)
