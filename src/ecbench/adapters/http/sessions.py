"""The years of a host: each a recorded seat of one run folder, with a token, a lock and a rate of its own."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from anyio import CapacityLimiter, to_thread

from ecbench.adapters.http.errors import RequestRefusal, malformed
from ecbench.adapters.http.turn_request import KEY, AskedTurn
from ecbench.adapters.instructions import config, detail, messages, result, tools
from ecbench.adapters.rate_limit import STRANGERS_A_SECOND, Rate
from ecbench.adapters.session_keys import Keys
from ecbench.errors import RunError
from ecbench.players.turn import Record, Turn, shortened
from ecbench.runs.folder import Run, add_episode
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.external_sessions import GAVE_UP, Visit, YearSession
from ecbench.runs.results.checksum_manifest import read_checksums
from ecbench.world.model import World

HOST_YEAR = 0  # whose token opens further years
LONG_WORK_AT_ONCE = 2  # years that are played again or finished; more would only take longer together, and turns wait
LONGEST_PAUSE = 0.1  # seconds between two years that are settled

log = logging.getLogger(__name__)


class HostedYear:
    """One agent's year. Its requests are carried out one after another; it is opened by the first of them."""

    def __init__(
        self,
        run: Run,
        episode: int,
        world: World,
        rate: Rate,
        long_work: CapacityLimiter,
        settling: asyncio.Semaphore,
    ) -> None:
        self.run = run
        self.episode = episode
        self.rate = rate
        self.over = read_checksums(run.episode_folder(episode)) is not None
        self._world = world
        self._lock = asyncio.Lock()
        self._long_work = long_work
        self._settling = settling
        self._visit: Visit | None = None
        self._syncing: asyncio.Future[None] | None = None
        self._settled: asyncio.Future[None] | None = None
        self._keys: dict[str, int] = {}  # the turns that came with an Idempotency-Key

    def session(self) -> Record:
        terms = self.run.terms
        return {
            "messages": messages(terms, self._world),
            "tools": tools(terms),
            "allow_parallel_tool_calls": True,
            "max_turns": terms.max_turns,
            "config": config(terms, self.episode),
        }

    async def open(self) -> None:
        """Begin the record, or play it again, before anybody waits for a turn."""
        async with self._opened():
            pass

    async def act(self, asked: AskedTurn) -> Record:
        """Run a turn, or answer one that has run already from the record."""
        async with self._opened() as visit:
            earlier = await self._earlier(visit, asked)
            if earlier is not None:
                return self._answer(visit, *earlier)
            if visit.result is not None:
                raise RequestRefusal(409, "the year is over; GET /v1/result tells how it ended")
            calls = asked.numbered(visit.turns + 1)
            await self._play(visit, calls, asked.said)
            if visit.sync_due:
                await self._sync(visit)
            if visit.unsettled:
                self._settled = asyncio.ensure_future(self._settle(visit))
            if asked.key:
                self._keys[asked.key] = visit.turns
            assert visit.last is not None, "a turn has just been taken"
            return self._answer(visit, visit.turns, visit.last)

    async def _play(self, visit: Visit, calls: list[Record], said: Record) -> None:
        """A turn takes no time worth a thread, unless a model speaks for the suppliers."""
        if self.run.terms.voice == "template":
            visit.play(calls, said)
        else:
            await to_thread.run_sync(visit.play, calls, said)

    async def finish(self) -> Record:
        async with self._opened() as visit:
            if visit.result is None:
                await to_thread.run_sync(visit.finish, limiter=self._long_work)
            return await self._result(visit)

    async def result(self) -> Record:
        async with self._opened() as visit:
            return await self._result(visit)

    async def _result(self, visit: Visit) -> Record:
        """Whoever has it finds the files of the year in its folder, too."""
        if visit.result is None:
            raise RequestRefusal(409, "the year is not over yet; go on with it, or POST /v1/finish")
        await self.settled()
        return result(self.run.terms, self._world, visit.result)

    async def settled(self) -> None:
        """Wait for the files of a year that has just ended."""
        if self._settled is not None:
            await self._settled

    async def _settle(self, visit: Visit) -> None:
        """After the last turn is answered; one year at a time, and with pauses in which others play undisturbed."""
        await self._settling.acquire()
        began = time.monotonic()
        try:
            await to_thread.run_sync(visit.settle)
        except Exception:
            log.exception(
                "year %d is recorded, but its files are missing; its record is enough to make them", self.episode
            )
        finally:
            visit.leave()
            pause = min(time.monotonic() - began, LONGEST_PAUSE)
            asyncio.get_running_loop().call_later(pause, self._settling.release)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Visit]:
        """The year, for one request at a time. After a failure it is opened anew, from what is recorded."""
        async with self._lock:
            try:
                await self._synced()
                if self._visit is None:
                    self._visit = await to_thread.run_sync(self._open, limiter=self._long_work)
                    turns = enumerate(self._visit.recorded, start=1)
                    self._keys = {turn.said[KEY]: number for number, turn in turns if KEY in turn.said}
                yield self._visit
                self.over = self._visit.result is not None
            except RequestRefusal:
                raise
            except Exception as problem:
                await self.settled()
                self.leave()
                if not isinstance(problem, RunError):
                    raise
                log.error("year %d: %s", self.episode, problem)
                raise RequestRefusal(
                    503, "the host cannot keep the record of this year at the moment; ask again"
                ) from problem

    async def _sync(self, visit: Visit) -> None:
        """A quick agent does not wait for the disk, unless its next turn is there before the disk is done."""
        self._syncing = asyncio.ensure_future(to_thread.run_sync(visit.sync))
        if visit.costly:
            await self._synced()

    async def _synced(self) -> None:
        if self._syncing is not None:
            syncing, self._syncing = self._syncing, None
            await syncing

    def _open(self) -> Visit:
        return YearSession(self.run, self.episode, self._world)

    async def _earlier(self, visit: Visit, asked: AskedTurn) -> tuple[int, Turn] | None:
        """The recorded turn that is sent once more: by its key, or else by the ids of the last turn."""
        if asked.key:
            number = self._keys.get(asked.key)
            if number is None:
                return None
            turn = await self._turn(visit, number)
            if not asked.repeats(turn):
                raise malformed(f"this Idempotency-Key came with other calls before, in turn {number}")
            return number, turn
        if visit.last is None or asked.ids != [call.get("id") for call in visit.last.calls]:
            return None
        if not asked.repeats(visit.last):
            raise malformed(
                "these are the ids of the last turn with other calls; give every call of the year an id of its own, or "
                "leave ids out"
            )
        return visit.turns, visit.last

    async def _turn(self, visit: Visit, number: int) -> Turn:
        if number == visit.turns and visit.last is not None:
            return visit.last
        recording = await to_thread.run_sync(read_episode, self.run, self.episode)
        return recording.turns[number - 1]

    def _answer(self, visit: Visit, number: int, turn: Turn) -> Record:
        end = visit.result.end if visit.result is not None and number == visit.turns else None
        ended = end if end is not None and end.ending != GAVE_UP else None
        return {
            "tool_responses": [
                {"tool_call_id": call.get("id"), "content": shortened(reply)}
                for call, reply in zip(turn.calls, turn.replies, strict=True)
            ],
            "turn": number,
            "done": ended is not None,
            "termination_reason": ended.ending if ended else None,
            "termination_detail": detail(ended) if ended else None,
        }

    def leave(self) -> None:
        if self._visit is not None:
            self._visit.leave()
            self._visit = None


