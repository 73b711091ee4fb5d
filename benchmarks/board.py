"""What a year costs on the board: to open it, to hold it in memory, to jump to any day of it, to close a day of it.

    python benchmarks/board.py                  print the table
    python benchmarks/board.py docs/board.md    and write it into the page

It plays three years of the default world: one of `haggler`, and of `steady` 150 days and all 365. Each is opened in a
process of its own: CPU milliseconds until its last state is shown, CPU seconds until all of it is open, memory of the
year itself and with what its world caches (which further years on that world share), and CPU milliseconds of jumps to
days in a random order. Then a person takes the year over in its middle and closes days: CPU milliseconds of all
requests that the page makes for one.
"""

import gc
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from doc_tables import markdown_table, publish

from ecbench.board.run_index import Library
from ecbench.board.server.actions import Desk
from ecbench.board.server.app import Encoded
from ecbench.board.snapshots import SeatSnapshots, Snapshots
from ecbench.board.views.state_view import position
from ecbench.runs.folder import open_run
from ecbench.runs.play.gc_policy import keep_out_of_collection

JUMPS = 120
ROUNDS = 3
CLOSED = 8  # days
WAIT = {"name": "wait_for_next_day", "arguments": {}}
PLAYED = (("haggler", 365), ("steady", 150), ("steady", 365))
HEAD = (
    "year",
    "record",
    "last state",
    "open",
    "memory of the year",
    "with what its world caches",
    "copies",
    "a jump: half of them within",
    f"the longest of {JUMPS}",
    "listings",
    "closing a day",
)


def main(pages: list[str]) -> None:
    with TemporaryDirectory() as place:
        rows = [measured(Path(place, f"{agent}-{days}", "year"), agent, days) for agent, days in PLAYED]
    publish("board", markdown_table(HEAD, rows), pages)


def measured(folder: Path, agent: str, days: int) -> list[str]:
    play = ["run", "--quiet", "--agent", agent, "--days", str(days), "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "ecbench", *play], check=True, stdout=subprocess.DEVNULL)
    printed = subprocess.run([sys.executable, __file__, "--one", str(folder)], check=True, stdout=subprocess.PIPE)
    cells: list[str] = json.loads(printed.stdout)
    return [f"`{agent}`, {days} days", *cells]


def one(folder: Path) -> list[str]:
    run = open_run(folder)
    glance = glance_of(folder)
    world, before, start = run.load_world(), resident(), time.process_time()
    snapshots = Snapshots(run, 0, world)
    snapshots.grow()
    opened, first = time.process_time() - start, resident() - before
    before = resident()
    again = Snapshots(run, 0, world)
    again.grow()
    second = resident() - before
    keep_out_of_collection()
    took = jumps(SeatSnapshots(snapshots, 0))
    size = run.events_path(0).stat().st_size / 1e6
    listings, closing = closed_days(folder)
    times = [f"{median(took):.0f} ms", f"{max(took):.0f} ms", str(listings), f"{median(closing):.0f} ms"]
    return [
        f"{size:.1f} MB",
        f"{glance:.0f} ms",
        f"{opened:.1f} s",
        f"{second:.0f} MB",
        f"{first:.0f} MB",
        str(snapshots.copies),
        *times,
    ]


def jumps(year: SeatSnapshots) -> list[float]:
    """CPU milliseconds until all that stood on a day is known, the least of some rounds; days in a random order."""
    days = random.Random("jumps").choices(range(year.states[-1].day + 1), k=JUMPS)
    turns = [year.last_turn_of(day) for day in days]
    return [1000 * min(times) for times in zip(*(round_of(year, turns) for _ in range(ROUNDS)), strict=True)]


def round_of(year: SeatSnapshots, turns: list[int]) -> list[float]:
    took = []
    for turn in turns:
        start = time.process_time()
        position(year, turn)
        took.append(time.process_time() - start)
    return took


def glance_of(folder: Path) -> float:
    """CPU milliseconds until a page has the last state of a year that nobody has opened yet."""
    desk, key = desk_of(folder)
    start = time.process_time()
    desk.looks.glance(key, 0)
    return 1000 * (time.process_time() - start)


def closed_days(folder: Path) -> tuple[int, list[float]]:
    """Listings of the year in its middle, and CPU milliseconds of closing each of some days there."""
    desk, key = desk_of(folder)
    looks, half = desk.looks, open_run(folder).terms.days // 2
    branch = desk.branch(key, 0, {"agent": "person", "day": half})["id"]
    turns = looks.timeline(branch, 0)["turns"]
    listings = sum(len(store.shelf) for store in looks.position(branch, 0, turns).stores)
    took = []
    for _ in range(CLOSED):
        start = time.process_time()
        turns = desk.act(branch, 0, {"calls": [WAIT], "after": turns})["turns"]
        asked = looks.timeline(branch, 0), looks.position(branch, 0, turns), looks.learned(branch, 0, turns, turns - 1)
        for answer in (*asked, looks.agenda(branch, 0, turns), looks.advice(branch, 0, turns)):
            Encoded(answer)
        took.append(1000 * (time.process_time() - start))
    desk.close()
    return listings, took[1:]  # the first one opens the session


def desk_of(folder: Path) -> tuple[Desk, str]:
    """A board over the folder of a run, and the id of the run."""
    library = Library(folder.parent)
    return Desk(library, frozenset(), lambda: folder.name), library.key_of(open_run(folder))


def resident() -> float:
    """Megabytes of this process in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(Path(sys.argv[2]))))
    else:
        main(sys.argv[1:])
