"""All files of a new folder, or none: a folder is claimed, filled aside, and cleared away where that fails."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import (
    BINARY,
    HELD,
    MEBIBYTE,
    atomic_write,
    make_folder,
    sync_folder,
    try_lock,
    write_all,
    write_parts,
)

CLAIM = ".partial"  # the folder within, in which the files are written
LOCK = ".partial.lock"  # beside it: held by the writer, and the names of what it moves into the folder


def refuse_used(folder: Path) -> None:
    """Raise RunError for a folder that holds anything but what a killed writer left, which is removed."""
    if (folder / LOCK).exists():
        with _claimed(folder):
            pass
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} is not empty; an export never writes over anything, so give another folder")


def write_folder(folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> list[Path]:
    """Write files, named by their paths within, into a folder that is empty or missing. Raises RunError.

    The content of a large file may come in parts.

    Of two writers one is refused. One that fails leaves nothing behind, the folders that it made included, and the next
    one removes what a killed one left.
    """
    with leaving_nothing(folder):
        try:
            make_folder(folder)
            with _claimed(folder) as lock:
                (folder / CLAIM).mkdir()
                return _filled(folder, files, lock)
        except OSError as error:
            raise RunError(f"cannot write {error.filename or folder}: {error.strerror}") from error


@contextmanager
def _claimed(folder: Path) -> Iterator[int]:
    """Hold the lock of a folder, cleared of what a killed writer left. Raises RunError if another process holds it."""
    path = folder / LOCK
    lock = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
    try:
        _lock(lock, folder)
        moved = os.read(lock, MEBIBYTE).decode(errors="replace").split("\n")
        try:
            for name in moved:
                if name and "/" not in name and name not in (".", ".."):
                    _delete(folder / name)
            rmtree(folder / CLAIM, ignore_errors=True)
            os.ftruncate(lock, 0)
            os.lseek(lock, 0, os.SEEK_SET)
            yield lock
        finally:
            rmtree(folder / CLAIM, ignore_errors=True)
            with suppress(OSError):
                path.unlink()
    finally:
        os.close(lock)


def _lock(lock: int, folder: Path) -> None:
    """Also refused: the file of a writer that has just finished and removed it."""
    try:
        try_lock(lock)
        current = (folder / LOCK).stat().st_ino == os.fstat(lock).st_ino
    except FileNotFoundError:
        current = False
    except OSError as error:
        if error.errno not in HELD:
            raise
        current = False
    if not current:
        raise RunError(f"{folder} is being written by another process; give another folder")


@contextmanager
def leaving_nothing(folder: Path) -> Iterator[None]:
    """Where the block fails, a folder that it made, and those above it, are removed if they are empty."""
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for place in made:
                place.rmdir()
        raise


def _filled(folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]], lock: int) -> list[Path]:
    aside, names = folder / CLAIM, list[str]()
    if set(folder.iterdir()) != {aside, folder / LOCK}:
        raise RunError(f"{folder} was written by another process just now; give another folder")
    for name, content in files:
        make_folder((aside / name).parent)
        if isinstance(content, bytes):
            atomic_write(aside / name, content)
        else:
            write_parts(aside / name, content)
        names.append(name)
    parts = [part.name for part in aside.iterdir()]
    try:
        write_all(lock, "\n".join(parts).encode())
        os.fsync(lock)
        for part in parts:
            (aside / part).rename(folder / part)
        sync_folder(folder)
    except BaseException:
        for part in parts:
            _delete(folder / part)
        raise
    return [folder / name for name in names]


def _delete(path: Path) -> None:
    if path.is_dir():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
