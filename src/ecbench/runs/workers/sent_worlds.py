"""Worlds as they are sent to another machine, which need not hold their folder."""

import tempfile
from functools import lru_cache
from pathlib import Path

from ecbench.world.load import load_world
from ecbench.world.model import World
from ecbench.world.save import world_files

WorldFiles = tuple[tuple[str, str], ...]
"""The name and the text of each file of a world."""


def packed_world(world: World) -> WorldFiles:
    return tuple(world_files(world).items())


@lru_cache(maxsize=2)
def unpacked_world(files: WorldFiles) -> World:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files:
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")
        return load_world(Path(folder))
