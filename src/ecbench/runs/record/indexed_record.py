"""A record where it lies: the place of every group of lines is known, and a turn is read when it is asked for.

A long year has fifty megabytes of replies, of which a reader looks at one turn at a time. The record may be growing.
"""

import os
from collections.abc import Iterator
from typing import BinaryIO, Literal, NamedTuple

from ecbench.errors import RunError
from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import check_start
from ecbench.runs.record.atomic_write import open_file
from ecbench.runs.record.checksums import Checksum
from ecbench.runs.record.events import End, is_over
from ecbench.runs.record.groups import (
    CLOSING,
    Departure,
    Group,
    SeatTurns,
    YearEnd,
    read_closed,
    read_group,
    read_year_end,
)
from ecbench.runs.record.reader import Recording, read_start
from ecbench.runs.results.checksum_manifest import read_checksums

_BUFFER = 1 << 20  # bytes
_LAST_LINE = 65_536  # bytes, in which the end of a year is looked for
_Stat = tuple[int, int, int]  # of a file: which one, its size, when it was written


class IndexedGroup(NamedTuple):
    """Where a group of lines lies, and what it left."""

    kind: Literal["turn", "handed", "completed", "leave"]
    seat: int
    start: int  # in the file, in bytes
    end: int
    state: State | None  # of a complete turn
    day: int  # on which it was handed in, or completed


class IndexedRecord:
    """The whole groups of an episode's record, as far as `refresh` has come. Nothing is written or locked."""

    def __init__(self, run: Run, episode: int) -> None:
        """Raises NoSuchYear where the run has no such episode."""
        run.require(episode)
        self._run = run
        self._episode = episode
        self._path = run.events_path(episode)
        self._sum = Checksum()
        self._seen: _Stat | None = None  # when it was last read to the end of what is whole
        self._broken = False  # a group that is closed and not whole: nothing behind it can be trusted
        self._turns: SeatTurns | None = None
        self._start = 0  # bytes of the first line
        self.groups: list[IndexedGroup] = []
        self.year_end: YearEnd | None = None

    @property
    def read(self) -> int:
        """Bytes indexed so far."""
        return self.groups[-1].end if self.groups else self._start

    @property
    def size(self) -> int:
        """Bytes of the file as it stands."""
        seen = self._stat()
        return seen[1] if seen else 0

    @property
    def finished(self) -> bool:
        return self.year_end is not None and all(map(is_over, self.year_end.ends))

    @property
    def replaced(self) -> bool:
        """Whether what lies there now is not what was read: another file, or one that was cut."""
        seen = self._stat()
        if self._seen is None:
            return False
        return seen is None or seen[0] != self._seen[0] or seen[1] < self.read

    def end(self, seat: int = 0) -> End | None:
        return self.year_end.ends[seat] if self.year_end else None

    def refresh(self) -> Iterator[Group]:
        """The whole groups that have come since. Raises RunError where the record belongs to another run."""
        seen = self._stat()
        if seen is None or seen == self._seen or self._broken:
            return
        self.year_end = None  # of a year that was stopped and is resumed, that line is overwritten
        with self._opened() as file:
            if not self._start and not self._begin(file.readline()):
                return
            file.seek(self.read)
            yield from self._closed_groups(file)
        self._seen = seen

    def group(self, number: int, *, with_replies: bool = True) -> Group:
        """One group, counted from 0."""
        [found] = self.between(number, number + 1, with_replies=with_replies)
        return found

    def between(self, first: int, last: int, *, with_replies: bool = False) -> list[Group]:
        """The groups from `first` up to `last`, by default without replies."""
        found: list[Group] = []
        if last <= first:
            return found
        with self._opened() as file:
            file.seek(self.groups[first].start)
            for place in self.groups[first:last]:
                lines = [line + b"\n" for line in file.read(place.end - place.start).split(b"\n")[:-1]]
                group = read_group(lines, with_replies=with_replies)
                if group is None:
                    raise RunError(f"{self._path} is not what it was when it was opened")
                found.append(group)
        return found

    def turn(self, number: int) -> Turn:
        """A complete turn with its replies, by the number of the group that completed it."""
        group = self.group(number)
        assert isinstance(group.entry, Turn), "a departure is no turn"
        if group.kind != "completed":
            return group.entry
        seat = group.entry.seat
        handed = next(place for place in range(number - 1, -1, -1) if self.groups[place][:2] == ("handed", seat))
        recording = Recording()
        recording.add(self.group(handed))
        recording.add(group)
        return recording.turns[0]

    def _begin(self, line: bytes) -> bool:
        start = Recording()
        if not line.endswith(b"\n") or not read_start(start, line, str(self._path)):
            return False
        check_start(self._run, self._episode, start)
        self._sum.add(line)
        self._start, self._turns = len(line), SeatTurns(start.terms)
        return True

    def _closed_groups(self, file: BinaryIO) -> Iterator[Group]:
        assert self._turns is not None, "the first line has been read"
        lines: list[bytes] = []
        for line in file:
            lines.append(line)
            if not line.endswith(b"\n"):
                return
            if not line.startswith(CLOSING):
                continue
            closed = read_closed(lines, self._turns) if self._matches(lines) else None
            if closed is None:
                self._broken = True
                return
            if isinstance(closed, YearEnd):
                self.year_end = closed
                return
            self._sum.add(line)
            end = self.read + sum(map(len, lines))
            entry = closed.entry
            state, day = (None, 0) if isinstance(entry, Departure) else (entry.state, entry.day)
            self.groups.append(IndexedGroup(closed.kind, entry.seat, self.read, end, state, day))
            lines = []
            yield closed._replace(end=end)

    def _matches(self, lines: list[bytes]) -> bool:
        for line in lines[:-1]:
            self._sum.add(line)
        return self._sum.matches(lines[-1])

    def _opened(self) -> BinaryIO:
        try:
            return os.fdopen(open_file(self._path, os.O_RDONLY), "rb", buffering=_BUFFER)
        except OSError as error:
            raise RunError(f"cannot read {self._path}: {error.strerror}") from error

    def _stat(self) -> _Stat | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def recorded_end(run: Run, episode: int) -> End | None:
    """How a year ended, from the last line of its record alone, where the checksum manifest names that line.

    Enough for a list of years: that the record was not edited is checked when it is indexed.
    """
    found = read_checksums(run.results_folder(episode), run.seat(episode))
    if found is None:
        return None
    try:
        with os.fdopen(open_file(run.events_path(episode), os.O_RDONLY), "rb") as file:
            file.seek(-min(_LAST_LINE, file.seek(0, os.SEEK_END)), os.SEEK_END)
            last = file.read().split(b"\n")[-2]
        closed = read_year_end(last, run.seats)
    except (OSError, IndexError):
        return None
    if closed is None or closed.check != found.end:
        return None
    end = closed.ends[run.seat(episode)]
    return end if end.turns == found.turns else None
