"""The folder of a run: `run.json`, and for each episode its events and the files that derive from them."""

import json
import os
import platform
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any

from ecbench import __version__
from ecbench.ranges import quoted
from ecbench.runs.disk import (
    HELD,
    MEBIBYTE,
    NO_LINK,
    make_folder,
    open_file,
    partial_of,
    read_file,
    sync_folder,
    try_lock,
    write_all,
    write_whole,
)
from ecbench.runs.events import SCHEMA, Terms
from ecbench.runs.problems import RunError
from ecbench.runs.records import Manifest, parse, typed
from ecbench.world.model import World
from ecbench.world.problems import WorldError
from ecbench.worlds import is_named, load_world

# `token` only at the end of a name: a limit such as max_tokens is no secret.
_SECRET = re.compile(r"api_?key|secret|password|credential|token$", re.IGNORECASE)

MANIFEST = "run.json"
MANIFEST_LIMIT = 16 * MEBIBYTE
EPISODES = "episodes"
EVENTS = "events.jsonl"

_UNBEGUN = partial_of(Path(MANIFEST)).name  # the manifest of a run that is being made, or was killed while it was
_INHERITED = Path(EPISODES, "0", EVENTS)  # all that a run may hold before it begins, and only a fork does
_LEFTOVERS = {_INHERITED, partial_of(_INHERITED), *_INHERITED.parents}


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder and what its manifest says."""

    folder: Path
    terms: Terms
    episodes: int
    world_source: str  # a shipped world's name, or the folder it was read from

    def episode_folder(self, episode: int) -> Path:
        return self.folder / EPISODES / str(episode)

    def events_path(self, episode: int) -> Path:
        return self.episode_folder(episode) / EVENTS

    def load_world(self, source: str | None = None) -> World:
        """The world it is played on, from where it was or from another place; its id must be the recorded one."""
        try:
            world = load_world(source or self.world_source)
        except WorldError as error:
            told = str(error).partition("\n")[0]
            raise RunError(f"{told}. {self.folder} needs it: if it lies elsewhere now, say --world DIR") from error
        if world.id != self.terms.world_id:
            raise RunError(
                f"{self.folder} was played on world {self.terms.world!r} with id {self.terms.world_id[:12]}, but "
                f"{source or self.world_source} now has id {world.id[:12]}; give the same world with --world DIR"
            )
        return world


def create_run(
    folder: Path,
    terms: Terms,
    *,
    episodes: int,
    world_source: str,
    provenance: Mapping[str, Any] | None = None,
    inherited: bytes = b"",
) -> Run:
    """A new run folder. It must not exist yet, or be empty: a run is never written over anything.

    `inherited` are the events that the first episode begins with, of a fork.
    """
    if not is_named(world_source):
        world_source = str(Path(world_source).absolute())
    manifest = {
        "schema": SCHEMA,
        "ecbench": __version__,
        "python": platform.python_version(),
        **(provenance or {}),
        "episodes": episodes,
        "world_source": world_source,
        **terms.to_json(),
    }
    refuse_used(folder)
    refuse_secrets(terms.model)
    try:
        make_folder(folder)
        with _claimed(folder) as file:
            _fill(folder, file, _text(manifest), inherited)
    except OSError as error:
        raise RunError(f"cannot start a run in {folder}: {error.strerror}") from error
    return Run(folder, terms, episodes, world_source)


def free_folder(parent: Path, name: str) -> Path:
    """A new, empty folder of that name, or of that name and a number where others were quicker."""
    for number in count(1):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        try:
            make_folder(parent)
            folder.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            raise RunError(f"cannot start a run in {folder}: {error.strerror}") from error
        return folder
    raise AssertionError("counting does not end")


@contextmanager
def _claimed(folder: Path) -> Iterator[int]:
    """The file that is to be the manifest, locked: of several that start here at once only one has it.

    The lock goes with its process, so whatever lies beside a file that could be locked is of one that was killed.
    """
    path = folder / _UNBEGUN
    file = open_file(path, os.O_RDWR | os.O_CREAT | NO_LINK)
    try:
        try:
            try_lock(file)
        except OSError as error:
            raise _taken(folder) if error.errno in HELD else error from None
        if (folder / MANIFEST).exists():
            path.unlink(missing_ok=True)
            raise _taken(folder)
        if not os.fstat(file).st_nlink:  # of one that failed, and has cleared it away
            raise _taken(folder)
        refuse_used(folder)
        yield file
    finally:
        with suppress(OSError):  # where files that are open cannot be renamed, it is closed already
            os.close(file)


def _taken(folder: Path) -> RunError:
    return RunError(f"{folder} was taken by another run just now; give --out another folder")


def _fill(folder: Path, file: int, manifest: bytes, inherited: bytes) -> None:
    """The manifest comes into its place last: a folder without one is no run, and one with it is whole."""
    try:
        if (folder / EPISODES).exists():
            rmtree(folder / EPISODES)
        os.ftruncate(file, 0)
        write_all(file, manifest)
        os.fsync(file)
        if inherited:
            events = folder / _INHERITED
            make_folder(events.parent)
            write_whole(events, inherited)
            sync_folder(events.parent)
        if sys.platform == "win32":
            os.close(file)
        (folder / _UNBEGUN).replace(folder / MANIFEST)
    except OSError:
        rmtree(folder / EPISODES, ignore_errors=True)
        (folder / _UNBEGUN).unlink(missing_ok=True)
        raise
    sync_folder(folder)


def _text(manifest: Mapping[str, Any]) -> bytes:
    """A path may hold bytes that are no UTF-8, which Python has as half surrogate pairs: they are written escaped."""
    try:
        return json.dumps(manifest, ensure_ascii=False, indent=2).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(manifest, indent=2).encode() + b"\n"


def refuse_secrets(options: Mapping[str, Any]) -> None:
    """What a model is given is written down with the run; a key must not be."""
    for name, value in options.items():
        if isinstance(value, Mapping):
            refuse_secrets(value)
        elif _SECRET.search(name):
            raise RunError(
                f"{name} would be written into the run folder; give it in the provider's environment variable"
            )


def refuse_used(folder: Path) -> None:
    """A run that was killed before its manifest was in place has left nothing worth keeping."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RunError(f"{folder} is not a folder; give --out a folder that does not exist yet")
        if folder.exists() and any(folder.iterdir()) and not _is_unbegun(folder):
            advice = f" or go on with it: ecbench resume {folder}" if (folder / MANIFEST).exists() else ""
            raise RunError(f"{folder} is not empty; give --out a folder that does not exist yet{advice}")
    except FileNotFoundError as error:
        raise _taken(folder) from error
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error


