"""Review a year: what each week was worth, and which ones lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import typer
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as ProgressBar

from ecbench.cancellation import StopFlag
from ecbench.cli.exit_codes import INTERRUPTED
from ecbench.cli.options import Output
from ecbench.cli.plain_table import plain_console
from ecbench.cli.plain_text import harmless, say, say_json
from ecbench.cli.review_tables import print_review
from ecbench.cli.signals import stopping_on_signals
from ecbench.cli.usage_text import duration
from ecbench.ranges import JOBS
from ecbench.review.making import FULL, QUICK, THOROUGH, Progress, Reviewed, Tell, review_year
from ecbench.runs.folder import open_run
from ecbench.runs.workers.pool import Inline
from ecbench.runs.workers.processes import Processes

LINE_EVERY = 0.1  # of the work
STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."


def review_folder(
    folder: Path,
    episode: int,
    seat: int,
    jobs: int | None,
    output: Output,
    *,
    world: str | None,
    quick: bool,
    thorough: bool,
    again: bool,
) -> None:
    run = open_run(folder).with_world_at(world).at_seat(episode, seat)
    depth = QUICK if quick else THOROUGH if thorough else FULL
    workers = jobs or min(int(JOBS.most), os.cpu_count() or 1)
    place, stop = Processes() if workers > 1 else Inline(), StopFlag()
    with stopping_on_signals(stop, STOPPING, harmless(way_on(folder))), _reporting(silent=output.silent) as tell:
        outcome = review_year(
            run, episode, depth=depth, executor=place, jobs=workers, stop=stop, tell=tell, again=again
        )
    _show(outcome, folder, as_json=output.as_json)


def _show(outcome: Reviewed, folder: Path, *, as_json: bool) -> None:
    if outcome.problem:
        say(f"ecbench: warning: {outcome.problem}; the review is shown and not kept", err=True)
    if outcome.review is None:
        say(way_on(folder), err=True)
        raise typer.Exit(INTERRUPTED)
    if as_json:
        say_json(outcome.review.to_json())
    else:
        print_review(outcome.review)


def way_on(folder: Path) -> str:
    return f"Run the same command again to continue; the results so far are kept in {folder}"


@contextmanager
def _reporting(*, silent: bool) -> Iterator[Tell]:
    if silent:
        yield lambda _: None
        return
    console = plain_console(stderr=True)
    estimate = Estimate()
    if not console.is_terminal:
        yield estimate.print_milestone
        return
    with ProgressBar(BarColumn(), TextColumn("{task.description}"), console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda told: bar.update(task, completed=told.work, description=harmless(estimate.text(told)))


class Estimate:
    """How far a review has come, and how long the rest will take at the same pace."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._next = 0.0

    def text(self, progress: Progress) -> str:
        now = monotonic()
        self._began = now if self._began is None else self._began
        answered = f"{progress.answered:,} of {progress.questions:,} evaluations"
        if not progress.work:
            return answered
        left = (now - self._began) / progress.work * (1 - progress.work)
        return f"{answered}, {progress.work:.0%} of the work, about {duration(left)} left"

    def print_milestone(self, progress: Progress) -> None:
        """Print a line for each tenth of the work."""
        text = self.text(progress)
        if progress.work >= self._next:
            self._next = (progress.work // LINE_EVERY + 1) * LINE_EVERY
            say(text, err=True)
