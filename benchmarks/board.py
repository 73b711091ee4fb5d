"""What a year costs on the board: to open it, to keep it, to jump to any day of it.

    python benchmarks/board.py
    python benchmarks/board.py RUN [RUN ...]

Without a folder it plays three years of the default world: one of `haggler`, and of `steady` 150 days (18 MB) and all
365. Every year is opened in a process of its own: CPU seconds, memory of the year itself and with what its world
remembers (which further years on that world share), and CPU milliseconds of jumps to days in a random order.
"""

import gc
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from ecbench.board.film import Film
from ecbench.board.memory import set_aside
from ecbench.board.views import position
from ecbench.runs.folder import open_run
from ecbench.runs.reel import Reel

JUMPS = 120
PLAYED = {
    "haggler, 365 days": ("haggler", 365),
    "steady, 150 days": ("steady", 150),
    "steady, 365 days": ("steady", 365),
}


def main(folders: list[str]) -> None:
    print(f"{'year':24}{'record':>9}{'open':>9}{'year':>9}{'+ world':>9}{'copies':>8}{'jump: half':>12}{'longest':>9}")
    with TemporaryDirectory() as place:
        named = {Path(folder).name: folder for folder in folders} or played_in(Path(place))
        for name, folder in named.items():
            subprocess.run([sys.executable, __file__, "--one", name, folder], check=True)


def played_in(place: Path) -> dict[str, str]:
    for name, (agent, days) in PLAYED.items():
        command = ["run", "--quiet", "--agent", agent, "--days", str(days), "--out", str(place / name)]
        subprocess.run([sys.executable, "-m", "ecbench", *command], check=True, stdout=subprocess.DEVNULL)
    return {name: str(place / name) for name in PLAYED}


def one(name: str, folder: Path) -> None:
    run = open_run(folder)
    world, before, start = run.load_world(), resident(), time.process_time()
    film = Film(run.terms, world, Reel(run, 0))
    film.grow()
    set_aside()
    opened, first = time.process_time() - start, resident() - before
    gc.unfreeze()
    before = resident()
    again = Film(run.terms, world, Reel(run, 0))
    again.grow()
    second = resident() - before
    set_aside()
    draws, took = random.Random("jumps"), []
    for _ in range(JUMPS):
        turn = film.last_turn_of(draws.randrange(film.states[-1].day + 1))
        start = time.process_time()
        position(film, turn)
        took.append(1000 * (time.process_time() - start))
    size = run.events_path(0).stat().st_size / 1e6
    print(
        f"{name:24}{size:6.1f} MB{opened:7.2f} s{second:6.0f} MB{first:6.0f} MB{film.copies:8}"
        f"{median(took):9.0f} ms{max(took):6.0f} ms"
    )


def resident() -> float:
    """Megabytes of this process in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
    else:
        main(sys.argv[1:])
