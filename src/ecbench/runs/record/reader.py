"""The one reader of records: whole lines, by turn, day and seat, and what is wrong with the rest.

A last line that was not finished is dropped. Other damage names its line; nothing from there on is used.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from ecbench.errors import RunError
from ecbench.players.turn import Leave, State, Turn
from ecbench.runs.record.atomic_write import opened
from ecbench.runs.record.chain import FIRST, next_head, stated_head
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import (
    LONGEST_LINE,
    SCHEMA,
    End,
    EndLine,
    HandedLine,
    LeaveLine,
    MorningLine,
    StartLine,
    TurnLine,
    complete,
    is_over,
    lines_in,
    read_line,
    turn_of,
)
from ecbench.runs.terms import Terms

_LAST_LINE = 65_536  # bytes, in which the end of a year is looked for

Kind = Literal["turn", "handed", "morning", "leave"]
_KINDS: Mapping[type, Kind] = {TurnLine: "turn", HandedLine: "handed", MorningLine: "morning", LeaveLine: "leave"}
_CLOSED = re.compile(rb',"sha256":"[0-9a-f]{64}"}')
_Stat = tuple[int, int, int]  # of a file: which one, its size, when it was written


class RecordEntry(NamedTuple):
    """A line of a record between its first and its end, and where it lies."""

    kind: Kind
    seat: int
    day: int  # on which a turn was handed in
    state: State | None  # that a complete turn left
    what: Turn | Leave | None  # None if the reader keeps only an index
    start: int  # in the file, in bytes
    end: int
    head: str  # of the chain, up to this line

    @property
    def turn(self) -> Turn:
        assert isinstance(self.what, Turn), "a departure is not a turn"
        return self.what


class YearEnd(NamedTuple):
    """How the year ended at each seat, and the head of the record with that line."""

    ends: tuple[End, ...]
    head: str


Check = Callable[[Terms, int], None]
"""Given the terms and the episode of a record; raises RunError if it belongs to another run."""


class Recording:
    """What a record contains, up to the first thing wrong with it. `take` adds what the file contains behind `kept`.

    With `index_only` the turns themselves are not held: a long year has fifty megabytes of replies.
    """

    def __init__(self, where: str = "the record", check: Check | None = None, *, index_only: bool = False) -> None:
        self.terms: Terms | None = None  # None: not even the first line is whole
        self.episode = 0
        self.entries: list[RecordEntry] = []
        self.turns: list[Turn] = []  # of all seats, in the order in which they acted; none with `index_only`
        self.year_end: YearEnd | None = None
        self.start_size = 0  # bytes of the first line
        self.end_size = 0  # bytes of all lines, once the year has an end
        self.start_head = FIRST
        self.content = b""  # of the whole file, where it was read at once
        self.dropped = ""  # what a killed process left unfinished
        self.damage = ""  # what can no longer be trusted, and from where on
        self._where = where
        self._check = check
        self._index_only = index_only
        self._complete: list[int] = []  # turns, by seat
        self._handed: dict[int, Turn] = {}  # by seat, those that wait for the morning

    @property
    def kept(self) -> int:
        """Bytes to continue behind: all whole lines but the end of the year."""
        return self.entries[-1].end if self.entries else self.start_size

    @property
    def head(self) -> str:
        """The head of the lines after which the record continues."""
        return self.entries[-1].head if self.entries else self.start_head

    @property
    def written(self) -> bytes:
        """The lines to continue behind."""
        return self.content[: self.kept]

    @property
    def begun(self) -> bool:
        return self.terms is not None

    @property
    def finished(self) -> bool:
        """Whether the year has ended for good at every seat."""
        return self.year_end is not None and all(map(is_over, self.year_end.ends))

    def end(self, seat: int = 0) -> End | None:
        return self.year_end.ends[seat] if self.year_end else None

    def turns_of(self, seat: int) -> list[Turn]:
        return [turn for turn in self.turns if turn.seat == seat]

    def complete_turns(self, seat: int) -> list[Turn]:
        """The turns of the seat, without one that waits for the morning."""
        return [turn for turn in self.turns_of(seat) if turn.state is not None]

    def states_of(self, seat: int) -> list[State]:
        """After each complete turn of a seat."""
        return [entry.state for entry in self.entries if entry.seat == seat and entry.state is not None]

    @property
    def states(self) -> list[State]:
        """After each complete turn, in the order in which they were handed in; none with `index_only`."""
        return [turn.state for turn in self.turns if turn.state is not None]

    def before_day(self, day: int) -> list[RecordEntry]:
        """The entries up to the first turn that was handed in on that day or later."""
        return list(takewhile(lambda entry: entry.kind in ("morning", "leave") or entry.day < day, self.entries))

    def take(self, lines: Iterable[bytes]) -> Iterator[RecordEntry]:
        """What follows the lines that are known, as it is read. Raises RunError for a record of another schema."""
        self.year_end, self.end_size, self.dropped = None, 0, ""
        for number, line in enumerate(lines, start=1 + self.begun + len(self.entries)):
            if self.year_end is None and _is_torn(line):  # behind an end nothing is written: a turn takes its place
                self.dropped = f"the {'last' if self.begun else 'first'} line was not finished"
                return
            try:
                if not self.begun:
                    self._begin(line)
                    continue
                entry = self._next(line)
            except ValueError as error:
                problem = f"{error}, so it was edited or damaged"
                self.damage = f"{self._where}, line {number}: {problem}; {self._whole()}"
                return
            if entry is not None:
                yield entry

    def _begin(self, line: bytes) -> None:
        try:
            stated, head = parse(line), next_head(line, FIRST)
            if isinstance(stated, dict) and stated.get("event") == "start" and stated.get("schema") != SCHEMA:
                raise RunError(other_schema(self._where, stated.get("schema")))
            start = typed(stated, StartLine)
        except ValueError as error:
            raise ValueError("this is not the start of a recorded year") from error
        if head is None:
            raise ValueError("it does not match its SHA-256")
        self.terms, self.episode = start.terms, start.episode
        self.start_size, self.start_head = len(line), head
        self._complete = [0] * len(self.terms.seats)
        if self._check:
            self._check(self.terms, self.episode)

    def _next(self, line: bytes) -> RecordEntry | None:
        if self.year_end is not None:
            raise ValueError("there is more after the end of the year")
        head = next_head(line, self.head)
        if head is None:
            raise ValueError("it does not match its SHA-256")
        try:
            found = read_line(line)
            if isinstance(found, EndLine):
                if len(found.seats) != len(self._complete):
                    raise ValueError(f"{len(found.seats)} ends of {len(self._complete)} seats")
                self.year_end, self.end_size = YearEnd(tuple(found.seats), head), self.kept + len(line)
                return None
            what = self._add(found)
        except ValueError as error:
            raise ValueError(f"it is not a line of this record ({error!s:.120})") from error
        day, state = (what.day, what.state) if isinstance(what, Turn) else (0, None)
        entry = RecordEntry(_KINDS[type(found)], found.seat, day, state, what, self.kept, self.kept + len(line), head)
        self.entries.append(entry._replace(what=None) if self._index_only else entry)
        return entry

    def _add(self, line: TurnLine | HandedLine | MorningLine | LeaveLine) -> Turn | Leave:
        """What a line has. Raises ValueError if it cannot come next."""
        if line.seat >= len(self._complete):
            raise ValueError(f"there is no seat {line.seat}")
        if isinstance(line, LeaveLine):
            return _content(line, self._handed)
        number = line.turn if isinstance(line, HandedLine) else line.state.turn
        if number != self._complete[line.seat] + 1 or (line.seat in self._handed) != isinstance(line, MorningLine):
            raise ValueError(f"turn {number} of seat {line.seat} cannot come next")
        if not isinstance(line, HandedLine):
            datetime.fromisoformat(line.state.time)
            self._complete[line.seat] += 1
        found = _content(line, self._handed)
        if isinstance(found, Turn) and not (isinstance(line, MorningLine) or self._index_only):
            self.turns.append(found)
        return found

    def _whole(self) -> str:
        kept, states = len(self.entries), [entry.state for entry in self.entries if entry.state is not None]
        whole = f"the {kept:,} turns before it are whole" if kept else "nothing before it can be used"
        return f"{whole} and reach day {states[-1].day}" if states else whole


def _is_torn(line: bytes) -> bool:
    """Whether a writer was killed, or the power cut, which may leave zeros, before the line was finished."""
    closed = _CLOSED.search(line.rstrip(b"\0")[:-1]) is not None
    return not (closed or line.endswith(b"\n") or len(line) == LONGEST_LINE)


def _content(line: TurnLine | HandedLine | MorningLine | LeaveLine, handed: dict[int, Turn]) -> Turn | Leave:
    """What a line has. A morning completes the turn that was handed in; if that is not known, only its outcomes are."""
    if isinstance(line, LeaveLine):
        return Leave(line.ending, line.reason)
    if isinstance(line, MorningLine):
        turn = handed.pop(line.seat, None) or Turn([{}] * len(line.outcomes), seat=line.seat)
        complete(turn, line)
        return turn
    turn = turn_of(line)
    if isinstance(line, HandedLine):
        handed[line.seat] = turn
    return turn


def read_record(content: bytes | BinaryIO, where: str, check: Check | None = None) -> Recording:
    """Everything that is whole; `where` names the file in messages. Raises RunError for another schema's file."""
    file, recording = BytesIO(content) if isinstance(content, bytes) else content, Recording(where, check)
    deque(recording.take(lines_in(file)), maxlen=0)
    file.seek(0)
    recording.content = content if isinstance(content, bytes) else file.read(recording.end_size or recording.kept)
    return recording


