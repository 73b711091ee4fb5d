"""ecbench review: what each week of an episode was worth, and where it lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table

from ecbench.cancellation import StopFlag
from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count, Jobs, Output
from ecbench.cli.signals import stopping_on_signals
from ecbench.cli.table_printing import plain_table, words
from ecbench.cli.terminal import INTERRUPTED, harmless, leave, say
from ecbench.formatting import yuan
from ecbench.ranges import JOBS
from ecbench.runs.workers.pool import Inline, Processes

if TYPE_CHECKING:
    from ecbench.analysis.review.build_review import Progress, Tell
    from ecbench.analysis.review.marks import WeekMark
    from ecbench.analysis.review.model import Review

INDENT = (0, 0, 0, 3)  # of the lines below a mark
MONTH = 28  # days between the rows of the curve, at least
LINES = 10  # of progress
STOPPING = "Stopping; press Ctrl-C again to stop at once. Results so far are kept."


def review(
    run: Path,
    *,
    episode: Count = 0,
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
    from ecbench.runs.folder import open_run

    recorded = open_run(run).with_world_at(world)
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
    return CommandResult(found.to_json(), _parts(found))


def _progress_lines() -> Tell:
    """A line for each tenth of the evaluations."""
    due = 0

    def tell(told: Progress) -> None:
        nonlocal due
        if told.answered * LINES >= due * told.questions:
            due = told.answered * LINES // told.questions + 1
            say(f"{told.answered:,} of {told.questions:,} evaluations", err=True)

    return tell


def _parts(review: Review) -> Iterator[Any]:
    """All of a review. Headings stand apart from their tables, whose titles are wrapped at the tables' width."""
    from ecbench.metrics.losses.account import CAUSES

    yield words(f"{review.agent} on {review.world}, episode {review.episode}: engine {review.engine}")
    looked = "a quick review: every fourth week" if review.quick else "weekly"
    yield words(f"{review.variants} variants, {looked}; bands hold 95%\n", "dim")
    yield words(_accuracy(review))
    yield words("\nThe value of the episode, month by month", "bold")
    yield _curve(review)
    yield words("\nDays that lost more than this player usually loses", "bold")
    yield from _marks(review)
    if review.strategy:
        yield words("\nThe strategy: what the engine loses from day 0 when it has to do the same", "bold")
        rows = [(each.title, yuan(each.loss), f"± {yuan(each.band)}", each.had) for each in review.strategy]
        yield plain_table("", ">Costs", ">Band", "This player had", rows=rows)
    yield words("\nWhere the money was lost, against what was possible at that moment", "bold")
    lost = sorted((cause for cause in CAUSES if review.lost[cause.key] > 0), key=lambda cause: -review.lost[cause.key])
    causes = [(cause.title, yuan(review.lost[cause.key]), cause.kind) for cause in lost]
    yield plain_table("", ">Yuan", "Kind", rows=causes)


def _accuracy(review: Review) -> str:
    last, first = review.points[-1], review.opening
    what = "this episode ended with" if review.over else "the episode is now worth"
    kept = f"Accuracy {review.accuracy:.1%} ± {review.accuracy_band:.1%}: " if review.accuracy is not None else ""
    return f"{kept}{what} {yuan(last.mean)}; from day 0, the engine ends with {yuan(first.mean)} ± {yuan(first.band)}"


def _marks(review: Review) -> Iterator[Any]:
    if not review.marks:
        yield "None: no week stands out, by the engine or by the account."
    for mark in review.marks:
        went_on = f", unusual until day {mark.until}" if mark.until > mark.last_day else ""
        yield f"{mark.sign:2} days {mark.first_day}-{mark.last_day}: {yuan(mark.cost)} more than usual{went_on}"
        yield Padding(words(_causes(mark)), INDENT)
        yield Padding(words(mark.certainty, "dim"), INDENT)


def _causes(mark: WeekMark) -> str:
    from ecbench.metrics.losses.account import CAUSE_BY_KEY

    named = (f"{CAUSE_BY_KEY[cause].title.lower()} {yuan(amount)}" for cause, amount in mark.causes.items())
    return "; ".join(named) or "the account has no cause for it"


def _curve(review: Review) -> Table:
    rows, shown = [], -MONTH
    for point in review.points:
        if point.day >= shown + MONTH or point is review.points[-1]:
            shown, share = point.day, review.share(point)
            band = "result" if point.over else f"± {yuan(point.band)}"
            rows.append((str(point.day), yuan(point.mean), band, "" if share is None else f"{share:.1%}"))
    return plain_table(">Day", ">Value", ">Band", ">Of day 0", rows=rows)
