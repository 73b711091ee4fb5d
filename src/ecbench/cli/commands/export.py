"""ecbench export: the tables of a run for other programs."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, NewFolderOption, RunArgument, WorldPlaceOption

FORMATS = ("csv", "parquet", "release")  # of runs/results/export.py, which loads the simulator


def _check_format(name: str) -> str:
    if name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def export(
    run: RunArgument,
    out: NewFolderOption,
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", callback=_check_format, help="csv, parquet or release.")
    ] = "csv",
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the tables of all years of a run for other programs.

    csv and parquet: one file for each table, with the years below one another, and episodes, which has a row for each
    year with all measures. release: the published release's files for each year. Parquet needs polars, which
    pip install 'ecbench[frames]' brings.
    """
    handlers.export.export_folder(run, out, form, world, as_json=as_json)
