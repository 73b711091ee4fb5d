"""ecbench review: what each week of an episode was worth, and where it lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count, Jobs, Output
from ecbench.cli.terminal import INTERRUPTED, harmless, leave, say
from ecbench.ranges import JOBS

if TYPE_CHECKING:
    from ecbench.analysis.review.build_review import Progress, Tell

LINE_EVERY = 0.1  # of the work
STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."


def review(
    run: Path,
    *,
    episode: Count = 0,
    seat: Count = 0,
    jobs: Jobs | None = None,
    quick: bool = False,
    again: bool = False,
    world: str | None = None,
    output: Output,
) -> CommandResult:
    """Say what each week of an episode was worth, and which ones lost.

    A fixed engine takes over at the start of each week, in many variants. The mean of their final assets is the
    value of that position. Accuracy is the share of the engine's value on day 0 that the episode kept. Days that
    lost more than this player usually loses are marked ?!, ? or ??, with the cause, the amount and its error.
    Strategy is what unopened stores, the chosen store types, few listings and idle capital cost. docs/understand.md
    says what all this means.

    A review is kept in the run folder. Run the command again to continue a review that was stopped.

    Options:
        jobs --jobs -j: How many workers run in parallel. [default: one per core]
        quick: Every fourth week and four variants: sooner, with a wider band.
        again: Start over and discard the kept review.
    """
    from ecbench.analysis.review.build_review import FULL, QUICK, review_year
    from ecbench.cancellation import StopFlag
    from ecbench.cli.review_tables import review_parts
    from ecbench.cli.signals import stopping_on_signals
    from ecbench.runs.folder import open_run
    from ecbench.runs.workers.pool import Inline
    from ecbench.runs.workers.processes import Processes

    recorded = open_run(run).with_world_at(world).at_seat(episode, seat)
    depth, workers = QUICK if quick else FULL, jobs or min(int(JOBS.most), os.cpu_count() or 1)
    executor, stop = Processes() if workers > 1 else Inline(), StopFlag()
    way_on = f"Run the same command again to continue; the results so far are kept in {run}"
    tell: Tell = (lambda _: None) if output.silent else _progress_lines()
    with stopping_on_signals(stop, STOPPING, harmless(way_on)):
        found = review_year(
            recorded, episode, depth=depth, executor=executor, jobs=workers, stop=stop, tell=tell, again=again
        )
    if found is None:
        say(way_on, err=True)
        leave(INTERRUPTED)
    return CommandResult(found.to_json(), review_parts(found))


def _progress_lines() -> Tell:
    """A line for each tenth of the work."""
    due = 0.0

    def tell(told: Progress) -> None:
        nonlocal due
        if told.work >= due:
            due = (told.work // LINE_EVERY + 1) * LINE_EVERY
            say(f"{told.answered:,} of {told.questions:,} evaluations, {told.work:.0%} of the work", err=True)

    return tell
