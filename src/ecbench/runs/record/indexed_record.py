"""A record where it lies: the place of every turn is known, and a turn is read when somebody asks for it.

A long year has fifty megabytes of replies, of which a reader looks at one turn at a time. The record may be growing.
"""

import os
from collections.abc import Iterator
from typing import BinaryIO

from ecbench.runs.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import check_start
from ecbench.runs.record.atomic_write import open_file
from ecbench.runs.record.events import Checksum, End, State, is_over
from ecbench.runs.record.reader import CLOSING, ClosedYear, Recording, read_closed, read_start, read_turn
from ecbench.runs.results.checksums import read_seal
from ecbench.seat import Turn

_BUFFER = 1 << 20  # bytes
_LAST_LINE = 8_192  # bytes, in which the end of a year is looked for
_Seen = tuple[int, int, int]  # of a file: which one, its size, when it was written


class Reel:
    """The whole turns of an episode's record, as far as `wind` has come. Nothing is written or locked."""

    def __init__(self, run: Run, episode: int) -> None:
        """Raises NoSuchYear where the run has no such episode."""
        run.require(episode)
        self._run = run
        self._episode = episode
        self._path = run.events_path(episode)
        self._sum = Checksum()
        self._ends: list[int] = []  # where the first line, and each turn, end
        self._seen: _Seen | None = None  # when it was last wound to the end of what is whole
        self._broken = False  # a group that is closed and not whole: nothing behind it can be trusted
        self.states: list[State] = []  # after each turn
        self.end: End | None = None

    @property
    def turns(self) -> int:
        return len(self.states)

    @property
    def read(self) -> int:
        """Bytes wound so far."""
        return self._ends[-1] if self._ends else 0

    @property
    def size(self) -> int:
        """Bytes of the file as it stands."""
        seen = self._look()
        return seen[1] if seen else 0

    @property
    def finished(self) -> bool:
        return is_over(self.end)

    @property
    def replaced(self) -> bool:
        """Whether what lies there now is not what was read: another file, or one that was cut."""
        seen = self._look()
        if self._seen is None:
            return False
        return seen is None or seen[0] != self._seen[0] or seen[1] < self.read

    def bytes_between(self, first: int, last: int) -> int:
        """What the turns behind the first so many, up to the last so many, take."""
        return self._ends[last] - self._ends[first] if last > first else 0

    def wind(self) -> Iterator[Turn]:
        """The whole turns that have come since. Raises RunError where the record belongs to another run."""
        seen = self._look()
        if seen is None or seen == self._seen or self._broken:
            return
        self.end = None  # of a year that was stopped and goes on, that line is written over
        with self._opened() as file:
            if not self._ends and not self._begin(file.readline()):
                return
            file.seek(self.read)
            yield from self._closed_turns(file)
        self._seen = seen

    def turn(self, number: int) -> Turn:
        """One turn, counted from 1, with its replies."""
        [turn] = self._turns(number - 1, number, with_replies=True)
        return turn

    def calls(self, first: int, last: int) -> list[Turn]:
        """The turns behind the first so many, up to the last so many, without what was replied."""
        return self._turns(first, last, with_replies=False)

    def _turns(self, first: int, last: int, *, with_replies: bool) -> list[Turn]:
        if last <= first:
            return []
        with self._opened() as file:
            file.seek(self._ends[first])
            found = []
            for number in range(first, last):
                lines = file.read(self._ends[number + 1] - self._ends[number]).split(b"\n")
                try:
                    found.append(read_turn(lines[:-2], with_replies=with_replies))  # without its state
                except (ValueError, LookupError, TypeError) as problem:
                    raise RunError(f"{self._path} is not what it was when it was opened") from problem
        return found

    def _begin(self, line: bytes) -> bool:
        start = Recording()
        if not line.endswith(b"\n") or not read_start(start, line, str(self._path)):
            return False
        check_start(self._run, self._episode, start, self._path)
        self._sum.add(line)
        self._ends.append(len(line))
        return True

    def _closed_turns(self, file: BinaryIO) -> Iterator[Turn]:
        group: list[bytes] = []
        for line in file:
            group.append(line)
            if not line.endswith(b"\n"):
                return
            if not line.startswith(CLOSING):
                continue
            closed = read_closed(group, self.turns) if self._vouched(group) else None
            if closed is None:
                self._broken = True
                return
            if isinstance(closed, ClosedYear):
                self.end = closed.end
                return
            self._sum.add(line)
            self._ends.append(self.read + sum(map(len, group)))
            self.states.append(closed.state)
            group = []
            yield closed.turn

    def _vouched(self, group: list[bytes]) -> bool:
        for line in group[:-1]:
            self._sum.add(line)
        return self._sum.holds(group[-1])

    def _opened(self) -> BinaryIO:
        try:
            return os.fdopen(open_file(self._path, os.O_RDONLY), "rb", buffering=_BUFFER)
        except OSError as error:
            raise RunError(f"cannot read {self._path}: {error.strerror}") from error

    def _look(self) -> _Seen | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def sealed_end(run: Run, episode: int) -> End | None:
    """How a year ended, from the last line of its record alone, where the files beside it are sealed with that line.

    Enough for a list of years: that nobody has edited it is known to whoever winds the record.
    """
    found = read_seal(run.episode_folder(episode))
    if found is None:
        return None
    try:
        with os.fdopen(open_file(run.events_path(episode), os.O_RDONLY), "rb") as file:
            file.seek(-min(_LAST_LINE, file.seek(0, os.SEEK_END)), os.SEEK_END)
            last = file.read().split(b"\n")[-2]
        closed = read_closed([last], found.turns)
    except (OSError, IndexError):
        return None
    return closed.end if isinstance(closed, ClosedYear) and closed.check == found.end else None
