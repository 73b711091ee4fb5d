"""ecbench verify: what a run folder proves, and what it cannot."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, RunArgument, WorldPlaceOption


def verify(
    run: RunArgument,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            metavar="SEASON",
            help="Fail unless the run is of this season, a name or a file. [default: detected]",
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="PUBLIC_KEY",
            help="Fail unless this key signed the run, and say what its owner vouches for: the key's text or file; may "
            "be repeated.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="RUN", help="The run that the planned looks of this one compare with."),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute a run and say what its folder or ZIP file proves.

    Every reply, every ending and every byte of the records is recomputed from the calls, on worlds generated again from
    their seeds. Merchants of this package are re-run; no other agent's code is run. Other files of the folder are
    listed and not used. Nothing is written. A folder cannot prove that a model wrote the calls; the signatures of a
    signed run are checked, and --trust says whose word counts. Of a run that stopped when it was clear every look is
    recomputed.

    Exit codes: 0 all as recorded, 1 something differs, is unfinished, or is not of the season or the
    signer, 2 bad input.
    """
    handlers.verify.verify_run(run, suite, world, trust or [], against, as_json=as_json)