def read_end(file: BinaryIO, terms: Terms, episode: int) -> YearEnd | None:
    """The end of a year, without reading its turns; None if there is none or `read_record` has to tell why."""
    head, first, last = FIRST, b"", b""
    for last in lines_in(file):
        first = first or last
        found = next_head(last, head)
        if found is None:
            return None
        head = found
    try:
        start = typed(parse(first), StartLine)
    except ValueError:
        return None
    same = start.schema == SCHEMA and start.terms == terms and start.episode == episode
    return _stated_end(last, len(terms.seats)) if same else None


def last_line_end(path: Path, seats: int) -> YearEnd | None:
    """The end that the last line of a file states. That the record was not edited is checked when it is read."""
    try:
        with opened(path) as file:
            file.seek(-min(_LAST_LINE, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return _stated_end(file.read().split(b"\n")[-2] + b"\n", seats)
    except (OSError, IndexError):
        return None


def _stated_end(line: bytes, seats: int) -> YearEnd | None:
    try:
        found = read_line(line)
    except ValueError:
        return None
    if not isinstance(found, EndLine) or len(found.seats) != seats:
        return None
    return YearEnd(tuple(found.seats), stated_head(line))


def other_schema(where: str, schema: object) -> str:
    """Why a file of another schema is not read."""
    return f"{where} is written in schema {schema!r:.40}; this version reads schema {SCHEMA} alone"


class FollowedRecord:
    """An index of a record that may be growing: a turn is read when it is asked for. Nothing is written or locked."""

    def __init__(self, path: Path, check: Check) -> None:
        self._path = path
        self._seen: _Stat | None = None  # when it was last read to the end of what is whole
        self.recording = Recording(str(path), check, index_only=True)

    @property
    def entries(self) -> Sequence[RecordEntry]:
        return self.recording.entries

    @property
    def replaced(self) -> bool:
        """Whether what lies there now is not what was read: another file, or one that was cut."""
        seen = self._stat()
        if self._seen is None:
            return False
        return seen is None or seen[0] != self._seen[0] or seen[1] < self.recording.kept

    def refresh(self) -> Iterator[RecordEntry]:
        """The entries that have come since, with their turns."""
        seen = self._stat()
        if seen is None or seen == self._seen or self.recording.damage:
            return
        with self._opened() as file:
            file.seek(self.recording.kept)
            yield from self.recording.take(lines_in(file))
        self._seen = seen

    def between(self, first: int, last: int) -> list[RecordEntry]:
        """The entries from `first` up to `last` with their turns."""
        found, handed = list[RecordEntry](), dict[int, Turn]()
        with self._opened() as file:
            for entry in self.entries[first:last]:
                file.seek(entry.start)
                try:
                    line = read_line(file.read(entry.end - entry.start))
                    assert not isinstance(line, EndLine), "an end is not an entry"
                    content = _content(line, handed)
                except (ValueError, AssertionError) as error:
                    raise RunError(f"{self._path} is not what it was when it was opened") from error
                found.append(entry._replace(what=content))
        return found

    def turn(self, number: int) -> Turn:
        """A complete turn with its replies, by the number of the entry that completed it."""
        first, seat = number, self.entries[number].seat
        if self.entries[number].kind == "morning":
            first = next(n for n in range(number - 1, -1, -1) if self.entries[n][:2] == ("handed", seat))
        return self.between(first, number + 1)[-1].turn

    def _opened(self) -> BinaryIO:
        try:
            return opened(self._path)
        except OSError as error:
            raise RunError(f"cannot read {self._path}: {error.strerror}") from error

    def _stat(self) -> _Stat | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
