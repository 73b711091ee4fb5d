"""How long a world takes to load, as a multiple of a fixed piece of plain Python timed in the same run.

    python benchmarks/load_world.py [WORLD]

The ratio holds from one machine to the next; milliseconds are given for information.
"""

import hashlib
import sys
import time
from collections.abc import Callable

from ecbench.world.load import load_world

ROUNDS = 7


def unit() -> int:
    """The unit: 20,000 hashes and dictionary updates in a plain loop."""
    counts: dict[int, int] = {}
    for number in range(20_000):
        digest = hashlib.sha256(b"%d" % number).digest()
        counts[digest[0]] = counts.get(digest[0], 0) + digest[1]
    return sum(counts.values())


def best(work: Callable[[], object]) -> float:
    """The quickest of several rounds, in seconds: the one the machine disturbed least."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "default"
    world = load_world(name)
    measure = best(unit)
    rows = len(world.products) + len(world.suppliers)
    for label, work in (("load", lambda: load_world(name)), ("load and take the id", lambda: load_world(name).id)):
        seconds = best(work)
        print(f"{name}, {label}: {seconds / measure:.2f}x the unit ({seconds * 1e3:.1f} ms, {rows:,} rows)")
    print(f"the unit took {measure * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
