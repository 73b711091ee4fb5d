"""The folder of a run: `run.json`, and for each episode its events and the files that derive from them."""

import errno
import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from ecbench import __version__
from ecbench.ranges import quoted
from ecbench.runs.disk import MEBIBYTE, make_folder, read_file, sync_folder, write_whole
from ecbench.runs.events import SCHEMA, Terms
from ecbench.runs.problems import RunError
from ecbench.runs.records import Manifest, parse, typed
from ecbench.world.load import load_world, shipped_worlds
from ecbench.world.model import World
from ecbench.world.problems import WorldError

# `token` only at the end of a name: a limit such as max_tokens is no secret.
_SECRET = re.compile(r"api_?key|secret|password|credential|token$", re.IGNORECASE)

MANIFEST = "run.json"
MANIFEST_LIMIT = 16 * MEBIBYTE
EPISODES = "episodes"
EVENTS = "events.jsonl"
_STARTING = ".starting-"  # what a run is made in before it is moved into place


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
    if world_source not in shipped_worlds():
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
        _move_in(folder, _text(manifest), inherited)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOENT) and (folder / EPISODES).exists():
            raise RunError(f"{folder} was taken by another run just now; give --out another folder") from error
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


def _move_in(folder: Path, manifest: bytes, inherited: bytes) -> None:
    """Make everything aside and move it into place, the manifest last: a folder without one is no run.

    Of several that start here at once only one gets its episodes in: a folder that holds something is not replaced.
    That one clears away what the others made, and what one that was killed has left.
    """
    aside = Path(mkdtemp(prefix=_STARTING, dir=folder))
    try:
        first = aside / EPISODES / "0"
        first.mkdir(parents=True)
        if inherited:
            write_whole(first / EVENTS, inherited)
        write_whole(aside / MANIFEST, manifest)
        for made in (first, first.parent, aside):
            sync_folder(made)
        (aside / EPISODES).rename(folder / EPISODES)
        (aside / MANIFEST).rename(folder / MANIFEST)
        sync_folder(folder)
        for other in folder.glob(f"{_STARTING}*"):
            rmtree(other, ignore_errors=True)
    finally:
        rmtree(aside, ignore_errors=True)


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
    """A run that was killed before its manifest was whole has left nothing worth keeping."""
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RunError(f"{folder} is not a folder; give --out a folder that does not exist yet")
        if folder.exists() and any(not path.name.startswith(_STARTING) for path in folder.iterdir()):
            advice = f" or go on with it: ecbench resume {folder}" if (folder / MANIFEST).exists() else ""
            raise RunError(f"{folder} is not empty; give --out a folder that does not exist yet{advice}")
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error


def open_run(folder: Path) -> Run:
    path = folder / MANIFEST
    try:
        record = parse(read_file(path, MANIFEST_LIMIT))
    except FileNotFoundError as error:
        raise RunError(f"{folder} is not a run: it holds no {MANIFEST}") from error
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
