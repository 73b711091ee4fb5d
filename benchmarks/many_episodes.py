"""How the time of a run and of its commands grows with its episodes, and what a worker process adds to an episode.

    python benchmarks/many_episodes.py                print the tables
    python benchmarks/many_episodes.py docs/studies.md   put them into the page, between their marks

It plays 100 and 1,000 episodes of five days in the program's process and in two workers, and takes some minutes.
Seconds are processor time of a command with all its processes, so other programs on the machine matter little.
"""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from doc_tables import markdown_table, options_of, publish

FEW, MANY = 100, 1_000
GROWTH_LIMIT = 12.0  # times the seconds, for ten times the episodes
WORKER_LIMIT = 2.0  # times the seconds of an episode in the program's process
WHERE = {"run": (), "run, two workers": ("--executor", "processes", "--jobs", "2")}
RUN = ("run", "--agent", "haggler", "--days", "5", "--quiet", "--episodes")


def processor_seconds(*arguments: str) -> float:
    """Of a command and of all processes that it started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "ecbench", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(episodes: int, folder: Path) -> dict[str, float]:
    """Seconds by command."""
    runs = [str(folder / f"{number}-{episodes}") for number in range(len(WHERE))]
    took = {
        name: processor_seconds(*RUN, str(episodes), *options, "--out", run)
        for run, (name, options) in zip(runs, WHERE.items(), strict=True)
    }
    commands = {
        "resume": ("resume", runs[0], "--quiet"),
        "report": ("report", runs[0]),
        "compare": ("compare", *runs),
        "show": ("show", runs[0]),
    }
    took |= {name: processor_seconds(*arguments) for name, arguments in commands.items()}
    for run in runs:
        shutil.rmtree(run)
    return took


def tables(few: dict[str, float], many: dict[str, float]) -> str:
    rows = [[f"`{name}`", f"{few[name]:.2f} s", f"{many[name]:.2f} s", f"{many[name] / few[name]:.1f}"] for name in few]
    here, worker = ((many[name] - few[name]) / (MANY - FEW) for name in WHERE)
    return "\n\n".join(
        [
            markdown_table(["Command", f"{FEW} episodes", f"{MANY:,} episodes", "Ratio"], rows),
            f"Ten times the episodes take at most {GROWTH_LIMIT:.0f} times the seconds. An episode takes "
            f"{1_000 * here:.0f} ms in the program's process and {1_000 * worker:.0f} ms in a worker, beyond the start "
            f"of the pool: {worker / here:.2f} times as long; the goal is at most {WORKER_LIMIT:.0f}. Measured on "
            f"{os.cpu_count()} cores.",
        ]
    )


def main() -> None:
    pages = options_of(__doc__).pages
    with TemporaryDirectory() as folder:
        few, many = (measure(episodes, Path(folder)) for episodes in (FEW, MANY))
    publish("many episodes", tables(few, many), pages)
    slow = [name for name in few if many[name] > GROWTH_LIMIT * few[name]]
    if slow:
        raise SystemExit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
