"""An append-only log: a file that is locked while it is written and grows by whole groups of lines."""

import os
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import make_folder, open_file, sync_folder, try_lock, write_all

# A worker whose run was killed over its head stops at the end of its turn: it is given a few seconds.
ATTEMPTS = 60
PAUSE_SECONDS = 0.05


class AppendOnlyLog(AbstractContextManager["AppendOnlyLog"]):
    """Behind `size` nothing is trusted; it goes when, and only when, the first new line is written."""

    def __init__(self, path: Path, attempts: int = ATTEMPTS) -> None:
        self._path = path
        try:
            make_folder(path.parent)
            self._file = open_file(path, os.O_RDWR | os.O_CREAT)
            sync_folder(path.parent)
            locked = _lock(self._file, attempts)
        except OSError as error:
            raise RunError(f"cannot write {path}: {error.strerror}") from error
        if not locked:
            self.close()
            raise RunError(f"{path} is being written by another process; wait until it is done")
        self.size = os.fstat(self._file).st_size
        """Bytes of the file, or to be kept of it."""
        self._next_byte = -1  # that is written next, if the file ends there

    def append(self, lines: bytes, *, sync: bool = True) -> None:
        """With `sync` these lines, and all before them, are on the disk and not only on their way to it."""
        try:
            if self._next_byte != self.size:
                os.ftruncate(self._file, self.size)
                os.lseek(self._file, self.size, os.SEEK_SET)
            write_all(self._file, lines)
            if sync:
                os.fsync(self._file)
                if not os.fstat(self._file).st_nlink:  # it would take every line, and be gone when it is closed
                    raise RunError(f"{self._path} was deleted while its episode was played; the record is lost")
        except OSError as error:
            self._next_byte = -1
            with suppress(OSError):
                os.ftruncate(self._file, self.size)
            raise RunError(
                f"cannot write {self._path}: {error.strerror}; all turns before this one are kept; continue with "
                "ecbench resume once there is room"
            ) from error
        self.size = self._next_byte = self.size + len(lines)

    def cut(self, size: int) -> None:
        """Give up everything behind `size` at once. Raises OSError."""
        os.ftruncate(self._file, size)
        os.fsync(self._file)
        self.size = size

    def close(self) -> None:
        os.close(self._file)

    def __exit__(self, *_: object) -> None:
        self.close()


def is_being_written(path: Path) -> bool:
    """Whether a process holds the log open for writing, which takes its lock for a moment."""
    with suppress(OSError):
        file = open_file(path, os.O_RDONLY)
        try:
            return not try_lock(file)
        finally:
            os.close(file)
    return False


def _lock(file: int, attempts: int) -> bool:
    for attempt in range(attempts):
        if attempt:
            time.sleep(PAUSE_SECONDS)
        if try_lock(file):
            return True
    return False
