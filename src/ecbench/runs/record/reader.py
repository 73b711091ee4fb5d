"""Recorded years, read back: the turns that are whole, and what is wrong with the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise, takewhile
from typing import NamedTuple

from ecbench.runs.errors import RunError
from ecbench.runs.record.events import SCHEMA, Checksum, End, State, Terms, encode, is_over
from ecbench.runs.record.partial_write import FOLLOWS, is_torn_start, is_torn_turn
from ecbench.runs.record.schema import CallLine, OpeningLine, StartLine, parse, reply_text, typed
from ecbench.seat import Turn

CLOSING = (b'{"event":"state"', b'{"event":"end"')
"""How the last line of a turn, or of a year, begins."""

_CALL = b'{"event":"call"'


@dataclass(slots=True)
class Recording:
    """What a file of events holds, up to the first thing wrong with it."""

    terms: Terms | None = None  # None: not even the first line is whole
    episode: int = 0
    turns: list[Turn] = field(default_factory=list)
    states: list[State] = field(default_factory=list)  # after each turn
    turn_ends: list[int] = field(default_factory=list)  # where the lines of each turn end, in bytes
    end: End | None = None
    end_check: str = ""  # the checksum of the last line, which no other end has
    start_size: int = 0  # bytes of the first line
    content: bytes = b""
    dropped: str = ""  # what a killed process left unfinished
    damage: str = ""  # what can no longer be trusted, and from where on

    @property
    def kept(self) -> int:
        """Bytes to go on behind."""
        return self.turn_ends[-1] if self.turn_ends else self.start_size

    @property
    def written(self) -> bytes:
        """The lines to go on behind."""
        return self.content[: self.kept]

    @property
    def begun(self) -> bool:
        return self.terms is not None

    @property
    def finished(self) -> bool:
        return is_over(self.end)


def read_events(content: bytes, where: str) -> Recording:
    """Everything that is whole; `where` names the file in messages. Raises RunError for another schema's file."""
    recording = Recording(content=content)
    ends = _line_ends(content)
    if not ends and is_torn_start(content):
        recording.dropped = "the first line was not finished" if content else ""
        return recording
    if not ends or not read_start(recording, content[: ends[0]], where):
        recording.damage = f"{where}, line 1: this is not the start of a recorded year, or it was edited or damaged"
        return recording
    first = _read_turns(recording, ends, where)
    if not recording.damage:
        _judge_rest(recording, ends, first, where)
    return recording


def read_end(content: bytes, terms: Terms, episode: int) -> tuple[End, str] | None:
    """The end of a year that is over and its checksum, without reading the turns: the sum vouches for every byte.

    None where the record has no end, is damaged or was made under other terms, which `read_events` tells apart.
    """
    begin = content.rfind(b"\n", 0, len(content) - 1) + 1
    start = content[: content.find(b"\n") + 1]
    checksum = Checksum()
    checksum.add(memoryview(content)[:begin])
    if not content.startswith(CLOSING[1], begin) or not checksum.holds(content[begin:]):
        return None
    recording = Recording()
    if not read_start(recording, start, "") or recording.terms != terms or recording.episode != episode:
        return None
    closing = parse(content[begin:])
    return typed(closing, End), closing["check"]


def _line_ends(content: bytes) -> list[int]:
    """Behind each line break. A record may be large: its lines are looked at where they lie."""
    ends = []
    end = content.find(b"\n") + 1
    while end:
        ends.append(end)
        end = content.find(b"\n", end) + 1
    return ends


def read_start(recording: Recording, line: bytes, where: str) -> bool:
    try:
        record = parse(line)
    except ValueError:
        return False
    if not isinstance(record, dict) or record.get("event") != "start":
        return False
    if record.get("schema") != SCHEMA:
        raise RunError(
            f"{where} is written in schema {record.get('schema')!r:.40}; this version of ecbench reads schema {SCHEMA}"
        )
    try:
        start = typed(record, StartLine)
    except ValueError:
        return False
    if encode(record) != line:  # whoever gave it another form has been at the other lines too
        return False
    recording.terms, recording.episode = start.terms(), start.episode
    recording.start_size = len(line)
    return True


