"""What it costs to see a record to the disk, beside leaving it to the operating system.

    python benchmarks/sync.py [FOLDER]

A merchant's year is synced once a simulated day, a model's after every turn. Both are measured on the same merchant's
year, written into FOLDER (a temporary one without it), since the disk decides. What is compared is the time spent in
writing with the time spent in playing, within one and the same year: the ratio holds for that disk.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from open_run import MERCHANT, ROUNDS

from ecbench import load_world
from ecbench.runs.events import State, Terms
from ecbench.runs.file import EventsFile
from ecbench.runs.play import play_year
from ecbench.runs.reader import Recording
from ecbench.runs.stopping import StopFlag
from ecbench.world.model import World

When = Callable[[State | None, int], bool]
"""Whether to sync behind a line, given the state after it and the day of the one before."""


def never(_state: State | None, _day: int) -> bool:
    return False


def once_a_day(state: State | None, day: int) -> bool:
    return state is None or state.day != day


def every_turn(_state: State | None, _day: int) -> bool:
    return True


@dataclass
class Cost:
    syncs: int = 0
    playing: float = 0.0  # seconds
    writing: float = 0.0

    @property
    def ratio(self) -> float:
        return 1 + self.writing / self.playing


def written_year(folder: Path, world: World, when: When) -> Cost:
    terms = Terms(world.name, world.id, world.seed, MERCHANT, world.days, 100_000.0)
    path = folder / "events.jsonl"
    path.unlink(missing_ok=True)
    cost, day = Cost(), -1
    with EventsFile(path) as events:

        def append(lines: bytes, state: State | None) -> None:
            nonlocal day
            sync = when(state, day)
            started = time.perf_counter()
            events.append(lines, sync=sync)
            cost.writing += time.perf_counter() - started
            cost.syncs += sync
            day = -1 if state is None else state.day

        started = time.perf_counter()
        play_year(terms, 0, world, Recording(), append, StopFlag())
        cost.playing = time.perf_counter() - started - cost.writing
    return cost


def measure(folder: Path) -> None:
    world = load_world("default")
    written_year(folder, world, never)  # the world remembers what it worked out
    for name, when in (("never", never), ("once a day", once_a_day), ("every turn", every_turn)):
        cost = min((written_year(folder, world, when) for _ in range(ROUNDS)), key=lambda cost: cost.ratio)
        each = f", {1_000 * cost.writing / cost.syncs:.2f} ms each" if cost.syncs else ""
        print(f"{name}: {cost.ratio:.2f}x a year that is not written ({cost.syncs:,} syncs{each})")


def main() -> None:
    if len(sys.argv) > 1:
        measure(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


if __name__ == "__main__":
    main()
