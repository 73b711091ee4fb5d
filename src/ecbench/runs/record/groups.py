"""The groups of lines that a record is made of, read one at a time: turns, departures and the end of the year."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise, takewhile
from typing import Any, Literal, NamedTuple

from ecbench.players.turn import Leave, Turn
from ecbench.runs.record.events import End
from ecbench.runs.record.partial_write import FOLLOWS
from ecbench.runs.record.schema import (
    CallLine,
    EndLine,
    HandedLine,
    LeaveLine,
    OpeningLine,
    StateLine,
    parse,
    read_reply,
    typed,
)
from ecbench.runs.terms import Terms

CLOSING = (b'{"event":"state"', b'{"event":"handed"', b'{"event":"leave"', b'{"event":"end"')
"""How the last line of a group begins."""

_CALL = b'{"event":"call"'
_REPLY = b'{"event":"reply"'
_MORNING = b'{"event":"morning"'


class Departure(NamedTuple):
    """A seat that left while its rivals went on."""

    seat: int
    leave: Leave


class Group(NamedTuple):
    """A closed group of lines: a whole turn, one that is handed in, the completion of such a one, or a departure."""

    kind: Literal["turn", "handed", "completed", "leave"]
    entry: Turn | Departure
    end: int = 0  # of its lines in the file, in bytes


class YearEnd(NamedTuple):
    """How the year ended at each seat, and the checksum of the line that says so."""

    ends: tuple[End, ...]
    check: str


class SeatTurns:
    """Which turn each seat takes next, which the groups of a record must agree with."""

    def __init__(self, terms: Terms | None) -> None:
        assert terms is not None, "a record begins with its terms"
        self.seats = len(terms.seats)
        self._complete = [0] * self.seats
        self._handed = [False] * self.seats

    def accept(self, kind: str, seat: int, number: int) -> bool:
        """Whether a group of this kind, of this turn, may come next."""
        if not 0 <= seat < self.seats or (kind != "leave" and number != self._complete[seat] + 1):
            return False
        if kind != "leave" and self._handed[seat] != (kind == "completed"):
            return False
        self._handed[seat] = kind == "handed" or (kind == "leave" and self._handed[seat])
        self._complete[seat] += kind in ("turn", "completed")
        return True


def read_closed(lines: Sequence[bytes], turns: SeatTurns) -> Group | YearEnd | None:
    """The lines up to a closing one, where such a group may come next; None for any other lines."""
    if lines[-1].startswith(CLOSING[-1]):
        return read_year_end(lines[-1], turns.seats) if len(lines) == 1 else None
    group = read_group(lines)
    if group is None:
        return None
    entry = group.entry
    number = 0 if isinstance(entry, Departure) else parse(lines[-1])["turn"]
    return group if turns.accept(group.kind, entry.seat, number) else None


def read_group(lines: Sequence[bytes], *, with_replies: bool = True) -> Group | None:
    """A group of lines but the end of a year; None where they are not such a group."""
    *before, last = lines
    try:
        closing = parse(last)
        if closing["event"] == "leave":
            line = typed(closing, LeaveLine)
            return None if before else Group("leave", Departure(line.seat, Leave(line.ending, line.reason)))
        if closing["event"] == "handed":
            handed = typed(closing, HandedLine)
            replies = any(line.startswith(_REPLY) for line in before)
            return (
                None if replies else Group("handed", _read_turn(before, handed.seat, handed.turn, with_replies=False))
            )
        state = typed(closing, StateLine)
        datetime.fromisoformat(state.time)
        turn = _read_turn(before, state.seat, state.turn, with_replies=with_replies)
        turn.state = state.state()
        return Group("completed" if before[0].startswith(_MORNING) else "turn", turn)
    except (ValueError, LookupError, TypeError):
        return None


def read_year_end(line: bytes, seats: int) -> YearEnd | None:
    """The last line of a year with so many seats."""
    try:
        end = typed(parse(line), EndLine)
    except ValueError:
        return None
    return YearEnd(tuple(end.seats), end.check) if len(end.seats) == seats else None


def _read_turn(lines: Sequence[bytes], seat: int, number: int, *, with_replies: bool = True) -> Turn:
    """Raises ValueError, LookupError or TypeError where the lines are not those of a turn."""
    opening = sum(1 for _ in takewhile(lambda line: not line.startswith((_CALL, _REPLY)), lines))
    records = [parse(line) for line in lines[:opening]]
    typed(records, list[OpeningLine])
    calls = [parse(line) for line in lines[opening:] if line.startswith(_CALL)]
    typed(calls, list[CallLine])
    events = [record.pop("event") for record in records] + [_event(line) for line in lines[opening:]]
    for call in calls:
        del call["event"]
    if not all(event in FOLLOWS[before] for before, event in pairwise(["", *events])):
        raise ValueError("these lines do not make a turn")
    answers = [line for line in lines[opening:] if line.startswith(_REPLY)]
    made: Sequence[Any] = calls if calls else [{}] * len(answers)
    outcomes = [read_reply(line, call) for line, call in zip(answers, made, strict=True)] if with_replies else []
    spoken = next(place for place, event in enumerate(events[:opening]) if event in ("turn", "morning"))
    said = records[spoken]
    if (said.pop("seat"), said.pop("turn")) != (seat, number):
        raise ValueError("the lines of a turn name different seats or turns")
    day = said.pop("day", 0)
    return Turn(calls, outcomes, said, records[:spoken], records[spoken + 1 :], seat, day)


def _event(line: bytes) -> str:
    return "call" if line.startswith(_CALL) else "reply" if line.startswith(_REPLY) else ""
