"""Worlds by name: shipped ones, fresh ones by their seed, and those in folders."""

from functools import cache, lru_cache
from pathlib import Path

from ecbench.world import load
from ecbench.world.model import World
from ecbench.world.problems import WorldError
from ecbench.world.schema import SEED

FRESH = "seed-"
KEPT = 12  # fresh worlds in memory, about 10 MB each
LONGEST_SEED = 19  # digits


def load_world(name_or_folder: str | Path) -> World:
    """A shipped world by its name, a fresh one by its seed as `seed-N`, or the world in a folder.

    Raises WorldError with all that is wrong.
    """
    seed = seed_of(name_or_folder)
    if seed is not None:
        return fresh_world(seed)
    if isinstance(name_or_folder, str) and name_or_folder in load.shipped_worlds():
        return shipped_world(name_or_folder)
    try:
        return load.load_world(name_or_folder)
    except WorldError as error:
        if not error.problems:  # there is no such folder
            raise WorldError(f"{error}; {FRESH}N is a fresh one", ()) from error
        raise


@cache
def shipped_world(name: str) -> World:
    """Read once, since a run needs its world several times and nobody edits the package under it."""
    return load.load_world(name)


@lru_cache(maxsize=KEPT)
def fresh_world(seed: int) -> World:
    """The world that `ecbench world new --seed N` writes."""
    from ecbench.world.generate import generate_world  # noqa: PLC0415 - most worlds are read, not made

    return generate_world(seed=seed, name=f"{FRESH}{seed}")


def is_named(source: str) -> bool:
    """Whether a world is known by its name everywhere; a folder is known where it lies."""
    return source in load.shipped_worlds() or seed_of(source) is not None


def seed_of(source: str | Path) -> int | None:
    """The seed in `seed-N`; None where `source` is another name or a folder."""
    digits = source.removeprefix(FRESH) if isinstance(source, str) and source.startswith(FRESH) else ""
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_SEED):
        return None
    return int(digits) if int(digits) in SEED else None
