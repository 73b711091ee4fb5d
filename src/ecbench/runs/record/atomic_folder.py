"""All files of a new folder, or none: they are written aside, within the folder, and moved into their places."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import make_folder, sync_folder, write_new_file, write_parts

CLAIM = ".partial"  # the folder within, in which the files are written


def refuse_used(folder: Path, advice: str = "give another folder") -> None:
    """Raise RunError for a folder that is not empty: nothing is ever written over."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RunError(f"{folder} is not a folder; {advice}")
        if folder.is_dir():
            _refuse_others(folder, set(), advice)
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error


@contextmanager
def filled_at_once(folder: Path, advice: str = "give another folder") -> Iterator[Path]:
    """A place for the files of a folder that is empty or missing; they are moved there in the order of their names.

    `mkdir` claims the folder: of two writers one is refused. One that fails leaves nothing behind, the folders that it
    made included. Raises RunError.
    """
    refuse_used(folder, advice)
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    aside, moved = folder / CLAIM, list[Path]()
    try:
        make_folder(folder)
        try:
            aside.mkdir()
        except FileExistsError as error:
            raise _claimed(folder, advice) from error
        try:
            _refuse_others(folder, {aside}, advice)
            yield aside
            for part in sorted(aside.iterdir()):
                moved.append(part.rename(folder / part.name))
            aside.rmdir()
            sync_folder(folder)
        except BaseException:
            for part in (aside, *moved):
                _delete(part)
            raise
    except BaseException as error:
        with suppress(OSError):
            for place in made:
                place.rmdir()
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


def _refuse_others(folder: Path, own: set[Path], advice: str) -> None:
    found = set(folder.iterdir()) - own
    if folder / CLAIM in found:
        raise _claimed(folder, advice)
    if found:
        raise RunError(f"{folder} is not empty; {advice}")


def _claimed(folder: Path, advice: str) -> RunError:
    return RunError(f"{folder} is being written by another process, or one was killed there; delete it, or {advice}")


def _delete(path: Path) -> None:
    if path.is_dir():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
