"""ecbench export: the tables of a run for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli.plain_text import say, say_json
from ecbench.cli.run_episodes import JsonOption, RunArgument, WorldPlaceOption

FORMATS = ("csv", "parquet", "release")  # those of runs/export.py; naming them here keeps `ecbench --help` quick


def _check_format(name: str) -> str:
    if name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def export(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet, or is empty.")],
    form: Annotated[
        str,
        typer.Option("--format", metavar="NAME", callback=_check_format, help="csv, parquet or release."),
    ] = "csv",
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the tables of all years of a run for other programs.

    csv and parquet: one file for each table, with the years below one another, and episodes, which has a row for each
    year with all measures. release: the published release's files for each year. Parquet needs polars, which
    pip install 'ecbench[frames]' brings.
    """
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.export import export_run

    written = export_run(open_run(run).with_world_at(world), out, form)
    if as_json:
        say_json([str(path) for path in written])
    else:
        say(f"{len(written):,} files in {out}")
