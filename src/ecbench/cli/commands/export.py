"""ecbench export: a run for other programs, as tables or as training data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import click

from ecbench.cli.declare import argument, option
from ecbench.cli.options import JsonOption, NewFolderOption, WorldPlaceOption, refuse_repeated
from ecbench.cli.terminal import say, say_json
from ecbench.formatting import counted

if TYPE_CHECKING:
    from ecbench.runs.folder import Run

# Of runs/results/export.py and runs/results/training_samples.py, which load the simulator.
DATABASE = "sqlite"
RUNS = "RUN..."
TRAINING = ("openai", "messages", "atif")
Format = Literal["csv", "parquet", "release", "sqlite", "openai", "messages", "atif"]
FORMATS = get_args(Format)


def export(
    runs: Annotated[list[Path], argument(metavar=RUNS, help="The folder of a run; as sqlite, of several.")],
    out: NewFolderOption,
    form: Annotated[Format, option("--format", metavar="NAME", help=f"{', '.join(FORMATS)}.")] = "csv",
    whole: Annotated[
        bool, option("--whole", help="Training: one sample for each episode, unedited, instead of one for each window.")
    ] = False,
    credit: Annotated[
        bool, option("--credit", help="Training: what each turn cost, and the engine's value around it.")
    ] = False,
    force: Annotated[bool, option("--force", help="Training: export the worlds of a season, too.")] = False,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all episodes of a run for other programs.

    csv and parquet: one file for each table, and `episodes`, which has a row for each episode with all
    measures. sqlite: one file with the tables of all given runs. release: the files of the published
    release for each episode. Parquet needs polars, which pip install 'ecbench[frames]' brings.

    openai (also called messages) and atif: training data, one sample for each context window as the model saw it, in
    which each turn is trained on once. docs/train.md has the fields.
    """
    from ecbench.runs.folder import open_run

    training = {"--whole": whole, "--credit": credit, "--force": force}
    if form == DATABASE:
        refuse_repeated(runs)
    elif len(runs) > 1:
        raise click.BadParameter(f"--format {form} takes one run; --format sqlite takes several")
    if form not in TRAINING and (given := [name for name, value in training.items() if value]):
        raise click.BadParameter(f"{given[0]} is for training data: --format {', '.join(TRAINING)}")
    opened = [open_run(folder).with_world_at(world) for folder in runs]
    if form == DATABASE:
        from ecbench.runs.results.export import export_database

        export_database(opened, out)
        written = [out]
    elif form in TRAINING:
        from ecbench.analysis.review.turn_credit import turn_credits
        from ecbench.runs.results.training_samples import export_training
        from ecbench.season.seasons import refuse_for_training

        if not force:
            refuse_for_training(opened[0])
        credits = turn_credits if credit else None
        written = export_training(entry_folders(opened[0]), out, form, whole=whole, credits=credits)
    else:
        from ecbench.runs.results.export import export_entries

        written = export_entries(entry_folders(opened[0]), out, form)
    if as_json:
        say_json({"files": [str(path) for path in written]})
    elif form == DATABASE:
        say(f"{out}: the tables of {counted(len(runs), 'run')}")
    else:
        say(f"{counted(len(written), 'file', ',')} in {out}")


def entry_folders(run: Run) -> dict[str, Run]:
    """By folder within the export: the run, or each entry of an arena."""
    from ecbench.runs.terms import numbered

    if run.seats == 1:
        return {"": run}
    names = numbered([name.replace("/", "-").replace(":", "-") for name in run.terms.labels])
    return dict(zip(names, run.entries(), strict=True))
