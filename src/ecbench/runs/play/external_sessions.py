"""Years that external agents play: they hand in turns, and may reconnect after either side has died.

`ExternalSession` is a year of a run, or a seat of a shared market, for a server or a solver: a repeated turn gets its
recorded answer, and a failure is mended by replay. Below it is `YearSession`:

    year = YearSession(run, 0, world)
    outcomes = year.take([{"name": "wait_for_next_day", "arguments": {}}])
    year.close()                                  # or year.finish(); the next YearSession continues from there

A turn is on the disk before it is answered, so neither a killed process nor a power cut loses one that was answered.
An event loop calls `take` in a thread: it waits for the disk, and the last turn of a long year takes a second.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.gate import TurnRefused
from ecbench.players.turn import Move, Record, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import OpenEpisode, load_finished, open_episode
from ecbench.runs.play.external_seats import GAVE_UP, ExternalSeat
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.lines import End
from ecbench.runs.record.recorded_voice import live_voice
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

IDLE_SECONDS = 1_800.0  # without a use, after which a session may be closed
KEY = "key"  # of a recorded turn: the one under which it was sent


class YearSession:
    """One year of a run folder, locked for its holder; recorded turns are replayed as it opens."""

    __slots__ = ("_held", "_opened", "_table", "end", "last", "recorded", "report", "turns")

    def __init__(self, run: Run, episode: int, world: World) -> None:
        self._table: RecordedTable | None = None
        with ExitStack() as held:
            self._opened: OpenEpisode = held.enter_context(open_episode(run, episode))
            recording = self._opened.recording
            self.recorded: Sequence[Turn] = recording.turns
            """Turns from before it was opened."""
            self.last = recording.turns[-1] if recording.turns else None
            self.turns = len(recording.turns)
            result = load_finished(self._opened, world)
            self.end: End | None = result.end if result else None
            """How the year ended; None while it runs."""
            self.report = result.report if result else None
            if result is None:
                voice = held.enter_context(live_voice(self._opened.terms, recording.turns))
                self._table = self._opened.table(world, voice)
                self._table.catch_up()
                recording.content = b""  # of a long year much, and not needed any more
            self._held = held.pop_all()
        self._end_where_due()

    @property
    def year(self) -> Episode | None:
        """The year as it stands; None once it is over."""
        return None if self._table is None or self.end is not None else self._table.seats[0].year

    def take(self, calls: Sequence[Record], said: Record | None = None) -> Sequence[Outcome]:
        """Run a turn and record it; with the last one the year is over, `end` says how, and its files are written.

        After a RunError the year must be opened again: this object may be ahead of its record.
        """
        if self._table is None or self.end is not None:
            raise RunError("the year is over")
        [self.last] = self._table.seats[0].act(Move(calls, said or {}))
        self.turns = self._table.seats[0].turns
        self._end_where_due()
        return self.last.outcomes

    def finish(self, reason: str = "the agent ended the year", ending: str = GAVE_UP) -> End:
        """End the year permanently, if it is not over, and settle it as it stands."""
        return self.end or self._end(ending, reason)

    def close(self) -> None:
        """Release the record and the year; one that is not over continues when it is opened again."""
        if self._table is not None:
            if self.end is None:
                self._opened.sign()
            self._table.release()
            self._table = None
        self._held.close()

    def _end_where_due(self) -> None:
        if self._table is not None and self._table.seats[0].ending is not None:
            self._end()

    def _end(self, ending: str = "", reason: str = "") -> End:
        assert self._table is not None, "a year ends once"
        played = self._table.close(None, ending, reason, release=False)  # a policy in training looks at its end
        [self.end] = played.ends
        self.report = self._opened.close_with(played).report
        self._held.close()
        return self.end


OpenSeat = YearSession | ExternalSeat
"""A year that is open, alone in its market or at one of its seats. `YearSession` documents each part."""


class YearOver(TurnRefused):
    """No turn can be taken any more."""


class PlayedOn(TurnRefused):
    """The year has other turns than the agent knows of."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """The admitted calls of a turn, with their ids where the agent gave some, and its message."""

    calls: Sequence[Record]
    message: Record = field(default_factory=dict)
    key: str = ""  # the same for the same turn, however often it is sent
    after: int | None = None  # the turns that the agent knows of; None if it does not say
    size: int = 0  # bytes, as it was sent


class Answered(NamedTuple):
    """A turn that was taken, now or when the same request came before; with the last one, how the year ended."""

    number: int
    turn: Turn
    end: End | None


class ExternalSession:
    """A year, or a seat in one, that an agent or a person outside plays for as long as a server runs, by one thread.

    The first use, and the next one after a failure, opens it by replay. `numbered_turn` reads a recorded turn.
    """

    def __init__(self, open_seat: Callable[[], OpenSeat], numbered_turn: Callable[[int], Turn] | None = None) -> None:
        self._open_seat = open_seat
        self._numbered_turn = numbered_turn
        self._lock = RLock()
        self._last_use = time.monotonic()
        self._keys: dict[str, int] = {}  # the number of the turn, by its key
        self.seat: OpenSeat | None = None
        """What is open; None before the first use, and after a failure."""

    @contextmanager
    def used(self) -> Iterator[OpenSeat]:
        """Within it the seat is open, and no other thread uses it."""
        with self._lock:
            try:
                if self.seat is None:
                    self.seat = self._open_seat()
                    turns = enumerate(self.seat.recorded, start=1)
                    self._keys = {turn.message[KEY]: number for number, turn in turns if KEY in turn.message}
                yield self.seat
                if self.seat is not None and self.seat.end is not None:
                    self.seat.close()  # it can still be asked for its last answer
            except TurnRefused:  # nothing has happened
                raise
            except BaseException:
                self.close()
                raise
            finally:
                self._last_use = time.monotonic()

    def open(self) -> None:
        """Begin the record, or replay it, before the first turn needs it."""
        with self.used():
            pass

    def take(self, request: TurnRequest) -> Answered:
        """Run a turn and record it, once: the same request again gets the recorded answer. Raises TurnRefused."""
        with self.used() as seat:
            if (earlier := self._earlier(seat, request)) is not None:
                return earlier
            if seat.end is not None:
                raise YearOver(f"the year is over ({seat.end.ending}); no tool acts any more")
            if request.after not in (None, seat.turns):
                raise PlayedOn("this year was played on in another window; it is shown now as it stands")
            seat.take(request.calls, request.message | ({KEY: request.key} if request.key else {}))
            if request.key:
                self._keys[request.key] = seat.turns
            return _last(seat)

    def finish(self, reason: str = "the agent ended the year") -> End:
        with self.used() as seat:
            return seat.end or seat.finish(reason)

    def close(self) -> None:
        """A year that is not over continues with the next use."""
        with self._lock:
            if self.seat is not None:
                self.seat.close()
                self.seat = None

    def close_if_idle(self) -> None:
        """Release the memory of a year alone that has not been used for long; its next use replays it."""
        idle = time.monotonic() - self._last_use > IDLE_SECONDS
        if idle and isinstance(self.seat, YearSession) and self._lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self._lock.release()

    def _earlier(self, seat: OpenSeat, request: TurnRequest) -> Answered | None:
        """The recorded turn that the request repeats: by its key, or else by the ids of the last turn."""
        repeats_last = not request.key and _has_ids_of(seat.last, request)
        number = seat.turns if repeats_last else self._keys.get(request.key)
        if number is None:
            return None
        if number == seat.turns:
            found = _last(seat)
        else:
            assert self._numbered_turn is not None, "a transport with keys reads recorded turns"
            found = Answered(number, self._numbered_turn(number), None)
        if _without_ids(request.calls) != _without_ids(found.turn.calls):
            raise TurnRefused(
                f"this Idempotency-Key came with other calls before, in turn {number}"
                if request.key
                else "these are the ids of the last turn with other calls; give every call of the year its own id, or "
                "leave ids out"
            )
        return found


def _has_ids_of(turn: Turn | None, request: TurnRequest) -> bool:
    """Whether every call has an id, and they are those of a turn."""
    ids = [call.get("id") for call in request.calls]
    return turn is not None and bool(ids) and None not in ids and ids == [call.get("id") for call in turn.calls]


def _without_ids(calls: Sequence[Record]) -> list[Record]:
    return [{name: value for name, value in call.items() if name != "id"} for call in calls]


def _last(seat: OpenSeat) -> Answered:
    assert seat.last is not None, "a turn has been taken"
    return Answered(seat.turns, seat.last, seat.end)
