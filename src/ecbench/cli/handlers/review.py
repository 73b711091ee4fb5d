"""Review a year: what each week was worth, and which ones lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import typer

from ecbench.cancellation import StopFlag
from ecbench.cli.exit_codes import INTERRUPTED
from ecbench.cli.options import Output
from ecbench.cli.plain_table import plain_console
from ecbench.cli.plain_text import harmless, say, say_json
from ecbench.cli.review_tables import print_review
from ecbench.cli.run_episodes import find_own_modules
from ecbench.cli.signals import call_out, fall_silent, heeding_signals
from ecbench.cli.usage_text import duration
from ecbench.ranges import JOBS
from ecbench.review.making import FULL, QUICK, THOROUGH, Depth, Progress, Reviewed, Tell, review_year
from ecbench.runs.folder import open_run
from ecbench.runs.workers import get_executor

LINE_EVERY = 0.1  # of the work
STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."


def depth_of(*, quick: bool, thorough: bool) -> Depth:
    return QUICK if quick else THOROUGH if thorough else FULL


def review_folder(
    folder: Path,
    episode: int,
    seat: int,
    depth: Depth,
    jobs: int | None,
    executor: str | None,
    output: Output,
    *,
    world: str | None,
    again: bool,
) -> None:
    run = open_run(folder).with_world_at(world).at_seat(episode, seat)
    workers = jobs or min(int(JOBS.most), os.cpu_count() or 1)
    find_own_modules()
    place, stop = get_executor(executor or ("processes" if workers > 1 else "inline")), StopFlag()
    with _stopping_on_signals(stop, folder), _telling(silent=output.silent) as tell:
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
def _stopping_on_signals(stop: StopFlag, folder: Path) -> Iterator[None]:
    """The first signal lets every worker give its answer, the second ends them."""

    def ask() -> None:
        stop.request()
        call_out(STOPPING)

    def end() -> None:
        call_out(harmless(way_on(folder)))
        fall_silent()
        stop.end()

    with heeding_signals(ask, end):
        yield


@contextmanager
def _telling(*, silent: bool) -> Iterator[Tell]:
    if silent:
        yield lambda _: None
        return
    console = plain_console(stderr=True)
    clock = Clock()
    if not console.is_terminal:
        lines = Milestones(clock)
        yield lines.tell
        return
    with console.status("") as status:
        yield lambda progress: status.update(harmless(clock.words(progress)))


class Clock:
    """How long it will take, by how long it took."""

    def __init__(self) -> None:
        self._began: float | None = None

    def words(self, progress: Progress) -> str:
        now = monotonic()
        self._began = now if self._began is None else self._began
        said = f"{progress.answered:,} of {progress.questions:,} evaluations"
        if not progress.work:
            return said
        left = (now - self._began) / progress.work * (1 - progress.work)
        return f"{said}, {progress.work:.0%} of the work, about {duration(left)} left"


class Milestones:
    """A line for each tenth of the work."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next = 0.0

    def tell(self, progress: Progress) -> None:
        words = self._clock.words(progress)
        if progress.work >= self._next:
            self._next = (progress.work // LINE_EVERY + 1) * LINE_EVERY
            say(words, err=True)
