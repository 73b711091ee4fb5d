"""Recorded episodes, read back: the groups of lines that are whole, and what is wrong with the rest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from ecbench.errors import RunError
from ecbench.players.turn import State, Turn
from ecbench.runs.record.checksums import Checksum, encode
from ecbench.runs.record.events import SCHEMA, End, is_over
from ecbench.runs.record.groups import CLOSING, Group, SeatTurns, YearEnd, read_closed, read_year_end
from ecbench.runs.record.partial_write import is_partial_group, is_partial_start
from ecbench.runs.record.schema import (
    StartLine,
    parse,
    typed,
)
from ecbench.runs.terms import Terms
from ecbench.tools.outcome import Outcome


@dataclass(slots=True)
class Recording:
    """What a record holds, up to the first thing wrong with it."""

    terms: Terms | None = None  # None: not even the first line is whole
    episode: int = 0
    groups: list[Group] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)  # of all seats, in the order in which they acted
    year_end: YearEnd | None = None
    start_size: int = 0  # bytes of the first line
    content: bytes = b""
    dropped: str = ""  # what a killed process left unfinished
    damage: str = ""  # what can no longer be trusted, and from where on

    @property
    def kept(self) -> int:
        """Bytes to continue behind."""
        return self.groups[-1].end if self.groups else self.start_size

    @property
    def written(self) -> bytes:
        """The lines to continue behind."""
        return self.content[: self.kept]

    @property
    def begun(self) -> bool:
        return self.terms is not None

    @property
    def finished(self) -> bool:
        """Whether the year is over for good at every seat."""
        return self.year_end is not None and all(map(is_over, self.year_end.ends))

    @property
    def end_check(self) -> str:
        """The checksum of the last line, which no other end has."""
        return self.year_end.check if self.year_end else ""

    def end(self, seat: int = 0) -> End | None:
        return self.year_end.ends[seat] if self.year_end else None

    def turns_of(self, seat: int) -> list[Turn]:
        return [turn for turn in self.turns if turn.seat == seat]

    def complete_turns(self, seat: int) -> list[Turn]:
        """The turns of the seat, without one that waits for the morning."""
        return [turn for turn in self.turns_of(seat) if turn.state is not None]

    @property
    def states(self) -> list[State]:
        """After each complete turn."""
        return [turn.state for turn in self.turns if turn.state is not None]

    def add(self, group: Group) -> bool:
        """Take a group; False where it cannot stand there."""
        entry = group.entry
        if group.kind == "completed":
            assert isinstance(entry, Turn)
            pending = next((turn for turn in reversed(self.turns) if turn.seat == entry.seat), None)
            if pending is None or pending.state is not None or len(pending.calls) != len(entry.outcomes):
                return False
            pending.outcomes = [_of(call, outcome) for call, outcome in zip(pending.calls, entry.outcomes)]
            pending.voices, pending.state = entry.voices, entry.state
            group = group._replace(entry=pending)
        elif isinstance(entry, Turn):
            self.turns.append(entry)
        self.groups.append(group)
        return True


def _of(call: Any, outcome: Outcome) -> Outcome:
    return Outcome(call, outcome.text, outcome.error, outcome.day, outcome.minute, outcome.minutes, outcome.mornings)


def read_record(content: bytes, where: str) -> Recording:
    """Everything that is whole; `where` names the file in messages. Raises RunError for another schema's file."""
    recording = Recording(content=content)
    ends = _line_ends(content)
    if not ends and is_partial_start(content):
        recording.dropped = "the first line was not finished" if content else ""
        return recording
    if not ends or not read_start(recording, content[: ends[0]], where):
        recording.damage = f"{where}, line 1: this is not the start of a recorded year, or it was edited or damaged"
        return recording
    first = _read_groups(recording, ends, where)
    if not recording.damage:
        _judge_rest(recording, ends, first, where)
    return recording


def read_end(content: bytes, terms: Terms, episode: int) -> YearEnd | None:
    """The end of a year and its checksum, without reading the turns: the checksum covers every byte.

    None where the record has no end, is damaged or was made under other terms, which `read_record` tells apart.
    """
    begin = content.rfind(b"\n", 0, len(content) - 1) + 1
    start = content[: content.find(b"\n") + 1]
    checksum = Checksum()
    checksum.add(memoryview(content)[:begin])
    if not content.startswith(CLOSING[-1], begin) or not checksum.matches(content[begin:]):
        return None
    recording = Recording()
    if not read_start(recording, start, "") or recording.terms is None:
        return None
    if recording.terms.to_json() != terms.to_json() or recording.episode != episode:
        return None
    return read_year_end(content[begin:], len(terms.seats))


