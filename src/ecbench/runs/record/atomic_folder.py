"""All files of a new folder, or none: they are written aside, within the folder, and moved into their places."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import make_folder, sync_folder, write_new_file

CLAIM = ".partial"  # the folder within, in which the files are written; who makes it may fill the folder


def refuse_used(folder: Path, advice: str = "give another folder") -> None:
    """Raise RunError for a folder that is not empty: nothing is ever written over."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RunError(f"{folder} is not a folder; {advice}")
        used = folder.exists() and any(folder.iterdir())
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error
    if (folder / CLAIM).is_dir():
        raise _claimed(folder, advice)
    if used:
        raise RunError(f"{folder} is not empty; {advice}")


def _claimed(folder: Path, advice: str) -> RunError:
    return RunError(f"{folder} is being written by another process, or one was killed; {advice}, or delete this one")


@contextmanager
def filled_at_once(folder: Path, advice: str = "give another folder") -> Iterator[Path]:
    """A temporary folder for the files of a new or empty folder; they are moved there in the order of their names.

    Of two writers one is refused. A writer that fails leaves nothing behind, the folders that it made included.
    Raises RunError.
    """
    refuse_used(folder, advice)
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    aside, moved = folder / CLAIM, list[Path]()
    try:
        make_folder(folder)
        try:
            aside.mkdir()
        except FileExistsError:
            made = []  # it is of another writer, which was quicker
            raise _claimed(folder, advice) from None
        try:
            if len(list(folder.iterdir())) > 1:
                raise RunError(f"{folder} is not empty; {advice}")
            yield aside
            for part in sorted(aside.iterdir()):
                moved.append(part.rename(folder / part.name))
            aside.rmdir()
            sync_folder(folder)
        except BaseException:
            for part in (aside, *moved):
                if part.is_dir():
                    rmtree(part, ignore_errors=True)
                else:
                    part.unlink(missing_ok=True)
            raise
    except BaseException as error:
        with suppress(OSError):
            for parent in made:
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
            write_new_file(aside / name, content)
            written.append(folder / name)
    return written
