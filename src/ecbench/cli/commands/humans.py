"""ecbench humans: a baseline of persons' years."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption


def humans(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Run folders of persons' years, or ZIP files of them.")
    ],
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE.csv", help="Also write the years there, a row each.")
    ] = None,
) -> None:
    """Verify persons' years, and print them as a baseline.

    Takes years that persons played to their end with `ecbench serve`, alone and without a branch. Each is verified as
    `ecbench verify` does; what is not such a year, differs, or was given before is refused with the reason. Years of
    the same world, days, stake and rules are averaged: the geometric mean of their final assets with its 95% interval.
    Minutes of real time are those that the record states, and are not proven.

    Exit codes: 0 all files entered, 1 a file was refused, 2 bad input.
    """
    handlers.humans.print_baseline(files, csv, as_json=as_json)
