"""ecbench review: what each week of a year was worth, and where it lost."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import EpisodeOption, Output, RunArgument, SeatOption, WorldPlaceOption, number_option
from ecbench.ranges import JOBS


def review(
    *,
    run: RunArgument,
    episode: EpisodeOption = 0,
    seat: SeatOption = 0,
    jobs: Annotated[
        int | None, number_option("--jobs", "-j", within=JOBS, help="Workers at the same time. [default: one a core]")
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Every fourth week, weekly near losses, and four variants: sooner, with a wider band."
        ),
    ] = False,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Sixteen variants instead of eight: twice the work, a narrower band.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Start over and discard the kept review.")] = False,
    world: WorldPlaceOption = None,
    output: Output,
) -> None:
    """Say what each week of a year was worth, and which ones lost.

    A fixed engine takes the year over at each week's start, in many variants, and the mean of what they end with is the
    value of that position. Accuracy is the share of the engine's value on day 0 that the year kept. Days that lost more
    than this player usually loses are marked ?!, ? or ??, with the cause, the amount and its error. Strategy is what
    unopened stores, the trades chosen, few listings and idle capital cost. docs/review.md says what all this means.

    A review is kept in the run folder. Run the command again to continue a review that was stopped.
    """
    if quick and thorough:
        raise typer.BadParameter("a look is quick or thorough, not both", param_hint="'--thorough'")
    handlers.review.review_folder(
        run, episode, seat, jobs, output, world=world, quick=quick, thorough=thorough, again=again
    )
