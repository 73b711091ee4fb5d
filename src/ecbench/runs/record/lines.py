"""The format of an episode's record, `events.jsonl`: one JSON object a line, and nothing that a clock gave.

    start      the terms
    turn       a turn of a seat: what its agent said and called, what came of it, and the state it left
    handed     a turn that waits for the morning, as it is handed in
    morning    its completion
    leave      a seat leaves while its rivals continue
    end        how the year ended at each seat; one that can be resumed is overwritten by the next turn

Turns stand in the order in which they acted, those of all seats in one record. Lines are chained by SHA-256
(`chain.py`). Replies stand in the line as the agent received them, to the byte.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, BinaryIO, Literal, NotRequired, Required, TypedDict, TypeGuard, cast

import msgspec
from msgspec import Meta, Raw, Struct, field
from msgspec.structs import asdict

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.episode import Episode
from ecbench.gate import is_too_deep
from ecbench.metrics.estimators import yuan
from ecbench.players.turn import Count, Leave, Money, Record, State, Turn
from ecbench.runs.record.chain import FIRST, chained
from ecbench.runs.record.json_values import encode, typed
from ecbench.runs.terms import Terms
from ecbench.tools.outcome import CallError, Outcome

SCHEMA = 3
RESUMABLE = ("stopped", "model_error")


class End(Struct, frozen=True, omit_defaults=True):
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


def is_over(end: End | None) -> TypeGuard[End]:
    """Whether a year has ended for good: it has an end, and cannot be resumed from there."""
    return end is not None and not end.resumable


def is_result(end: End | None) -> TypeGuard[End]:
    """Whether a year is over and its agent has played it."""
    return is_over(end) and not end.never_acted


def end_of(year: Episode, ending: str, turns: int, calls: int, reason: str = "") -> End:
    purse = year.account.books.purse
    return End(ending, purse.bank + purse.wallet + purse.escrow, year.day, turns, calls, reason)


class CallRecord(TypedDict):
    """A call as the gate admitted it. Agents may name and send anything; the tools say what is wrong with it."""

    name: Required[Any]
    arguments: Required[Any]
    id: NotRequired[str]
    problem: NotRequired[str]
    written: NotRequired[str]


class EvictionRecord(TypedDict):
    """Messages that left a model's context."""

    before: Count
    freed: Count
    cleared: list[Count]


Amount = Annotated[int, Meta(ge=0, le=10**12)] | Annotated[float, Meta(ge=0, le=1e12)]
"""A whole number stays one, since a replay writes it as it was written."""


class RetryRecord(TypedDict):
    """A retried request."""

    cause: Required[str]
    seconds: Required[Amount]
    usage: NotRequired[dict[str, Amount]]


class VoiceRecord(TypedDict):
    """What a supplier said, where a template did not."""

    kind: Required[Literal["letter", "membership"]]
    said: Required[str]
    fallback: NotRequired[str]
    usage: NotRequired[dict[str, Amount]]
    retries: NotRequired[list[RetryRecord]]


class MessageFields(Struct):
    """What is read of a message beside fields of the provider's own; a merchant's turn has no message."""

    text: str = ""
    reasoning: str = ""
    usage: dict[str, Amount] = {}
    seconds: Money = 0.0
    stop_reason: str = ""
    retries: list[RetryRecord] = []
    context: Count = 0
    model: str = ""
    window: dict[str, Count] | None = None
    as_text: bool = False


class OutcomeLine(Struct, omit_defaults=True, gc=False):
    """The outcome of a call, which has the same index among the calls."""

    day: Count
    minute: Count
    minutes: Count
    mornings: Count
    reply: Raw
    error: CallError | None = None


class StartLine(Terms, frozen=True, kw_only=True, tag_field="event", tag="start"):
    """The first line of a record: the terms of an episode."""

    schema: Literal[3] = 3
    episode: Count

    @property
    def terms(self) -> Terms:
        return Terms(**{name: getattr(self, name) for name in Terms.__struct_fields__})


class TurnLine(Struct, kw_only=True, omit_defaults=True, tag_field="event", tag="turn"):
    """A turn that was complete when it was handed in."""

    seat: Count
    day: Count
    message: Record = field(default_factory=dict)
    evictions: list[EvictionRecord] = field(default_factory=list)
    calls: list[CallRecord]
    voices: list[VoiceRecord] = field(default_factory=list)
    outcomes: list[OutcomeLine]
    state: State


