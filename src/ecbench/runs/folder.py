"""The folder of a run: `run.json`, and for each episode its events and the files that derive from them."""

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecbench import __version__
from ecbench.runs.events import SCHEMA, Terms
from ecbench.runs.problems import RunError
from ecbench.world.load import load_world, shipped_worlds
from ecbench.world.model import World
from ecbench.world.problems import WorldError

# `token` only at the end of a name: a limit such as max_tokens is no secret.
_SECRET = re.compile(r"api_?key|secret|password|credential|token$", re.IGNORECASE)

MANIFEST = "run.json"
EVENTS = "events.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder and what its manifest says."""

    folder: Path
    terms: Terms
    episodes: int
    world_source: str  # a shipped world's name, or the folder it was read from

    def episode_folder(self, episode: int) -> Path:
        return self.folder / "episodes" / str(episode)

    def events_path(self, episode: int) -> Path:
        return self.episode_folder(episode) / EVENTS

    def load_world(self, source: str | None = None) -> World:
        """The world it is played on, from where it was or from another place; its id must be the recorded one."""
        try:
            world = load_world(source or self.world_source)
        except WorldError as error:
            raise RunError(f"{error}\n{self.folder} needs it; if it lies elsewhere now, say --world DIR") from error
        if world.id != self.terms.world_id:
            raise RunError(
                f"{self.folder} was played on world {self.terms.world!r} with id {self.terms.world_id[:12]}, but "
                f"{source or self.world_source} now has id {world.id[:12]}; give the same world with --world DIR"
            )
        return world


def create_run(
    folder: Path, terms: Terms, *, episodes: int, world_source: str, provenance: Mapping[str, Any] | None = None
) -> Run:
    """A new run folder. It must not exist yet, or be empty: a run is never written over anything."""
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
    for place in (world_source, terms.agent):
        if not _is_utf8(place):
            raise RunError(f"the name {place!r} is not UTF-8, so {MANIFEST} could not hold it; rename it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        raise RunError(f"cannot start a run in {folder}: {error.strerror}") from error
    return Run(folder, terms, episodes, world_source)


def _is_utf8(text: str) -> bool:
    """File systems take any bytes for a name, files of text do not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
        if folder.exists() and any(path != _partial(folder / MANIFEST) for path in folder.iterdir()):
            advice = f" or go on with it: ecbench resume {folder}" if (folder / MANIFEST).exists() else ""
            raise RunError(f"{folder} is not empty; give --out a folder that does not exist yet{advice}")
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}") from error


def open_run(folder: Path) -> Run:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise RunError(f"{folder} is not a run: it holds no {MANIFEST}") from error
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is not JSON ({error}); the terms of the run cannot be read") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        found = manifest.get("schema") if isinstance(manifest, dict) else None
        raise RunError(f"{path} is written in schema {found!r}; this version of ecbench reads schema {SCHEMA}")
    try:
        return Run(folder, Terms.from_json(manifest), int(manifest["episodes"]), str(manifest["world_source"]))
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path} is incomplete or was edited by hand ({error!r})") from error


def write_whole(path: Path, text: str) -> None:
    """All of a file or nothing: a reader never sees half of it, and a full disk leaves the old one."""
    partial = _partial(path)
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")