def _line_ends(content: bytes) -> list[int]:
    """Behind each line break. A record may be large: its lines are looked at where they lie."""
    ends = []
    end = content.find(b"\n") + 1
    while end:
        ends.append(end)
        end = content.find(b"\n", end) + 1
    return ends


def read_start(recording: Recording, line: bytes, where: str) -> bool:
    """Take the first line; False where it is none. Raises RunError for another schema's record."""
    try:
        record = parse(line)
    except ValueError:
        return False
    if not isinstance(record, dict) or record.get("event") != "start":
        return False
    if record.get("schema") != SCHEMA:
        raise RunError(other_schema(where, record.get("schema")))
    try:
        start = typed(record, StartLine)
    except ValueError:
        return False
    if encode(record) != line:  # a line of another form was not written here
        return False
    recording.terms, recording.episode = start.terms(), start.episode
    recording.start_size = len(line)
    return True


def other_schema(where: str, schema: object) -> str:
    """Why a file of another schema is not read."""
    return f"{where} is written in schema {schema!r:.40}; this version reads schema {SCHEMA} alone"


def _read_groups(recording: Recording, ends: Sequence[int], where: str) -> int:
    """Take every group of lines that is closed and whole; the number of the first line behind them."""
    content, view, checksum = recording.content, memoryview(recording.content), Checksum()
    first, summed = 1, 0  # the first line of the group being read, and how far the checksum has come
    turns = SeatTurns(recording.terms)
    for number in range(1, len(ends)):
        begin, end = ends[number - 1], ends[number]
        if not content.startswith(CLOSING, begin):
            continue
        checksum.add(view[summed:begin])
        lines = [content[ends[line - 1] : ends[line]] for line in range(first, number + 1)]
        closed = read_closed(lines, turns) if checksum.matches(lines[-1]) else None
        if closed is None or (isinstance(closed, Group) and not recording.add(closed._replace(end=end))):
            place = f"{where}, {_place(first, number)}"
            _damaged(recording, f"{place}: the lines do not match their checksum, so they were")
            break
        checksum.add(view[begin:end])
        first, summed = number + 1, end
        if isinstance(closed, YearEnd):
            recording.year_end = closed
            break
    return first


def _judge_rest(recording: Recording, ends: Sequence[int], first: int, where: str) -> None:
    """What lies behind the last closed group is a partial write of a killed process, or it is damage."""
    lines = len(ends) + (ends[-1] < len(recording.content))
    left = lines - first
    if not left:
        return
    place = f"{where}, {_place(first, lines - 1)}"
    if recording.year_end is not None:
        _damaged(recording, f"{place}: there is more behind the end of the year, which was")
    elif is_partial_group(recording.content[recording.kept :], _next_turns(recording)):
        lasts = "the last line belongs" if left == 1 else f"the last {left} lines belong"
        recording.dropped = f"{lasts} to a turn that was not finished"
    else:
        _damaged(recording, f"{place}: this is not a turn that was cut off while it was written, so the lines were")


def _next_turns(recording: Recording) -> set[int]:
    """The number that the next turn of a seat would have, of all seats."""
    complete = Counter(turn.seat for turn in recording.turns if turn.state is not None)
    return {complete[seat] + 1 for seat in range(len(recording.terms.seats) if recording.terms else 1)}


def _place(first: int, last: int) -> str:
    return f"lines {first + 1} to {last + 1}" if last > first else f"line {last + 1}"


def _damaged(recording: Recording, what: str) -> None:
    kept, states = len(recording.groups), recording.states
    whole = f"the {kept:,} turns before it are whole" if kept else "nothing before it can be used"
    if states:
        whole += f" and reach day {states[-1].day}"
    recording.damage = f"{what} edited or damaged; {whole}"


def groups_before(recording: Recording, day: int) -> Iterator[Group]:
    """The groups up to the first turn that was handed in on that day or later."""
    return takewhile(
        lambda group: group.kind not in ("turn", "handed") or getattr(group.entry, "day", 0) < day, recording.groups
    )
