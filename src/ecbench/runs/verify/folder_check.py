"""What lies in a run folder: files that are recomputed, files that are known but not recomputed, and all others."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import EPISODES, EVENTS, MANIFEST, SEATS_FOLDER, Run
from ecbench.runs.receipts.receipt import RECEIPTS
from ecbench.runs.record.atomic_write import partial_of
from ecbench.runs.results.bounds_file import BOUNDS
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED
from ecbench.runs.results.ladder import ANCHORS
from ecbench.runs.results.summary_file import SUMMARY

RECOMPUTED = (*DERIVED, CHECKSUMS)  # of each seat
OF_A_RUN = ("report.html", "keys.jsonl", ANCHORS)  # a page, which token opens which year of a host, and a ladder
OF_A_SEAT = ("review.json", "evaluations.jsonl")  # of a review
_ASIDE = re.compile(r"\.damaged-[1-9]\d*(?=\.\w+\Z)")  # what `resume --salvage` keeps
_NUMBER = re.compile(r"0|[1-9]\d*")


@dataclass(slots=True)
class FolderCheck:
    """What is wrong with the files of a run, a line each, and those that nothing recomputes."""

    differences: list[str] = field(default_factory=list)
    not_recomputed: list[str] = field(default_factory=list)  # paths within the folder


def check_folder(run: Run) -> FolderCheck:
    """Look at every name below the folder; no link is followed and no file is opened."""
    found = FolderCheck()
    try:
        for path, kind in _entries(run, run.folder):
            name = path.relative_to(run.folder).as_posix()
            if stat.S_ISLNK(kind):
                found.differences.append(f"{path} is a symbolic link; a run holds files of its own")
            elif not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                found.differences.append(f"{path} is neither a file nor a folder")
            elif stat.S_ISDIR(kind):
                if not _is_known_folder(run, name):
                    found.differences.append(f"{path} is a folder that no run of {_size(run)} has")
            elif not _is_recomputed(run, name):
                known = _is_recomputed(run, _own_name(name)) or _is_kept(run, _own_name(name))
                (found.not_recomputed if known else found.differences).append(name if known else _unknown(run, path))
    except OSError as error:
        raise RunError(f"cannot read {error.filename or run.folder}: {error.strerror}") from error
    return found


def _entries(run: Run, folder: Path) -> Iterator[tuple[Path, int]]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path, kind = Path(entry.path), entry.stat(follow_symlinks=False).st_mode
        yield path, kind
        if stat.S_ISDIR(kind) and _is_known_folder(run, path.relative_to(run.folder).as_posix()):
            yield from _entries(run, path)


def _is_known_folder(run: Run, name: str) -> bool:
    match name.split("/"):
        case [first]:
            return first == EPISODES
        case [_, episode]:
            return _is_below(episode, run.episodes)
        case [_, _, seats]:
            return run.seats > 1 and seats == SEATS_FOLDER
        case [_, _, _, seat]:
            return _is_below(seat, run.seats)
    return False


def _is_below(text: str, limit: int) -> bool:
    return _NUMBER.fullmatch(text) is not None and len(text) < 10 and int(text) < limit


def _is_recomputed(run: Run, name: str) -> bool:
    """In folders that are known already."""
    folder, _, file = name.rpartition("/")
    if not folder:
        return file in (MANIFEST, SUMMARY, BOUNDS)
    records = (EVENTS, RECEIPTS) if run.signed else (EVENTS,)
    return (_is_episode(folder) and file in records) or (_is_of_seat(run, folder) and file in RECOMPUTED)


def _is_kept(run: Run, name: str) -> bool:
    folder, _, file = name.rpartition("/")
    return file in (OF_A_SEAT if _is_of_seat(run, folder) else () if folder else OF_A_RUN)


def _is_episode(folder: str) -> bool:
    return folder.count("/") == 1


def _is_of_seat(run: Run, folder: str) -> bool:
    return folder.count("/") == (1 if run.seats == 1 else 3)


def _own_name(name: str) -> str:
    """Of the file that a killed process was writing, or that a recovery put aside."""
    path = Path(name)
    whole = _ASIDE.sub("", path.name)
    if path == partial_of(path.with_name(path.name[1:].removesuffix(".partial") or "_")):
        whole = path.name[1:].removesuffix(".partial")
    return path.with_name(whole).as_posix()


def _unknown(run: Run, path: Path) -> str:
    return f"{path} is a file that ecbench does not write into a run of {_size(run)}"


def _size(run: Run) -> str:
    years = "one year" if run.episodes == 1 else f"{run.episodes:,} years"
    return years if run.seats == 1 else f"{years} with {run.seats} seats"
