"""Seats of an arena over HTTP: requests, answers and refusals are those of a host of single years."""

import asyncio

from anyio import CapacityLimiter, to_thread

from ecbench.adapters.arena.seat_tokens import SeatKey, SeatKeys
from ecbench.adapters.http.errors import RequestRefusal
from ecbench.adapters.http.sessions import HostedYear, admitted
from ecbench.adapters.rate_limit import STRANGERS_A_SECOND, Rate
from ecbench.errors import RunError
from ecbench.players.turn import Record
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import OpenSeat, OpenSeats, VisitedSeat
from ecbench.runs.folder import open_run
from ecbench.runs.play.external_sessions import Visit
from ecbench.world.load import load_world

DOOR = "http"
WAITING_AT_ONCE = 1_000  # seats whose turn has not come


class HostedSeat(HostedYear):
    """One seat of one round. A turn is answered when it is over, which needs the rivals."""

    def __init__(self, arena: ArenaRun, key: SeatKey, place: OpenSeat, rate: Rate, waiting: CapacityLimiter) -> None:
        seat = arena.terms.seat_of(key.round, key.entry)
        run, world = open_run(arena.seat_folder(key.round, seat)), load_world(arena.terms.world_of(key.round))
        super().__init__(run, 0, world, rate, waiting, asyncio.Semaphore())  # the round settles it
        self.key = key
        self.result_read = False
        self._place = place
        self._waiting = waiting

    def session(self) -> Record:
        told = super().session()
        told["config"]["run_index"] = self.key.round
        return told

    async def result(self) -> Record:
        told = await super().result()
        self.result_read = True
        return told

    async def _play(self, visit: Visit, calls: list[Record], said: Record) -> None:
        await to_thread.run_sync(visit.play, calls, said, limiter=self._waiting)

    def _open(self) -> Visit:
        return VisitedSeat(self.run.folder, self._place)


class HttpSeats:
    """All seats of an arena that come in over HTTP, and who may enter them."""

    def __init__(self, arena: ArenaRun, keys: SeatKeys, places: OpenSeats, requests_a_second: float) -> None:
        self._arena = arena
        self._keys = keys
        self._places = places
        self._requests_a_second = requests_a_second
        self._strangers = Rate(STRANGERS_A_SECOND)
        self._waiting = CapacityLimiter(WAITING_AT_ONCE)
        self._hosted: dict[SeatKey, HostedSeat] = {}

    def admit(self, token: str) -> HostedYear:
        """The seat that a token opens. Raises RequestRefusal for a wrong one, and for one that is used too often."""
        key = self._keys.found(token, DOOR)
        return admitted(None if key is None else self._seat(key), self._strangers)

    async def add(self, asking: HostedYear) -> Record:
        """The same entry's seat in the next round, once that has begun, and the token that opens it."""
        assert isinstance(asking, HostedSeat)
        key = SeatKey(asking.key.round + 1, asking.key.entry)
        if key.round >= self._arena.terms.rounds:
            raise RequestRefusal(409, f"the arena has no round after this one, which is number {asking.key.round}")
        if not asking.over:
            raise RequestRefusal(409, "the year is not over yet; go on with it, or POST /v1/finish")
        try:
            await to_thread.run_sync(self._place(key).opened, limiter=self._waiting)
            token = await to_thread.run_sync(self._keys.issue, key)
        except RunError as problem:
            raise RequestRefusal(503, f"{problem}; ask again") from problem
        return {"token": token, "run_index": key.round}

    def all_read(self) -> bool:
        """Whether every agent knows how its last year ended."""
        last = self._arena.terms.rounds - 1
        seats = [self._hosted.get(SeatKey(last, entry)) for entry in self._keys.entries(DOOR)]
        return all(seat is not None and seat.result_read for seat in seats)

    def _seat(self, key: SeatKey) -> HostedSeat:
        if key not in self._hosted:
            if not self._arena.begun(key.round):
                raise RequestRefusal(503, f"round {key.round} has not begun yet; ask again", Retry_After="1")
            rate = Rate(self._requests_a_second)
            self._hosted[key] = HostedSeat(self._arena, key, self._place(key), rate, self._waiting)
        return self._hosted[key]

    def _place(self, key: SeatKey) -> OpenSeat:
        return self._places[key.round, self._arena.terms.seat_of(key.round, key.entry)]
