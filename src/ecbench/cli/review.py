"""ecbench review: what each week of a year was worth, and where it lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from ecbench.cli.exit_codes import INTERRUPTED
from ecbench.cli.plain_text import harmless, plain_console, say, say_json
from ecbench.cli.run_episodes import JsonOption, QuietOption, RunArgument, WorldPlaceOption
from ecbench.ranges import JOBS

if TYPE_CHECKING:
    from ecbench.review.making import Progress, Reviewed, Tell
    from ecbench.runs.folder import Run
    from ecbench.runs.play.cancellation import StopFlag

LINE_EVERY = 0.1  # of the work
STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."

EpisodeOption = Annotated[int, typer.Option("--episode", metavar="N", min=0, help="Which year.")]
ReviewJobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=JOBS.least,
        max=JOBS.most,
        help="Workers at the same time. [default: one a core]",
    ),
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="Every fourth week and four variants: sooner, with a wider band.")
]
ThoroughOption = Annotated[
    bool, typer.Option("--thorough", help="Sixteen variants instead of eight: twice the work, a narrower band.")
]
AgainOption = Annotated[bool, typer.Option("--again", help="Start over and discard the kept review.")]
ReviewExecutorOption = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="NAME",
        help="Where to evaluate: inline, processes, ray, or your own module:Class. [default: processes, or inline with "
        "--jobs 1]",
    ),
]


def review(
    run: RunArgument,
    episode: EpisodeOption = 0,
    jobs: ReviewJobsOption = None,
    quick: QuickOption = False,
    thorough: ThoroughOption = False,
    again: AgainOption = False,
    executor: ReviewExecutorOption = None,
    world: WorldPlaceOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say what each week of a year was worth, and which ones lost.

    A fixed engine takes the year over at each week's start, in many variants, and the mean of what they end with is the
    value of that position. A week is marked ?!, ? or ?? where it lost more than chance explains. Beside it stands the
    bill: what each day cost against what was possible. docs/review.md says what all this means, and what it does not.

    A review is kept in the run folder. Run the command again to continue a review that was stopped.
    """
    from ecbench.cli.run_episodes import find_own_modules
    from ecbench.review.making import FULL, QUICK, THOROUGH, review_year
    from ecbench.runs.play.cancellation import StopFlag
    from ecbench.runs.workers import get_executor

    if quick and thorough:
        raise typer.BadParameter("a look is quick or thorough, not both", param_hint="'--thorough'")
    opened = _opened(run, world)
    depth = QUICK if quick else THOROUGH if thorough else FULL
    workers = jobs or min(int(JOBS.most), os.cpu_count() or 1)
    find_own_modules()
    place = get_executor(executor or ("processes" if workers > 1 else "inline"))
    stop, silent = StopFlag(), quiet or as_json
    with _stopping_on_signals(stop, run), _telling(silent=silent) as tell:
        outcome = review_year(
            opened, episode, depth=depth, executor=place, jobs=workers, stop=stop, tell=tell, again=again
        )
    _show(outcome, run, as_json=as_json)


def _opened(folder: Path, world: str | None) -> "Run":
    from ecbench.runs.arena.folder import is_arena
    from ecbench.runs.errors import RunError
    from ecbench.runs.folder import open_run

    if is_arena(folder):
        raise RunError(f"{folder} is an arena; review one of its seats: {folder}/rounds/N/seats/N")
    return open_run(folder).with_world_at(world)


def _show(outcome: "Reviewed", folder: Path, *, as_json: bool) -> None:
    if outcome.problem:
        say(f"ecbench: warning: {outcome.problem}; the review is shown and not kept", err=True)
    if outcome.review is None:
        say(way_on(folder), err=True)
        raise typer.Exit(INTERRUPTED)
    if as_json:
        say_json(outcome.review.to_json())
    else:
        from ecbench.cli.review_tables import print_review

        print_review(outcome.review)


def way_on(folder: Path) -> str:
    return f"Run the same command again to continue; the results so far are kept in {folder}"


@contextmanager
def _stopping_on_signals(stop: "StopFlag", folder: Path) -> Iterator[None]:
    """The first signal lets every worker give its answer, the second ends them."""
    from ecbench.cli.signals import call_out, fall_silent, heeding_signals

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
def _telling(*, silent: bool) -> "Iterator[Tell]":
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

    def words(self, progress: "Progress") -> str:
        from ecbench.cli.usage_text import duration

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

    def tell(self, progress: "Progress") -> None:
        words = self._clock.words(progress)
        if progress.work >= self._next:
            self._next = (progress.work // LINE_EVERY + 1) * LINE_EVERY
            say(words, err=True)