def _is_unbegun(folder: Path) -> bool:
    """Whether it holds what one that is killed while it makes a run leaves there, and nothing else."""
    manifest, episodes = folder / _UNBEGUN, folder / EPISODES
    if not {manifest} <= set(folder.iterdir()) <= {manifest, episodes} or not stat.S_ISREG(manifest.lstat().st_mode):
        return False
    if not episodes.exists():
        return True
    written = manifest.lstat().st_size > 0  # before anything else is
    held = {path.relative_to(folder) for path in episodes.rglob("*")}
    return written and not episodes.is_symlink() and held <= _LEFTOVERS


def open_run(folder: Path) -> Run:
    path = folder / MANIFEST
    try:
        record = parse(read_file(path, MANIFEST_LIMIT))
    except FileNotFoundError as error:
        raise RunError(_no_run(folder)) from error
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} cannot be read as JSON ({error}), and with it the terms of the run") from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        found = quoted(record.get("schema") if isinstance(record, dict) else None)
        raise RunError(f"{path} is written in schema {found}; this version of ecbench reads schema {SCHEMA}")
    try:
        manifest = typed(record, Manifest)
    except ValueError as error:
        raise RunError(f"{path} is incomplete or was edited by hand ({error})") from error
    return Run(folder, manifest.terms(), manifest.episodes, manifest.world_source)


def _no_run(folder: Path) -> str:
    try:
        unbegun = folder.is_dir() and _is_unbegun(folder)
    except OSError:
        unbegun = False
    if unbegun:
        return f"{folder} is a run that was ended before it began: nothing is lost, give its first command again"
    return f"{folder} is not a run: it holds no {MANIFEST}"
