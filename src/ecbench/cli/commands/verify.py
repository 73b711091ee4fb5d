"""ecbench verify: what a run folder proves, and what it cannot."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, RunArgument, WorldPlaceOption


def verify(
    run: RunArgument,
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="SEASON", help="Fail unless the run is of this season. [default: detected]"),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute a run and say what its folder proves.

    Every reply and every file is recomputed from the calls and compared, on worlds generated again from their seeds.
    Nothing is written and no agent's code is run. A folder cannot prove that a model wrote the calls.

    Exit codes: 0 all as recorded, 1 something differs, is unfinished or is not of the season, 2 bad input.
    """
    handlers.verify.verify_folder(run, suite, world, as_json=as_json)
