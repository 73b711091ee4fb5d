"""ecbench fork: take a recorded year over on one of its days."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli.playing import JsonOption, QuietOption, RunArgument, WorldPlaceOption, default_folder


def fork(
    run: RunArgument,
    day: Annotated[int, typer.Option("--day", min=0, help="The day on which the other agent takes over.")],
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Who goes on; see `ecbench run`.")],
    episode: Annotated[int, typer.Option("--episode", min=0, help="Which year of the run.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="A folder that does not exist yet. [default: runs/TIME_AGENT]"),
    ] = None,
    world: WorldPlaceOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Continue a year from any of its days with another agent, as a run of its own.

    The other agent finds the books, the stock, the stores and the notes as they were on that morning, and has seen
    nothing of what was said before.
    """
    from dataclasses import replace

    from ecbench.cli.playing import choose_executor, find_own_modules, play_run, provenance
    from ecbench.runs.folder import open_run
    from ecbench.runs.fork import fork_run
    from ecbench.runs.seats import seated, short_name

    find_own_modules()
    agent = seated(agent)
    opened = open_run(run)
    opened = replace(opened, world_source=world or opened.world_source)
    loaded = opened.load_world()
    forked = fork_run(
        opened,
        out or default_folder(short_name(agent)),
        episode=episode,
        day=day,
        agent=agent,
        model={},
        provenance=provenance(),
    )
    play_run(forked, loaded, [0], executor=choose_executor(None, 1, 1), quiet=quiet, as_json=as_json)
