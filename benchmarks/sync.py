"""What it costs to see a record to the disk, beside leaving it to the operating system.

    python benchmarks/sync.py [FOLDER] [docs/runs.md]    print the table, and put it into its block of the page

A merchant's year is synced once a simulated day, a model's after every turn. Both are measured on the same merchant's
year, written into FOLDER (a temporary one without it), since the disk decides. What is compared is the time spent in
writing with the time spent in playing, within one and the same year: the ratio holds for that disk. Each way is
measured several times, in turns with the others, so that whatever else the machine does meets all of them.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from doc_tables import markdown_table, publish

from ecbench import load_world
from ecbench.players.turn import State
from ecbench.runs.play.episodes import play_episode
from ecbench.runs.play.seat_players import PlayContext
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import Terms
from ecbench.world.model import World

MERCHANT = "steady"
ROUNDS = 3
DAYS = 60  # of a year: enough to compare writing with playing

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
    turns: int = 0
    syncs: int = 0
    playing: float = 0.0  # seconds
    writing: float = 0.0

    @property
    def ratio(self) -> float:
        return 1 + self.writing / self.playing

    @property
    def milliseconds(self) -> float:
        """Of one sync, with the writing before it."""
        return 1_000 * self.writing / self.syncs


def written_year(folder: Path, world: World, when: When) -> Cost:
    terms = Terms.alone(world, agent=MERCHANT, days=DAYS, stake=100_000.0)
    path = folder / "events.jsonl"
    path.unlink(missing_ok=True)
    cost, day = Cost(), -1
    with AppendOnlyLog(path) as events:

        def append(lines: bytes, state: State | None, _seat: int) -> None:
            nonlocal day
            sync = when(state, day)
            started = time.perf_counter()
            events.append(lines, sync=sync)
            cost.writing += time.perf_counter() - started
            cost.turns += state is not None
            cost.syncs += sync
            day = -1 if state is None else state.day

        started = time.perf_counter()
        play_episode(terms, 0, world, Recording(), append, PlayContext())
        cost.playing = time.perf_counter() - started - cost.writing
    return cost


WAYS: Sequence[tuple[str, When]] = (
    ("never", never),
    ("once a simulated day, as a merchant's", once_a_day),
    ("after every turn, as a model's", every_turn),
)
HEAD = ("synced", "syncs", "one sync, ms", "time, beside days that are not written")


def measure(folder: Path) -> str:
    world = load_world("default")
    written_year(folder, world, never)  # fills the caches of the world
    costs: dict[str, list[Cost]] = {name: [] for name, _ in WAYS}
    for _ in range(ROUNDS):
        for name, when in WAYS:
            costs[name].append(written_year(folder, world, when))
    rows = [[name, *_cells(costs[name])] for name, _ in WAYS]
    turns = costs[WAYS[0][0]][0].turns
    intro = f"{DAYS} days of `{MERCHANT}`, {turns:,} turns. Medians of {ROUNDS} each way, and in brackets their range:"
    return f"{intro}\n\n{markdown_table(HEAD, rows)}"


def _cells(costs: Sequence[Cost]) -> list[str]:
    syncs = costs[0].syncs
    each = _spread([cost.milliseconds for cost in costs], 2) if syncs else "-"
    return [f"{syncs:,}", each, _spread([cost.ratio for cost in costs], 2, "x")]


def _spread(values: Sequence[float], places: int, unit: str = "") -> str:
    least, middle, most = (f"{value:.{places}f}{unit}" for value in (min(values), median(values), max(values)))
    return f"{middle} ({least} to {most})"


def main() -> None:
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.endswith(".md")]
    pages = [argument for argument in sys.argv[1:] if argument.endswith(".md")]
    with tempfile.TemporaryDirectory() as temporary:
        publish("sync", measure(folders[0] if folders else Path(temporary)), pages)


if __name__ == "__main__":
    main()
