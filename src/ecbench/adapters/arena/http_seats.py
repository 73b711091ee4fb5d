"""Seats of an arena over HTTP: requests, answers and refusals are those of a host of single years."""

from anyio import to_thread

from ecbench.adapters.arena.seat_tokens import SeatKey, SeatKeys
from ecbench.adapters.http.sessions import HostedYear, HostWork, checked
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.errors import RunError
from ecbench.players.turn import Record
from ecbench.runs.folder import Run
from ecbench.runs.play.external_seats import ExternalSeat, ExternalSeats

DOOR = "http"
WAITING_AT_ONCE = 1_000  # seats that wait for their rivals


class HttpSeats:
    """All seats of an arena that are played over HTTP, by their tokens."""

    def __init__(self, run: Run, keys: SeatKeys, places: ExternalSeats, requests_a_second: float) -> None:
        self._run = run
        self._keys = keys
        self._places = places
        self._requests_a_second = requests_a_second
        self._unknown = Rate(UNKNOWN_A_SECOND)
        self._work = HostWork(WAITING_AT_ONCE)
        self._hosted: dict[SeatKey, HostedYear] = {}

    def year_of(self, token: str) -> HostedYear:
        """Raises RequestRefused for an unknown token, and for one that is used too often."""
        key = self._keys.found(token, DOOR)
        return checked(None if key is None else self._seat(key), self._unknown)

    async def add(self, current: HostedYear) -> Record:
        """The seat of the same entry in the next episode, once that has begun, and its token."""
        key = SeatKey(current.episode + 1, current.run.entry)
        if key.episode >= self._run.episodes:
            raise RequestRefused(409, f"the arena has no episode after this one, which is number {current.episode}")
        if not current.over:
            raise RequestRefused(409, "the year is not over yet; go on with it, or POST /v1/finish")
        try:
            await to_thread.run_sync(self._place(key).opened, limiter=self._work.long)
            token = await to_thread.run_sync(self._keys.issue, key)
        except RunError as problem:
            raise RequestRefused(503, f"{problem}; send the request again") from problem
        return {"token": token, "run_index": key.episode}

    def all_read(self) -> bool:
        """Whether every agent has read the result of its last year."""
        last = self._run.episodes - 1
        seats = [self._hosted.get(SeatKey(last, entry)) for entry in self._keys.entries(DOOR)]
        return all(seat is not None and seat.result_read for seat in seats)

    def _seat(self, key: SeatKey) -> HostedYear:
        if key not in self._hosted:
            rate = Rate(self._requests_a_second)
            run, world = self._run.of_entry(key.entry), self._run.load_world(key.episode)
            self._hosted[key] = HostedYear(run, key.episode, world, rate, self._work, self._place(key))
        return self._hosted[key]

    def _place(self, key: SeatKey) -> ExternalSeat:
        return self._places[key.episode, self._run.of_entry(key.entry).seat(key.episode)]
