"""What lies in a run folder beside what `verify` recomputes: files that are no part of the proof."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import EPISODES, EVENTS, MANIFEST, Run
from ecbench.runs.signatures.signature import SIGNATURES


@dataclass(slots=True)
class FolderCheck:
    """What is wrong with the files of a run, a line each, and those that are no part of the proof."""

    differences: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # paths within the folder


def check_folder(run: Run) -> FolderCheck:
    """Look at every name below the folder; no link is followed and no file is opened."""
    found = FolderCheck()
    names = (EVENTS, SIGNATURES) if run.signed else (EVENTS,)
    proof = {MANIFEST, *(f"{EPISODES}/{number}/{name}" for number in range(run.episodes) for name in names)}
    try:
        for path, kind in _entries(run.folder):
            name = path.relative_to(run.folder).as_posix()
            if stat.S_ISLNK(kind):
                found.differences.append(f"{path} is a symbolic link; a run holds files of its own")
            elif not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                found.differences.append(f"{path} is neither a file nor a folder")
            elif name not in proof and path.name in (EVENTS, SIGNATURES):
                found.differences.append(f"{path} is a record or a signature that {MANIFEST} does not count")
            elif name not in proof and not stat.S_ISDIR(kind):
                found.beside.append(name)
    except OSError as error:
        raise RunError(f"cannot read {error.filename or run.folder}: {error.strerror}") from error
    return found


def _entries(folder: Path) -> Iterator[tuple[Path, int]]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        kind = entry.stat(follow_symlinks=False).st_mode
        yield Path(entry.path), kind
        if stat.S_ISDIR(kind):
            yield from _entries(Path(entry.path))
