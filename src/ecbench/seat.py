"""One merchant's place in a year. Whoever plays hands it turns, and it runs them, counts them and has them recorded.

Scripted merchants, models and every other door sit here, so a turn means the same to all of them. A seat is driven from
outside, one turn at a time, by a loop, a coroutine or somebody else's program:

    seat = Seat(Episode(world))
    while seat.ending is None:
        replies = seat.take([{"name": "wait_for_next_day", "arguments": {}}])
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ecbench.episode import Episode

Record = dict[str, Any]
Ending = Literal["year_end", "bankruptcy", "turn_limit", "idle", "stopped", "model_error", "failed"]

IDLE_LIMIT = 3  # turns without a call, in a row
LONGEST_RESULT = 65_536  # characters of a reply that an agent is shown


@dataclass(slots=True)
class Turn:
    """One turn: what the agent said and called, what it was answered, and what happened around it."""

    calls: Sequence[Record]  # name and arguments; from a model also its id, and why its arguments were unreadable
    replies: Sequence[str]
    said: Record = field(default_factory=dict)  # a model's words, reasoning and token usage
    evictions: Sequence[Record] = ()  # what left a model's context before the turn
    voices: Sequence[Record] = ()  # what suppliers said, where the templates did not


class TurnKeeper(Protocol):
    """Keeps the turns of a seat, or compares them with those it has kept already."""

    @property
    def ahead(self) -> Turn | None:
        """The turn that was recorded earlier and is now played again; None where the record ends."""
        ...

    def expect(self, calls: Sequence[Record], /) -> None:
        """Asked before calls run; raises where the turn ahead holds other ones."""
        ...

    def take(self, turn: Turn, year: Episode, /) -> None: ...


class Unrecorded:
    """For years that nobody will want to see again."""

    ahead = None

    def expect(self, calls: Sequence[Record], /) -> None: ...

    def take(self, turn: Turn, year: Episode, /) -> None: ...


class Seat:
    """Where a year is played. Without a limit on turns only the year, or idleness, ends it."""

    __slots__ = ("calls", "idle", "idle_limit", "max_turns", "recorder", "turns", "year")

    def __init__(
        self,
        year: Episode,
        recorder: TurnKeeper | None = None,
        *,
        max_turns: int | None = None,
        idle_limit: int = IDLE_LIMIT,
    ) -> None:
        self.year = year
        self.recorder: TurnKeeper = Unrecorded() if recorder is None else recorder
        self.max_turns = max_turns
        self.idle_limit = idle_limit
        self.turns = 0
        self.calls = 0
        self.idle = 0  # turns without a call that the last turns were

    @property
    def ending(self) -> Ending | None:
        """Why no further turn can be taken; None while one can."""
        if self.year.done:
            return "bankruptcy" if self.year.ending == "bankruptcy" else "year_end"
        if self.idle >= self.idle_limit:
            return "idle"
        return "turn_limit" if self.max_turns is not None and self.turns >= self.max_turns else None

    @property
    def repeating(self) -> bool:
        """Whether the record still has turns that are to be played again."""
        return self.recorder.ahead is not None

    def take(self, calls: Sequence[Record], said: Record | None = None) -> list[str]:
        """Run a turn and record it: one reply per call."""
        replies = self.run(calls)
        self.keep(Turn(calls, replies, said or {}))
        return replies

    def run(self, calls: Sequence[Record]) -> list[str]:
        """The first half of a turn, which may take place in another thread."""
        self.recorder.expect(calls)
        return answered(calls, self.year.act(readable(calls)))

    def keep(self, turn: Turn) -> None:
        """The second half: the turn is counted and recorded, and with that it has happened."""
        self.turns += 1
        self.calls += len(turn.calls)
        self.idle = 0 if turn.calls else self.idle + 1
        self.recorder.take(turn, self.year)

    def repeat(self, turns: Sequence[Turn]) -> None:
        """Make recorded calls once more, whoever made them. Who goes on from there has not been idle yet."""
        for turn in turns:
            self.keep(Turn(turn.calls, self.run(turn.calls), turn.said, turn.evictions))
        self.idle = 0


def readable(calls: Sequence[Record]) -> Sequence[Mapping[str, Any]]:
    """The calls that can be run: not those whose arguments a model garbled."""
    if not any(call.get("problem") for call in calls):
        return calls
    return [call for call in calls if not call.get("problem")]


def answered(calls: Sequence[Record], replies: Sequence[str]) -> list[str]:
    """One reply per call; one that could not be read fails alone and costs no time."""
    if len(calls) == len(replies):
        return list(replies)
    given = iter(replies)
    return [
        json.dumps({"error": call["problem"]}, ensure_ascii=False) if call.get("problem") else next(given)
        for call in calls
    ]


def fault_of(reply: str) -> str | None:
    """What a reply says went wrong; None where the tool did what it was asked to."""
    told = json.loads(reply)
    fault = told.get("error") if isinstance(told, dict) else None
    return str(fault) if fault else None


def cut(reply: str, longest: int = LONGEST_RESULT) -> str:
    """A reply no longer than an agent is shown, and a mark where something is missing."""
    if len(reply) <= longest:
        return reply
    return f"{reply[:longest]}\n[cut: {longest:,} of {len(reply):,} characters shown]"
