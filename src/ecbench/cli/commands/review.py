"""ecbench review: what each week of an episode was worth, and where it lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

from ecbench.cli.declare import option
from ecbench.cli.options import EpisodeOption, Output, RunArgument, SeatOption, WorldPlaceOption
from ecbench.cli.terminal import INTERRUPTED, harmless, leave, say, say_json
from ecbench.ranges import JOBS

if TYPE_CHECKING:
    from ecbench.analysis.review.build_review import Progress, Reviewed, Tell


def review(
    *,
    run: RunArgument,
    episode: EpisodeOption = 0,
    seat: SeatOption = 0,
    jobs: Annotated[
        int | None, option("--jobs", "-j", within=JOBS, help="Workers at the same time. [default: one a core]")
    ] = None,
    quick: Annotated[
        bool,
        option("--quick", help="Every fourth week and four variants: sooner, with a wider band."),
    ] = False,
    again: Annotated[bool, option("--again", help="Start over and discard the kept review.")] = False,
    world: WorldPlaceOption = None,
    output: Output,
) -> None:
    """Say what each week of an episode was worth, and which ones lost.

    A fixed engine takes over at the start of each week, in many variants. The mean of their final assets is the
    value of that position. Accuracy is the share of the engine's value on day 0 that the episode kept. Days that
    lost more than this player usually loses are marked ?!, ? or ??, with the cause, the amount and its error.
    Strategy is what unopened stores, the chosen store types, few listings and idle capital cost. docs/understand.md
    says what all this means.

    A review is kept in the run folder. Run the command again to continue a review that was stopped.
    """
    from ecbench.analysis.review.build_review import FULL, QUICK, review_year
    from ecbench.cancellation import StopFlag
    from ecbench.cli.signals import stopping_on_signals
    from ecbench.runs.folder import open_run
    from ecbench.runs.workers.pool import Inline
    from ecbench.runs.workers.processes import Processes

    recorded = open_run(run).with_world_at(world).at_seat(episode, seat)
    depth, workers = QUICK if quick else FULL, jobs or min(int(JOBS.most), os.cpu_count() or 1)
    place, stop = Processes() if workers > 1 else Inline(), StopFlag()
    with stopping_on_signals(stop, STOPPING, harmless(_way_on(run))), _reporting(silent=output.silent) as tell:
        outcome = review_year(
            recorded, episode, depth=depth, executor=place, jobs=workers, stop=stop, tell=tell, again=again
        )
    _show(outcome, run, as_json=output.as_json)


LINE_EVERY = 0.1  # of the work


STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."


def _show(outcome: Reviewed, folder: Path, *, as_json: bool) -> None:
    from ecbench.cli.review_tables import print_review

    if outcome.problem:
        say(f"ecbench: warning: {outcome.problem}; the review is shown and not kept", err=True)
    if outcome.review is None:
        say(_way_on(folder), err=True)
        leave(INTERRUPTED)
    if as_json:
        say_json(outcome.review.to_json())
    else:
        print_review(outcome.review)


def _way_on(folder: Path) -> str:
    return f"Run the same command again to continue; the results so far are kept in {folder}"


@contextmanager
def _reporting(*, silent: bool) -> Iterator[Tell]:
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as ProgressBar

    from ecbench.cli.plain_table import plain_console

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
        from ecbench.cli.usage_text import duration

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
