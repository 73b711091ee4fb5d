"""What the processor time of a recorded year goes to, and what recording adds to a step.

    python benchmarks/run_cost.py                print the tables
    python benchmarks/run_cost.py docs/runs.md   put them into the page, between their marks

It runs `ecbench run --agent steady` in fresh processes, with a clock around each part, and takes the calls of ninety
days of `haggler` again with and without a record. Shares and ratios are of one and the same run, in processor time; the
quickest of several rounds counts. It takes a minute or two.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial, wraps
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from doc_tables import markdown_table, publish
from rl_step import batches_of, by_act, by_step

from ecbench.cli import main as command_line
from ecbench.market import settlement
from ecbench.players import merchant_player
from ecbench.runs.play import episodes, recorded_table
from ecbench.runs.record.recorder import Recorder
from ecbench.table import Table

AGENT, ROUNDS = "steady", 3
STEPS_AGENT, STEPS_DAYS, STEPS_ROUNDS = "haggler", 90, 7
START = "imports, command line, world, summary"
PARTS: dict[str, Sequence[tuple[Any, str]]] = {
    "engine: the tools and the mornings": [(Table, "act")],
    f"merchant `{AGENT}`, its replies read and its calls checked": [(merchant_player, "_next_batch")],
    "recording: lines, digests, writing, counters": [(Recorder, "completed")],
    "derived files: metrics, tables, views, writing": [(recorded_table, "seat_results"), (episodes, "write_derived")],
}


@contextmanager
def clocks(spent: dict[str, float]) -> Iterator[None]:
    """Adds the processor time of each part to `spent`. No part is called from within another."""
    originals = [(owner, name, getattr(owner, name), part) for part, places in PARTS.items() for owner, name in places]
    for owner, name, work, part in originals:
        setattr(owner, name, _clocked(work, part, spent))
    try:
        yield
    finally:
        for owner, name, work, _ in originals:
            setattr(owner, name, work)


def _clocked(work: Callable[..., Any], part: str, spent: dict[str, float]) -> Callable[..., Any]:
    @wraps(work)
    def clocked(*arguments: Any, **options: Any) -> Any:
        began = process_time()
        try:
            return work(*arguments, **options)
        finally:
            spent[part] += process_time() - began

    return clocked


def run_parts(folder: Path) -> dict[str, float]:
    """Seconds of a run by part, in a process that does nothing else and is counted from its start."""
    spent: dict[str, float] = defaultdict(float)
    sys.argv = ["ecbench", "run", "--agent", AGENT, "--quiet", "--executor", "inline", "--out", str(folder)]
    with clocks(spent), redirect_stdout(StringIO()), suppress(SystemExit):
        command_line()
    spent[START] = process_time() - sum(spent.values())
    return spent


def step_costs(folder: Path) -> dict[str, float]:
    """Seconds of all steps, by the way in which they are taken."""
    batches = batches_of(STEPS_AGENT, STEPS_DAYS)
    ways: dict[str, Callable[[], float]] = {
        "`Episode.act`": partial(by_act, batches, STEPS_DAYS),
        "a step of the environment": partial(by_step, batches, STEPS_DAYS),
        "a recorded step": partial(by_step, batches[:-1], STEPS_DAYS, folder),
        "a recorded step and its share of the derived files": partial(by_step, batches, STEPS_DAYS, folder),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(STEPS_ROUNDS):
        for name, way in ways.items():
            best[name] = min(best[name], way())
    return best


def tables(parts: dict[str, float], steps: dict[str, float]) -> str:
    total, bare = sum(parts.values()), steps["`Episode.act`"]
    engine = "compiled" if not settlement.__file__.endswith(".py") else "pure Python"
    shares = [[name, f"{parts[name] / total:.0%}"] for name in (*PARTS, START)]
    ratios = [[name, f"{seconds / bare:.2f}"] for name, seconds in steps.items()]
    print(f"{total:.2f} s of processor time a run")
    head = f"`ecbench run --agent {AGENT}`, {engine}"
    steps_head = f"{STEPS_DAYS} days of `{STEPS_AGENT}`, {engine}"
    return "\n\n".join(
        [markdown_table([head, "Processor time"], shares), markdown_table([steps_head, "Of a bare call"], ratios)]
    )


def main() -> None:
    pages = sys.argv[1:]
    with TemporaryDirectory() as place:
        folders = [Path(place) / f"run-{number}" for number in range(ROUNDS)]
        with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as fresh:
            rounds = list(fresh.map(run_parts, folders))
        steps = step_costs(Path(place) / "steps")
    publish("run cost", tables(min(rounds, key=lambda parts: sum(parts.values())), steps), pages)


if __name__ == "__main__":
    main()
