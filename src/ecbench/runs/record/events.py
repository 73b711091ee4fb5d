"""The event format of an episode's record: one JSON object a line, and nothing that a clock gave.

    start                                              the terms
    evict?  turn  voice*  (call reply)*  state         a turn of a seat; `state` completes it
    evict?  turn  call*  handed                        a turn that waits for the morning, as it is handed in,
    morning  voice*  reply*  state                     and its completion
    leave                                              a seat leaves while its rivals go on
    end                                                how the year ended at each seat

Turns stand in the order in which they acted, those of all seats in one record. `state`, `handed`, `leave` and `end`
close a group of lines and carry a checksum over all that stands before them, so that damage is found when a file is
opened. A group that a process did not live to finish is not damage: what follows the last closed group is a partial
write. A reply line holds the outcome of its call: text, error, when it acted and the time it took.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from ecbench.episode import Episode
from ecbench.metrics.rounding import yuan
from ecbench.players.turn import Leave, Turn
from ecbench.runs.record.checksums import Checksum, encode
from ecbench.runs.terms import Count, Money, Terms
from ecbench.tools.outcome import Outcome

SCHEMA = 2
RESUMABLE = ("stopped", "model_error")


class End(Struct, frozen=True):
    """How the year ended at a seat, and with what."""

    ending: str
    final_assets: Money
    day: Count
    turns: Count
    calls: Count
    reason: str = ""

    @property
    def resumable(self) -> bool:
        return self.ending in RESUMABLE

    @property
    def never_acted(self) -> bool:
        """Whether the agent called no tool at all, which is a failure and no result."""
        return self.ending == "idle" and not self.calls

    @property
    def assets(self) -> float:
        """Final assets to the cent, as every report shows them; the record has all digits."""
        return yuan(self.final_assets)

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "reason" or value}


def is_over(end: End | None) -> TypeGuard[End]:
    """Whether a year has ended for good: it has an end, and cannot be resumed from there."""
    return end is not None and not end.resumable


def is_result(end: End | None) -> TypeGuard[End]:
    """Whether a year is over and its agent has played it."""
    return is_over(end) and not end.never_acted


def end_of(year: Episode, ending: str, turns: int, calls: int, reason: str = "") -> End:
    purse = year.account.books.purse
    return End(ending, purse.bank + purse.wallet + purse.escrow, year.day, turns, calls, reason)


def encode_reply(outcome: Outcome) -> bytes:
    """The line of an outcome. Most of a record is replies, long texts that orjson writes fastest."""
    reply: dict[str, Any] = {
        "event": "reply",
        "text": outcome.text,
        "day": outcome.day,
        "minute": outcome.minute,
        "minutes": outcome.minutes,
        "mornings": outcome.mornings,
    }
    if outcome.error is not None:
        kind, message, missing = outcome.error
        reply["error"] = {"kind": kind, "message": message, **({"missing": missing} if missing else {})}
    try:
        return orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half of a surrogate pair
        return encode(reply)


class EventWriter:
    """Gives the lines of a record their final form."""

    def __init__(self, written: bytes = b"") -> None:
        self._sum = Checksum()
        self._sum.add(written)

    def start(self, terms: Terms, episode: int) -> bytes:
        line = encode({"event": "start", "schema": SCHEMA, "episode": episode, **terms.to_json()})
        self._sum.add(line)
        return line

    def turn(self, turn: Turn) -> bytes:
        """A turn that is complete as it is handed in."""
        assert turn.state is not None, "a complete turn has a state"
        lines = self._opening(turn, turn.state.turn)
        if turn.voices:
            lines += _voices(turn)
        for call, outcome in zip(turn.calls, turn.outcomes, strict=True):
            lines += (encode({"event": "call", **call}), encode_reply(outcome))
        return self._closed(lines, {"event": "state", "seat": turn.seat, **asdict(turn.state)})

    def handed_in(self, turn: Turn, number: int) -> bytes:
        """A turn, of that number at its seat, which waits for the morning."""
        lines = self._opening(turn, number)
        lines += [encode({"event": "call", **call}) for call in turn.calls]
        return self._closed(lines, {"event": "handed", "seat": turn.seat, "turn": number})

    def completed(self, turn: Turn) -> bytes:
        """The outcomes of a turn that was handed in before."""
        assert turn.state is not None, "a complete turn has a state"
        lines = [encode({"event": "morning", "seat": turn.seat, "turn": turn.state.turn})]
        lines += _voices(turn)
        lines += map(encode_reply, turn.outcomes)
        return self._closed(lines, {"event": "state", "seat": turn.seat, **asdict(turn.state)})

    def leave(self, seat: int, leave: Leave) -> bytes:
        reason = {"reason": leave.reason} if leave.reason else {}
        return self._closed([], {"event": "leave", "seat": seat, "ending": leave.ending, **reason})

    def end(self, ends: Sequence[End]) -> bytes:
        """Not added to the sum: a resumed record continues in place of this line."""
        return self._sum.close({"event": "end", "seats": [end.to_json() for end in ends]})

    @staticmethod
    def _opening(turn: Turn, number: int) -> list[bytes]:
        lines = [encode({"event": "evict", **eviction}) for eviction in turn.evictions]
        lines.append(encode({"event": "turn", "seat": turn.seat, "turn": number, "day": turn.day, **turn.said}))
        return lines

    def _closed(self, lines: list[bytes], closing: Mapping[str, Any]) -> bytes:
        for line in lines:
            self._sum.add(line)
        last = self._sum.close(closing)
        self._sum.add(last)
        return b"".join((*lines, last))  # at the end, since replies are long and each copy of them takes time


def _voices(turn: Turn) -> Iterable[bytes]:
    return [encode({"event": "voice", **line}) for line in turn.voices]
