"""One year's file of events: locked while it is written, only ever grown by whole turns."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from ecbench.runs.problems import RunError

# A worker whose run was killed over its head stops at the end of its turn: it is given a few seconds.
ATTEMPTS = 60
PAUSE_SECONDS = 0.05


class EventsFile:
    """Behind `keep(size)` nothing is trusted; it goes when, and only when, the first new line is written."""

    def __init__(self, path: Path, attempts: int = ATTEMPTS) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, _FLAGS, 0o666)
        except OSError as error:
            raise RunError(f"cannot write {path}: {error.strerror}") from error
        try:
            _lock(self._file, path, attempts)
        except RunError:
            os.close(self._file)
            raise
        self._end = os.fstat(self._file).st_size
        self._clean = True

    def read(self) -> bytes:
        return self._path.read_bytes()

    def keep(self, size: int) -> None:
        self._clean = size == self._end
        self._end = size

    def append(self, lines: bytes) -> None:
        try:
            if not self._clean:
                os.ftruncate(self._file, self._end)
                self._clean = True
            self._write(lines)
        except OSError as error:
            self._clean = False
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise RunError(
                f"cannot write {self._path}: {error.strerror}; all turns before this one are kept, go on with "
                "ecbench resume once there is room"
            ) from error
        self._end += len(lines)

    def close(self) -> None:
        os.close(self._file)

    def _write(self, lines: bytes) -> None:
        os.lseek(self._file, self._end, os.SEEK_SET)
        rest = memoryview(lines)
        while rest:
            rest = rest[os.write(self._file, rest) :]

    def __enter__(self) -> "EventsFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


if sys.platform == "win32":
    import msvcrt

    _FLAGS = os.O_RDWR | os.O_CREAT | os.O_BINARY

    def _try_lock(file: int) -> None:
        os.lseek(file, 2**62, os.SEEK_SET)  # a byte nobody writes: a locked range cannot be read by others
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    _FLAGS = os.O_RDWR | os.O_CREAT

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock(file: int, path: Path, attempts: int) -> None:
    """Held until the file is closed or the process dies, however it dies."""
    for attempts_left in reversed(range(attempts)):
        try:
            _try_lock(file)
        except OSError as error:
            if not attempts_left:
                raise RunError(f"{path} is being written by another process; wait until it is done") from error
            time.sleep(PAUSE_SECONDS)
        else:
            return
