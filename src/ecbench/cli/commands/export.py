"""ecbench export: a run for other programs, as tables or as training data."""

from pathlib import Path
from typing import Literal

import click

from ecbench.cli.declare import CommandResult
from ecbench.formatting import counted

TRAINING = ("openai", "atif")
Format = Literal["csv", "parquet", "release", "sqlite", "openai", "atif"]


def export(
    runs: list[Path],
    *,
    folder: Path,
    form: Format = "csv",
    credit: bool = False,
    force: bool = False,
    world: str | None = None,
) -> CommandResult:
    """Write all episodes of a run for other programs.

    csv and parquet: one file for each table, and `episodes`, which has a row for each episode with all
    measures. sqlite: one file with the tables of all given runs. release: the files of the published
    release for each episode. Parquet needs polars, which pip install 'ecbench[frames]' brings.

    openai (chat messages) and atif: training data, one sample for each context window as the model saw it, in which
    each turn is trained on once. docs/train.md has the fields.

    Options:
        runs RUN...: The folder of a run; as sqlite, of several.
        form --format NAME: csv, parquet, release, sqlite, openai, atif.
        credit: Of training data: add what each turn cost, and the engine's value before and after it.
        force: Of training data: also export runs on the worlds of a season.
    """
    from ecbench.analysis.review.turn_credit import turn_credits
    from ecbench.runs.folder import open_runs
    from ecbench.runs.results.export import export_database, export_entries
    from ecbench.runs.results.training_samples import export_training
    from ecbench.runs.terms import numbered
    from ecbench.season.seasons import refuse_for_training

    if (credit or force) and form not in TRAINING:
        raise click.BadParameter(f"--credit and --force are for training data: --format {', '.join(TRAINING)}")
    opened = [run.with_world_at(world) for run in open_runs(runs)]
    if form == "sqlite":
        export_database(opened, folder)
        return CommandResult({"files": [folder]}, [f"{folder}: the tables of {counted(len(runs), 'run')}"])
    if len(runs) > 1:
        raise click.BadParameter(f"--format {form} takes one run; --format sqlite takes several")
    names = numbered([name.replace("/", "-").replace(":", "-") for name in opened[0].terms.labels])
    entries = dict(zip(names, opened[0].entries(), strict=True)) if opened[0].seats > 1 else {"": opened[0]}
    if form in TRAINING:
        if not force:
            refuse_for_training(opened[0])
        written = export_training(entries, folder, form, credits=turn_credits if credit else None)
    else:
        written = export_entries(entries, folder, form)
    return CommandResult({"files": written}, [f"{counted(len(written), 'file', ',')} in {folder}"])
