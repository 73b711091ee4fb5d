"""Load a world by its name, by its seed or from its folder."""

import re
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from ecbench.ranges import near_miss
from ecbench.world.fields import SALT, SEED
from ecbench.world.files import WorldError
from ecbench.world.model import World
from ecbench.world.world_folder import SETTINGS, SHIPPED, read_world_folder

FRESH = "seed-"
CACHED = 12  # fresh worlds in memory, about 10 MB each
SALTED = ":"  # between the seed of a fresh world and its salt
_FRESH_SOURCE = re.compile(rf"{FRESH}([0-9]{{1,19}})(?:{SALTED}({SALT}))?", re.ASCII)


def load_world(name_or_folder: str | Path) -> World:
    """Return a shipped world by its name, a fresh one by its seed as `seed-N`, or the world in a folder.

    `seed-N:SALT` is the same fresh world with a salt, in hexadecimal digits.
    Raises WorldError with every problem found. Shipped and fresh worlds are cached; a folder is read each time.
    """
    seed = seed_of(name_or_folder)
    if seed is not None:
        return fresh_world(seed, str(name_or_folder).partition(SALTED)[2])
    if isinstance(name_or_folder, str) and name_or_folder in shipped_worlds():
        return _shipped_world(name_or_folder)
    return read_world_folder(find_world(name_or_folder))


@cache
def _shipped_world(name: str) -> World:
    return read_world_folder(SHIPPED / name)


@lru_cache(maxsize=CACHED)
def fresh_world(seed: int, salt: str = "") -> World:
    """Return the world that `ecbench world new --seed N` writes, with a salt if one is given."""
    if salt:
        return replace(fresh_world(seed), salt=salt)
    from ecbench.world.generate import generate_world  # noqa: PLC0415 - most worlds are read, not generated

    return generate_world(seed=seed, name=f"{FRESH}{seed}")


@lru_cache(maxsize=CACHED)
def world_in_year(world: World, year: int) -> World:
    """Return the world with the salt of a later year, so that its hidden draws are others; year 0 has its own."""
    return replace(world, salt=sha256(f"{world.seed}|{world.salt}|{year}".encode()).hexdigest()) if year else world


def shipped_worlds() -> tuple[str, ...]:
    """Return the names of the worlds that the package contains."""
    return tuple(sorted(path.parent.name for path in SHIPPED.glob(f"*/{SETTINGS}")))


def find_world(name_or_folder: str | Path) -> Path:
    """Return the folder of a world. A text may name a shipped world; a Path is always a folder."""
    if isinstance(name_or_folder, str) and name_or_folder in shipped_worlds():
        return SHIPPED / name_or_folder
    folder = Path(name_or_folder)
    try:
        if folder.is_dir():
            return folder
        reason = "it is a file; a world is a folder" if folder.exists() else "there is no such folder"
    except (OSError, ValueError) as error:
        reason = f"the folder cannot be read ({error})"
    names = ", ".join(shipped_worlds()) or "none"
    others = f"the shipped worlds are: {names}; {FRESH}N is a fresh one"
    advice = near_miss(str(name_or_folder), shipped_worlds(), others)
    message = f"no world at {str(name_or_folder)!r}: {reason}; {advice}"
    raise WorldError(message, ())


def is_named(source: str) -> bool:
    """Whether `source` names a world on every machine; a folder exists on one."""
    return source in shipped_worlds() or seed_of(source) is not None


def fresh_source(seed: int, salt: str) -> str:
    """Return the name under which `load_world` finds a fresh world."""
    return f"{FRESH}{seed}{SALTED}{salt}" if salt else f"{FRESH}{seed}"


def seed_of(source: str | Path) -> int | None:
    """Return the seed in `seed-N` or `seed-N:SALT`, or None if `source` is a different name or a folder."""
    found = _FRESH_SOURCE.fullmatch(source) if isinstance(source, str) else None
    return int(found[1]) if found and int(found[1]) in SEED else None
