"""Atomic writes, durable folders and reads within limits; all failures are an OSError with a `strerror` to show."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO

from ecbench.errors import RunError

MEBIBYTE = 1024 * 1024
MANIFEST_LIMIT = 16 * MEBIBYTE  # of run.json
LARGEST = 2048 * MEBIBYTE  # of any file of a run, its manifest apart


def open_file(path: Path, flags: int) -> int:
    """A regular file, which a link may lead to: what else can be opened may block, never end, or be a device."""
    if path.is_symlink() and not path.exists():
        raise OSError(errno.ELOOP, "it is a link that leads nowhere", str(path))
    file = os.open(path, flags | os.O_NONBLOCK, 0o666)  # to open a pipe that nobody writes to would wait for ever
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "it is a folder, a device or a pipe, not a file", str(path))


def read_file(path: Path, limit: int = LARGEST) -> bytes:
    """The content of a regular file. Raises OSError for anything else, and for a file above the limit."""
    with opened(path, limit) as file:
        return file.read()


def opened(path: Path, limit: int = LARGEST) -> BinaryIO:
    """A regular file, to be read part by part. Raises OSError for anything else, and for a file above the limit."""
    stream = os.fdopen(open_file(path, os.O_RDONLY), "rb", buffering=MEBIBYTE)
    size = os.fstat(stream.fileno()).st_size
    if size > limit:
        stream.close()
        raise OSError(errno.EFBIG, f"it has {size:,} bytes, more than the {limit:,} that are read", str(path))
    return stream


def atomic_write(path: Path, content: bytes, *, sync: bool = True) -> None:
    """All of a file or nothing. Without `sync`, for derived files, a power cut may leave an empty one."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    write_new_file(partial, content, sync=sync)
    try:
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def write_new_file(path: Path, content: bytes | Iterable[bytes], mode: int = 0o666, *, sync: bool = True) -> None:
    """Write a file that must not exist yet, neither as a link, part by part; a failure leaves none."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            for part in (content,) if isinstance(content, bytes) else content:
                write_all(file, part)
            if sync:
                os.fsync(file)
        finally:
            os.close(file)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def write_all(file: int, content: bytes) -> None:
    """Write until nothing is left: the system may take a part at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def make_folder(folder: Path) -> None:
    """With those above it, and so that it survives a power cut."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """The names in a folder, as `os.fsync` does for a file's content."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot do it, and need not
            raise
    finally:
        os.close(file)


def try_lock(file: int) -> bool:
    """Hold an open file until it is closed or the process dies, however it dies; False if another one holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


CLAIM = ".partial"  # the folder within, in which the files are written; who makes it may fill the folder


def refuse_used(folder: Path, advice: str = "give another folder") -> None:
    """Raise RunError for a folder that is not empty: nothing is ever written over."""
    try:
        used = any(folder.iterdir())
    except FileNotFoundError as error:
        if folder.is_symlink():
            raise RunError(f"{folder} is a link that leads nowhere; {advice}") from error
        return
    except NotADirectoryError as error:
        raise RunError(f"{folder} is not a folder; {advice}") from error
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error
    if (folder / CLAIM).is_dir():
        raise RunError(f"{folder} is being written by another process, or one was killed; {advice}, or delete this one")
    if used:
        raise RunError(f"{folder} is not empty; {advice}")


def write_folder(
    folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]], advice: str = "give another folder"
) -> list[Path]:
    """Write files, named by their paths within, into a folder that is empty or missing, or nothing. Raises RunError."""
    refuse_used(folder, advice)
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    aside, written = folder / CLAIM, list[Path]()
    try:
        make_folder(folder)
        try:
            aside.mkdir()
        except FileExistsError:
            refuse_used(folder, advice)  # another writer was quicker
            raise
        try:
            if len(list(folder.iterdir())) > 1:
                raise RunError(f"{folder} is not empty; {advice}")
            for name, content in files:
                make_folder((aside / name).parent)
                write_new_file(aside / name, content)
                sync_folder((aside / name).parent)
                written.append(folder / name)
            for part in sorted(aside.iterdir()):
                part.rename(folder / part.name)
        finally:
            rmtree(aside, ignore_errors=True)
        sync_folder(folder)
    except OSError as error:
        raise RunError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    finally:
        for parent in made:
            with suppress(OSError):  # it is not empty, unless nothing was written
                parent.rmdir()
    return written
