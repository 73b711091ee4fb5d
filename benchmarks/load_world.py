"""How long a world takes to load, as a multiple of a fixed piece of plain Python timed in the same run.

    python benchmarks/load_world.py [NAME or FOLDER]

The ratio holds from one machine to the next; milliseconds are given for information.
"""

import hashlib
import sys

from timing import best

from ecbench.world.load import find_world
from ecbench.world.world_folder import read_world_folder

ROUNDS = 7


def unit() -> int:
    """The unit: 20,000 hashes and dictionary updates in a plain loop."""
    counts: dict[int, int] = {}
    for number in range(20_000):
        digest = hashlib.sha256(b"%d" % number).digest()
        counts[digest[0]] = counts.get(digest[0], 0) + digest[1]
    return sum(counts.values())


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "default"
    folder = find_world(name)
    world = read_world_folder(folder)
    measure = best(unit, ROUNDS)
    rows = len(world.products) + len(world.suppliers)
    for label, work in (
        ("load", lambda: read_world_folder(folder)),
        ("load and take the id", lambda: read_world_folder(folder).id),
    ):
        seconds = best(work, ROUNDS)
        print(f"{name}, {label}: {seconds / measure:.2f}x the unit ({seconds * 1e3:.1f} ms, {rows:,} rows)")
    print(f"the unit took {measure * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
