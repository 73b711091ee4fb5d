"""All files of a new folder, or none: they are written aside, within the folder, and moved into their places."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import HELD, make_folder, sync_folder, try_lock, write_new_file, write_parts

ATTEMPTS = 4
PAUSE_SECONDS = 0.05
LOCKS_FOLDERS = sys.platform != "win32"
CLAIM = ".partial"  # the folder within, in which the files are written
MOVED = ".names"  # in it, once all are written: the names, if several are moved into their places


def refuse_used(folder: Path, advice: str = "give another folder") -> None:
    """Raise RunError for a folder that is not empty: nothing is ever written over."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RunError(f"{folder} is not a folder; {advice}")
        if (folder / CLAIM).is_dir():
            with _locked(folder, advice) as locked:
                _leftovers(folder, advice, locked=locked)
        elif folder.is_dir():
            _leftovers(folder, advice, locked=False)
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error


@contextmanager
def filled_at_once(folder: Path, advice: str = "give another folder") -> Iterator[Path]:
    """A temporary folder for the files of a new or empty folder; they are moved there in the order of their names.

    The folder is locked meanwhile: of two writers one is refused. A writer that fails leaves nothing behind, the
    folders that it made included. What a killed one left is deleted by the next. Raises RunError.
    """
    refuse_used(folder, advice)
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    aside, moved, mine = folder / CLAIM, list[Path](), True
    try:
        make_folder(folder)
        mine = False  # another writer may be quicker
        with _locked(folder, advice) as locked:
            for part in _leftovers(folder, advice, locked=locked):
                _delete(part)
            aside.mkdir()
            mine = True
            try:
                yield aside
                parts = sorted(aside.iterdir())
                if len(parts) > 1:
                    (aside / MOVED).write_text("\n".join(part.name for part in parts), encoding="utf-8")
                for part in parts:
                    moved.append(part.rename(folder / part.name))
                _delete(aside)
                sync_folder(folder)
            except BaseException:
                for part in (aside, *moved):
                    _delete(part)
                raise
    except BaseException as error:
        with suppress(OSError):
            for parent in made if mine else ():
                parent.rmdir()
        if isinstance(error, OSError):
            raise RunError(f"cannot write {error.filename or folder}: {error.strerror}") from error
        raise


def write_folder(folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> list[Path]:
    """Write files, named by their paths within, into a folder that is empty or missing. Raises RunError.

    The content of a large file may come in parts.
    """
    written = []
    with filled_at_once(folder) as aside:
        for name, content in files:
            make_folder((aside / name).parent)
            if isinstance(content, bytes):
                write_new_file(aside / name, content)
            else:
                write_parts(aside / name, content)
            written.append(folder / name)
    return written


def _leftovers(folder: Path, advice: str, *, locked: bool) -> list[Path]:
    """What a killed writer left: its claim, and what it had moved already. Raises RunError if there is anything else.

    Without a lock it may be that of a living one.
    """
    aside, found = folder / CLAIM, sorted(folder.iterdir())
    names = set[str]()
    if aside in found and aside.is_dir() and not aside.is_symlink():
        if not locked:
            raise RunError(f"{folder} is being written by another process, or one was killed; {advice}")
        with suppress(OSError, ValueError):
            names = set((aside / MOVED).read_text(encoding="utf-8").split("\n"))
        names.add(CLAIM)
    if any(path.name not in names for path in found):
        raise RunError(f"{folder} is not empty; {advice}")
    return found


@contextmanager
def _locked(folder: Path, advice: str) -> Iterator[bool]:
    """Held until the process dies, however it dies. Raises RunError if another one holds it.

    False if folders cannot be locked, as on Windows and on some network drives: there `mkdir` alone claims them.
    """
    if not LOCKS_FOLDERS:
        yield False
        return
    file, locked = os.open(folder, os.O_RDONLY), True
    try:
        for attempts_left in reversed(range(ATTEMPTS)):  # one that only looks holds it for a moment
            try:
                try_lock(file)
            except OSError as error:
                locked = error.errno in HELD
                if locked and not attempts_left:
                    raise RunError(f"{folder} is being written by another process; {advice}") from error
                time.sleep(PAUSE_SECONDS if locked else 0)
            else:
                break
        yield locked
    finally:
        os.close(file)


def _delete(path: Path) -> None:
    if path.is_dir():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
