"""The submissions in a folder: run folders and ZIP files, each with a name that a page and a path can have."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from ecbench.agent_text import escaped
from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST
from ecbench.runs.run_archive import MOST_BYTES, MOST_FILES, SUFFIX

MOST_SUBMISSIONS = 1_000
LONGEST_REASON = 300  # characters
LONGEST_AGENT = 200
CUT = "…"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9])?")
_MARKUP = re.compile(r"[<>&\"'`\\]|(?:^|/)\.\.(?:/|$)")


@dataclass(frozen=True, slots=True)
class Submission:
    """A run folder or a ZIP file; its name is that of its pages."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class RefusedSubmission:
    """A submission that is not ranked, and why, in one line."""

    name: str
    reason: str


def find_submissions(folder: Path) -> tuple[list[Submission], list[RefusedSubmission]]:
    """What lies in a folder, in the order of names, and what of it cannot be a submission.

    Raises RunError where the folder cannot be read, is empty, or is itself a run.
    """
    try:
        paths = sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name))
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}; give the folder of the submissions") from error
    if (folder / MANIFEST).exists():
        raise RunError(f"{folder} is a run; give the folder in which the submitted runs lie")
    if not 0 < len(paths) <= MOST_SUBMISSIONS:
        raise RunError(f"{folder} holds {len(paths):,} submissions; a site has 1 to {MOST_SUBMISSIONS:,}")
    found, refused, names = list[Submission](), list[RefusedSubmission](), dict[str, str]()
    for path in paths:
        name = path.name.removesuffix(SUFFIX)
        reason = _no_submission(path, name)
        if not reason and (first := names.setdefault(name.casefold(), path.name)) != path.name:
            reason = f"its pages would have the names of those of {first}; rename one of them"
        if reason:
            refused.append(RefusedSubmission(one_line(path.name), one_line(reason)))
        else:
            found.append(Submission(name, path))
    return found, refused


def _no_submission(path: Path, name: str) -> str:
    """Why something cannot be a submission; empty where it may be one. No link is followed."""
    if not _NAME.fullmatch(name):
        return "its name is not one of 1 to 80 letters, digits, dots, underscores and hyphens"
    try:
        kind = path.lstat().st_mode
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if stat.S_ISLNK(kind):
        return "a symbolic link; submit the folder or the ZIP file itself"
    if not (stat.S_ISDIR(kind) or (stat.S_ISREG(kind) and path.suffix == SUFFIX)):
        return "neither a folder nor a ZIP file"
    return ""


def refuse_enormous(path: Path) -> None:
    """Raise RunError for more files or bytes than an archive of a run may have; no file is opened."""
    files, size, folders = 0, 0, [path] if path.is_dir() else []
    if not folders:
        size = path.stat().st_size
    while folders and files <= MOST_FILES and size <= MOST_BYTES:
        for entry in os.scandir(folders.pop()):
            files += 1
            size += entry.stat(follow_symlinks=False).st_size
            if entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry.path))
    if files > MOST_FILES or size > MOST_BYTES:
        raise RunError(f"more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes; a submission has at most that many")


def refuse_markup(agent: str) -> None:
    """Raise RunError for the name of an agent that could pass for markup, or leads out of a folder."""
    if len(agent) > LONGEST_AGENT or _MARKUP.search(agent):
        raise RunError(f"the agent's name {agent[:60]!r} is too long, or has markup, quotes or .. in it")


def one_line(text: str) -> str:
    """A text for a list: one line without hidden characters, cut where it is too long."""
    plain = " ".join(escaped(text).split())
    return plain if len(plain) <= LONGEST_REASON else f"{plain[:LONGEST_REASON]}{CUT}"
