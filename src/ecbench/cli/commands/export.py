"""ecbench export: a run for other programs, as tables or as training data."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, NewFolderOption, WorldPlaceOption, refuse_repeated

# Of runs/results/export.py and runs/results/training_samples.py, which load the simulator.
TABLES = ("csv", "parquet", "release")
DATABASE = "sqlite"
RUNS = "RUN..."
TRAINING = ("openai", "messages", "atif")
FORMATS = (*TABLES, DATABASE, *TRAINING)


def _check_format(name: str) -> str:
    if name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def export(
    runs: Annotated[list[Path], typer.Argument(metavar=RUNS, help="The folder of a run; as sqlite, of several.")],
    out: NewFolderOption,
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", callback=_check_format, help=f"{', '.join(FORMATS)}.")
    ] = "csv",
    whole: Annotated[
        bool, typer.Option("--whole", help="Training: one sample a year, unedited, instead of one for each window.")
    ] = False,
    credit: Annotated[
        bool, typer.Option("--credit", help="Training: what each turn cost, and the engine's value around it.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Training: export the worlds of a season, too.")] = False,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all episodes of a run for other programs.

    csv and parquet: one file for each table, with the years below one another, and episodes, which has a row for each
    year with all measures. sqlite: one file with the tables of all given runs. release: the published release's files
    for each year. Parquet needs polars, which pip install 'ecbench[frames]' brings.

    openai (also called messages) and atif: training data, one sample for each context window as the model saw it, in
    which each turn is trained on once. docs/training.md has the fields.
    """
    if form == DATABASE:
        refuse_repeated(runs, RUNS)
    elif len(runs) > 1:
        raise typer.BadParameter(f"--format {form} takes one run; --format sqlite takes several")
    run = runs[0]
    if form in TRAINING:
        handlers.export.export_samples(run, out, form, world, whole=whole, credit=credit, force=force, as_json=as_json)
        return
    for name, given in (("--whole", whole), ("--credit", credit), ("--force", force)):
        if given:
            raise typer.BadParameter(f"{name} is for training data: --format {', '.join(TRAINING)}")
    if form == DATABASE:
        handlers.export.export_database_file(runs, out, world, as_json=as_json)
        return
    handlers.export.export_folder(run, out, form, world, as_json=as_json)
