"""The record of a round's market: who acted when, who left, and the mornings.

All of it follows from the records of the seats, so a record that is shorter than they are, because its process was
killed, is simply written on. It is there to be compared with: the same seats and answers give the same lines.
"""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from ecbench.runs.errors import Divergence, RunError
from ecbench.runs.record.append_only_log import EventsFile
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import Checksum, encode
from ecbench.runs.record.recorder import difference
from ecbench.runs.record.schema import parse
from ecbench.seat import Record

FILE = "market.jsonl"
_MOVES = (b'{"event":"act"', b'{"event":"leave"')


class MarketRecord:
    """Lines that are there already are compared with, later ones are written."""

    def __init__(self, path: Path, *, writing: bool = True) -> None:
        self._path = path
        self._file = EventsFile(path) if writing else None
        self._lines = read_lines(path) if self._file is None else _whole_lines(self._file.read())
        if self._file is not None:
            self._file.keep(sum(map(len, self._lines)))
        self._place = 0
        self._sum = Checksum()

    def note(self, event: str, **facts: object) -> None:
        self._add(encode({"event": event, **facts}))

    def seal(self, event: str, **facts: object) -> None:
        """A line that vouches for all before it, and sees them to the disk."""
        self._add(self._sum.seal({"event": event, **facts}), sync=True)

    def departure(self, seat: int) -> Record | None:
        """The line that comes next in the record, if it says that this seat leaves."""
        if self._place >= len(self._lines):
            return None
        line: Record = parse(self._lines[self._place])
        return line if line.get("event") == "leave" and line.get("seat") == seat else None

    @property
    def ahead(self) -> bool:
        return self._place < len(self._lines)

    def _add(self, line: bytes, *, sync: bool = False) -> None:
        if self._place < len(self._lines):
            recorded = self._lines[self._place]
            if recorded != line:
                there = difference(recorded.decode(errors="replace"), line.decode())
                raise Divergence(f"{self._path}, line {self._place + 1}: {there}")
        elif self._file is not None:
            self._file.append(line, sync=sync)
            self._lines.append(line)
        self._place += 1
        self._sum.add(line)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> "MarketRecord":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_lines(path: Path) -> list[bytes]:
    """The lines that are written to their end; none where there is no record yet."""
    try:
        return _whole_lines(read_file(path))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error


def moves_in(lines: Iterable[bytes]) -> list[Record]:
    """What the seats did, without the mornings between and the end."""
    return [parse(line) for line in lines if line.startswith(_MOVES)]


def _whole_lines(content: bytes) -> list[bytes]:
    return [line for line in content.splitlines(keepends=True) if line.endswith(b"\n")]
