"""All files of a new folder, or none: a folder is claimed, filled aside, and cleared away where that fails."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import atomic_write, make_folder, sync_folder, write_parts

CLAIM = ".partial"  # the folder within, of which two writers can make only one, and in which the files are written


def refuse_used(folder: Path) -> None:
    """Raise RunError for a folder that holds anything: nothing is written over."""
    if (folder / CLAIM).exists():
        raise RunError(f"{folder} is being written by another process, or one was killed there; give another folder")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} is not empty; an export never writes over anything, so give another folder")


def write_folder(folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> list[Path]:
    """Write files, named by their paths within, into a folder that is empty or missing. Raises RunError.

    The content of a large file may come in parts.

    Of two writers one is refused. One that fails leaves nothing behind, the folders that it made included.
    """
    with leaving_nothing(folder):
        try:
            make_folder(folder)
            (folder / CLAIM).mkdir()
            try:
                return _filled(folder, files)
            finally:
                rmtree(folder / CLAIM, ignore_errors=True)
        except FileExistsError as error:
            raise RunError(f"{folder} is being written by another process; give another folder") from error
        except OSError as error:
            raise RunError(f"cannot write {error.filename or folder}: {error.strerror}") from error


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


def _filled(folder: Path, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> list[Path]:
    aside, names = folder / CLAIM, list[str]()
    if set(folder.iterdir()) != {aside}:
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