def _read_turns(recording: Recording, ends: Sequence[int], where: str) -> int:
    """Take every group of lines that is closed and whole; the number of the first line behind them."""
    content, view, checksum = recording.content, memoryview(recording.content), Checksum()
    first, summed = 1, 0  # the first line of the turn being read, and how far the checksum has come
    for number in range(1, len(ends)):
        begin, end = ends[number - 1], ends[number]
        if not content.startswith(CLOSING, begin):
            continue
        checksum.add(view[summed:begin])
        lines = [content[ends[line - 1] : ends[line]] for line in range(first, number + 1)]
        if not (checksum.holds(lines[-1]) and _take(recording, lines)):
            place = f"{where}, {_place(first, number)}"
            _damaged(recording, f"{place}: the lines do not match their checksum, so they were")
            break
        checksum.add(view[begin:end])
        first, summed = number + 1, end
        if recording.end is not None:
            break
        recording.turn_ends.append(end)
    return first


def _take(recording: Recording, lines: Sequence[bytes]) -> bool:
    """Add a turn, or the end, to the recording; False where its lines are not what such a group consists of."""
    closed = read_closed(lines, len(recording.turns))
    if isinstance(closed, ClosedYear):
        recording.end, recording.end_check = closed.end, closed.check
    elif closed is not None:
        recording.turns.append(closed.turn)
        recording.states.append(closed.state)
    return closed is not None


class ClosedTurn(NamedTuple):
    """A turn and where the merchant stands after it."""

    turn: Turn
    state: State


class ClosedYear(NamedTuple):
    """How a year ended, and the checksum of the line that says so."""

    end: End
    check: str


def read_closed(lines: Sequence[bytes], turns: int) -> ClosedTurn | ClosedYear | None:
    """The lines that stand behind so many turns, up to a closing one; None where they are not such a group."""
    *before, last = lines
    try:
        closing = parse(last)
        if closing["event"] == "end":
            end, check = typed(closing, End), closing["check"]
            return None if before or end.turns != turns else ClosedYear(end, check)
        turn, state = read_turn(before), typed(closing, State)
        datetime.fromisoformat(state.time)
    except (ValueError, LookupError, TypeError):
        return None
    return ClosedTurn(turn, state) if state.turn == turns + 1 else None


def read_turn(lines: Sequence[bytes], *, with_replies: bool = True) -> Turn:
    """Raises ValueError, LookupError or TypeError where the lines are not those of a turn."""
    opening = sum(1 for _ in takewhile(lambda line: not line.startswith(_CALL), lines))
    records = [parse(line) for line in lines[:opening]]
    calls = [parse(line) for line in lines[opening::2]]
    answers = lines[opening + 1 :: 2]
    replies = [reply_text(line) for line in answers] if with_replies else []
    typed(records, list[OpeningLine])
    typed(calls, list[CallLine])
    events = [record.pop("event") for record in (*records, *calls)][:opening]
    if len(calls) != len(answers) or not _in_order(events):
        raise ValueError(f"no turn begins with {events} and has {len(calls)} calls and {len(answers)} replies")
    spoken = events.index("turn")
    said = records[spoken]
    del said["turn"]
    return Turn(calls, replies, said, records[:spoken], records[spoken + 1 :])


def _in_order(events: Sequence[str]) -> bool:
    return all(event in FOLLOWS[before] for before, event in pairwise(["", *events, "state"]))


def _judge_rest(recording: Recording, ends: Sequence[int], first: int, where: str) -> None:
    """What lies behind the last whole turn is a turn in flight when its writer was killed, or it is damage."""
    lines = len(ends) + (ends[-1] < len(recording.content))
    left = lines - first
    if not left:
        return
    place = f"{where}, {_place(first, lines - 1)}"
    if recording.end is not None:
        _damaged(recording, f"{place}: there is more behind the end of the year, which was")
    elif is_torn_turn(recording.content[recording.kept :], len(recording.turns) + 1):
        lasts = "the last line belongs" if left == 1 else f"the last {left} lines belong"
        recording.dropped = f"{lasts} to a turn that was not finished"
    else:
        _damaged(recording, f"{place}: this is not a turn that was cut off while it was written, so the lines were")


def _place(first: int, last: int) -> str:
    return f"lines {first + 1} to {last + 1}" if last > first else f"line {last + 1}"


def _damaged(recording: Recording, what: str) -> None:
    kept = len(recording.turns)
    whole = f"the {kept:,} turns before it are whole" if kept else "nothing before it can be used"
    if recording.states:
        whole += f" and reach day {recording.states[-1].day}"
    recording.damage = f"{what} edited or damaged; {whole}"