class Hosting(Protocol):
    """Whoever knows which year a token opens: a host of years, or of an arena."""

    def admit(self, token: str, /) -> HostedYear: ...
    async def add(self, asking: HostedYear, /) -> Record: ...


def admitted(year: HostedYear | None, strangers: Rate) -> HostedYear:
    """The year that was found for a token. Raises RequestRefusal if it was none, or is used too often."""
    if not (strangers if year is None else year.rate).allows():
        raise RequestRefusal(429, "too many requests; slow down", Retry_After="1")
    if year is None:
        raise RequestRefusal(401, "give the token of a year: Authorization: Bearer TOKEN", WWW_Authenticate="Bearer")
    return year


class Years:
    """All years of a host, and who may enter them."""

    def __init__(
        self,
        run: Run,
        world: World,
        keys: Keys,
        *,
        most: int,
        requests_a_second: float,
        strangers_a_second: float = STRANGERS_A_SECOND,
    ) -> None:
        self._run = run
        self._world = world
        self._keys = keys
        self._most = most
        self._requests_a_second = requests_a_second
        self._strangers = Rate(strangers_a_second)
        self._adding = asyncio.Lock()
        self._long_work = CapacityLimiter(LONG_WORK_AT_ONCE)
        self._settling = asyncio.Semaphore(1)
        self._hosted = [self._host(episode) for episode in range(run.episodes)]

    def admit(self, token: str) -> HostedYear:
        """The year that a token opens. Raises Refusal for a wrong one, and for one that is used too often."""
        episode = self._keys.year_of(token)
        year = self._hosted[episode] if episode is not None and episode < len(self._hosted) else None
        return admitted(year, self._strangers)

    async def add(self, asking: HostedYear) -> Record:
        """One more year, and the token that opens it, which is told this once."""
        if asking.episode != HOST_YEAR:
            raise RequestRefusal(403, "this token plays one year; the host's own token opens further ones")
        async with self._adding:
            if sum(not year.over for year in self._hosted) >= self._most:
                raise RequestRefusal(
                    429, f"{self._most:,} years are open, and this host keeps no more; finish one first"
                )
            try:
                token, self._run = await to_thread.run_sync(self._extend)
            except RunError as problem:
                log.error("%s", problem)
                raise RequestRefusal(503, "the host cannot begin another year at the moment; ask again") from problem
            year = self._host(self._run.episodes - 1)
            self._hosted.append(year)
            await year.open()
            return {"token": token, "run_index": year.episode}

    async def settled(self) -> None:
        """Wait for the files of all years that have ended."""
        for year in self._hosted:
            await year.settled()

    def leave(self) -> None:
        for year in self._hosted:
            year.leave()

    def _extend(self) -> tuple[str, Run]:
        """The key comes first: if the host dies in between, nobody has it, and the next year has that number."""
        return self._keys.issue(self._run.episodes), add_episode(self._run)

    def _host(self, episode: int) -> HostedYear:
        rate = Rate(self._requests_a_second)
        return HostedYear(self._run, episode, self._world, rate, self._long_work, self._settling)
