"""Write the default world into a folder: `python -m ecbench.world.generate FOLDER`.

It generated the world that the package contains; run it again after changing its words or figures.
"""

import sys

from ecbench.world.generate import default_world
from ecbench.world.save import save_world


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m ecbench.world.generate FOLDER", file=sys.stderr)
        return 2
    world = default_world()
    save_world(world, arguments[0])
    print(f"{arguments[0]}: {len(world.products):,} products, {len(world.suppliers):,} suppliers, id {world.id}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
