"""What reports and `ecbench show` take: time, memory, bytes, and how soon a browser shows the page.

    python benchmarks/report.py [FOLDER]

FOLDER keeps what is played for it from one time to the next: 18 runs of five years, which take some minutes, and a year
that was interrupted when its record had 18 MB. By default it lies among the temporary files. The ratio to a plain parse
of the interrupted record holds from one machine to the next, and processor time from one load to another; seconds by
the clock are given for information. Pages are opened where Chromium is installed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from ecbench.runs.folder import EPISODES, EVENTS, MANIFEST

RUNS, YEARS = 18, 5
AGENTS = ("steady", "haggler", "first-quote", "idle")
RECORD = 18_000_000  # bytes
POLL = 0.1  # seconds
PROGRAM = (sys.executable, "-c", "import sys; from ecbench.cli import main; sys.exit(main())")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took, with the processes that it started."""

    wall: float
    processor: float
    memory: int  # bytes at the most; pages that processes share count once

    def __str__(self) -> str:
        return f"{self.processor:.1f} s of processor time, {self.wall:.1f} s by the clock, {self.memory / 1e6:,.0f} MB"


def ecbench(*arguments: str | Path) -> list[str]:
    return [*PROGRAM, *map(str, arguments)]


def play(folder: Path) -> list[Path]:
    """Merchants on fresh worlds; four of them share each set of worlds."""
    runs = []
    for number in range(RUNS):
        agent, first = AGENTS[number % len(AGENTS)], number // len(AGENTS) * YEARS + 1
        run = folder / f"{number:02}-{agent}"
        terms = ("--agent", agent, "--worlds", f"{first}-{first + YEARS - 1}", "--quiet", "--out", run)
        if not (run / MANIFEST).exists():
            subprocess.run(ecbench("run", *terms), check=True, stdout=subprocess.DEVNULL)
        runs.append(run)
    return runs


def interrupt(whole: Path, run: Path) -> Path:
    """The first year of a run as if its process had been killed: a record without an end, and nothing beside it."""
    events = run / EPISODES / "0" / EVENTS
    if not events.exists():
        events.parent.mkdir(parents=True)
        shutil.copy(whole / MANIFEST, run / MANIFEST)
        content = (whole / EPISODES / "0" / EVENTS).read_bytes()
        events.write_bytes(content[: content.rfind(b"\n", 0, min(RECORD, len(content) - 1)) + 1])
    return run


def cost(command: Sequence[str]) -> Cost:
    """Processor time of processes that end between two looks is missed from their last look on."""
    started, spent, most = time.perf_counter(), dict[int, float](), 0
    process = psutil.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        held = 0
        with suppress(psutil.Error):
            for each in (process, *process.children(recursive=True)):
                used = each.cpu_times()
                spent[each.pid] = used.user + used.system
                held += each.memory_full_info().pss
        most = max(most, held)
        time.sleep(POLL)
    if process.returncode:
        raise SystemExit(f"{' '.join(command[3:5])} ended with exit code {process.returncode}")
    return Cost(time.perf_counter() - started, sum(spent.values()), most)


def plain_parse(path: Path) -> float:
    lines = path.read_bytes().splitlines()
    started = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - started


def first_paint(page: Path) -> float:
    """Seconds until the page stands and its first year is open, in a fresh browser that is already running."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - where there is no browser it is not needed

    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        seen = started.new_page()
        seen.goto(page.as_uri(), wait_until="load", timeout=120_000)
        spent = seen.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
        started.close()
    return float(spent)


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "ecbench-report-benchmark"
    folder = Path(named)
    runs = play(folder / "runs")
    killed = interrupt(runs[0], folder / "interrupted")
    pages = {f"{RUNS} runs of {YEARS} years": (runs, folder / "many.html"), "one run": (runs[:1], folder / "one.html")}
    for name, (shown, page) in pages.items():
        spent = cost(ecbench("report", *shown, "--out", page))
        opened = f", opens in {first_paint(page):.2f} s" if any(map(shutil.which, BROWSERS)) else ""
        print(f"report of {name}: {spent}; {page.stat().st_size / 1e6:.2f} MB{opened}")
    parsed = plain_parse(killed / EPISODES / "0" / EVENTS)
    for name, run in {"a finished year": runs[0], f"an interrupted record of {RECORD / 1e6:.0f} MB": killed}.items():
        spent = cost(ecbench("show", run))
        print(f"show {name}: {spent}; {spent.processor / parsed:.1f}x a plain parse of the latter")


if __name__ == "__main__":
    main()