class HandedLine(Struct, kw_only=True, omit_defaults=True, tag_field="event", tag="handed"):
    """A turn that waits for the morning; `turn` is its number at its seat."""

    seat: Count
    turn: Count
    day: Count
    message: Record = field(default_factory=dict)
    evictions: list[EvictionRecord] = field(default_factory=list)
    calls: list[CallRecord]


class MorningLine(Struct, kw_only=True, omit_defaults=True, tag_field="event", tag="morning"):
    """What came of a turn that was handed in before."""

    seat: Count
    voices: list[VoiceRecord] = field(default_factory=list)
    outcomes: list[OutcomeLine]
    state: State


class LeaveLine(Struct, omit_defaults=True, tag_field="event", tag="leave"):
    """A seat leaves."""

    seat: Count
    ending: str
    reason: str = ""


class EndLine(Struct, tag_field="event", tag="end"):
    """The year is over, or was interrupted."""

    seats: Annotated[list[End], Meta(min_length=1)]


Line = TurnLine | HandedLine | MorningLine | LeaveLine | EndLine
"""Every line but the first."""

LONGEST_LINE = 128 << 20  # bytes; a turn with its replies is far shorter

_decode = msgspec.json.Decoder(Line).decode
_encode = msgspec.json.Encoder().encode


def lines_in(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, one at a time; one that is too long is given cut."""
    return iter(partial(file.readline, LONGEST_LINE), b"")


def read_line(line: bytes) -> Line:
    """Raises ValueError."""
    try:
        found: Line = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if isinstance(found, TurnLine | HandedLine):
        typed(found.message, MessageFields)
        if is_too_deep([found.calls, found.message], DEEPEST_AROUND):
            raise ValueError(f"nested more than {DEEPEST_AROUND} deep")
    return found


def turn_of(line: TurnLine | HandedLine) -> Turn:
    """The turn of a line. Raises ValueError if calls and replies do not match."""
    calls, evictions = cast("list[Record]", line.calls), cast("list[Record]", line.evictions)
    turn = Turn(calls, seat=line.seat, day=line.day, message=line.message, evictions=evictions)
    if isinstance(line, TurnLine):
        complete(turn, line)
    return turn


def complete(turn: Turn, line: TurnLine | MorningLine) -> None:
    """Add what came of a turn. Raises ValueError if that is not of its calls."""
    turn.outcomes = [
        Outcome(
            call, str(memoryview(each.reply), "utf-8"), each.error, each.day, each.minute, each.minutes, each.mornings
        )
        for call, each in zip(turn.calls, line.outcomes, strict=True)
    ]
    turn.voices, turn.state = cast("list[Record]", line.voices), line.state


class LineWriter:
    """Gives the lines of a record their final form; `head` is that of the lines so far."""

    def __init__(self) -> None:
        self.head = FIRST

    def start(self, terms: Terms, episode: int) -> bytes:
        return self._chained(encode(StartLine(episode=episode, **asdict(terms))))

    def turn(self, turn: Turn) -> bytes:
        """A turn that is complete as it is handed in."""
        return self._chained(_encode(TurnLine(**_handed(turn), **_completed(turn))))

    def handed_in(self, turn: Turn, number: int) -> bytes:
        """A turn, of that number at its seat, which waits for the morning."""
        return self._chained(_encode(HandedLine(turn=number, **_handed(turn))))

    def completed(self, turn: Turn) -> bytes:
        """What came of a turn that was handed in before."""
        return self._chained(_encode(MorningLine(seat=turn.seat, **_completed(turn))))

    def leave(self, seat: int, leave: Leave) -> bytes:
        return self._chained(_encode(LeaveLine(seat, leave.ending, leave.reason)))

    def end(self, ends: Sequence[End]) -> bytes:
        """Does not move the head: a resumed record continues in place of this line."""
        return chained(_encode(EndLine(list(ends))), self.head)[0]

    def _chained(self, content: bytes) -> bytes:
        line, self.head = chained(content, self.head)
        return line


def _handed(turn: Turn) -> dict[str, Any]:
    fields = {name: getattr(turn, name) for name in ("seat", "day", "message", "calls")}
    return {**fields, "evictions": list(turn.evictions)}


def _completed(turn: Turn) -> dict[str, Any]:
    outcomes = [
        OutcomeLine(each.day, each.minute, each.minutes, each.mornings, Raw(each.text.encode()), each.error)
        for each in turn.outcomes
    ]
    return {"voices": list(turn.voices), "outcomes": outcomes, "state": turn.state}
