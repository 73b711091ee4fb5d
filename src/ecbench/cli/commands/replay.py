"""ecbench replay: look at a recorded run, and prove that it is what happened."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, RunArgument, WorldPlaceOption


def replay(
    run: RunArgument,
    verify: Annotated[
        bool, typer.Option("--verify", help="Recompute every reply and fail on the first difference.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Recompute, and rewrite the files derived from the events.")
    ] = False,
    episode: Annotated[
        int | None, typer.Option("--episode", metavar="N", min=0, help="Only this year. [default: all]")
    ] = None,
    every: Annotated[int, typer.Option("--every", min=1, metavar="DAYS", help="Days between two lines.")] = 7,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded run day by day, or verify it.

    With --verify or --rebuild the year is recomputed from its calls, without its agent. The exit code is 1 if the
    result differs, or if the folder holds a link or a file that is no part of a run.
    """
    handlers.replay.replay_folder(run, episode, every, world, verify=verify, rebuild=rebuild, as_json=as_json)
