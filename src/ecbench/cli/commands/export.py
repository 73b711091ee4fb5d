"""ecbench export: a run for other programs, as tables or as training data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ecbench.cli.declare import argument, option
from ecbench.cli.options import JsonOption, NewFolderOption, WorldPlaceOption, refuse_repeated
from ecbench.cli.terminal import say, say_json
from ecbench.formatting import counted

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.results.training_samples import FindCredits

# Of runs/results/export.py and runs/results/training_samples.py, which load the simulator.
TABLES = ("csv", "parquet", "release")


DATABASE = "sqlite"


RUNS = "RUN..."


TRAINING = ("openai", "messages", "atif")


FORMATS = (*TABLES, DATABASE, *TRAINING)


def _check_format(name: str) -> str:
    if name not in FORMATS:
        raise click.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def export(
    runs: Annotated[list[Path], argument(metavar=RUNS, help="The folder of a run; as sqlite, of several.")],
    out: NewFolderOption,
    form: Annotated[
        str, option("--format", metavar="NAME", check=_check_format, help=f"{', '.join(FORMATS)}.")
    ] = "csv",
    whole: Annotated[
        bool, option("--whole", help="Training: one sample a year, unedited, instead of one for each window.")
    ] = False,
    credit: Annotated[
        bool, option("--credit", help="Training: what each turn cost, and the engine's value around it.")
    ] = False,
    force: Annotated[bool, option("--force", help="Training: export the worlds of a season, too.")] = False,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all episodes of a run for other programs.

    csv and parquet: one file for each table, with the years below one another, and episodes, which has a row for each
    year with all measures. sqlite: one file with the tables of all given runs. release: the published release's files
    for each year. Parquet needs polars, which pip install 'ecbench[frames]' brings.

    openai (also called messages) and atif: training data, one sample for each context window as the model saw it, in
    which each turn is trained on once. docs/train.md has the fields.
    """
    if form == DATABASE:
        refuse_repeated(runs)
    elif len(runs) > 1:
        raise click.BadParameter(f"--format {form} takes one run; --format sqlite takes several")
    run = runs[0]
    if form in TRAINING:
        _export_samples(run, out, form, world, whole=whole, credit=credit, force=force, as_json=as_json)
        return
    for name, given in (("--whole", whole), ("--credit", credit), ("--force", force)):
        if given:
            raise click.BadParameter(f"{name} is for training data: --format {', '.join(TRAINING)}")
    if form == DATABASE:
        _export_database_file(runs, out, world, as_json=as_json)
        return
    _export_folder(run, out, form, world, as_json=as_json)


def _export_folder(folder: Path, out: Path, form: str, world: str | None, *, as_json: bool) -> None:
    """The tables of a run."""
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.export import export_entries

    run = open_run(folder).with_world_at(world)
    _print_written(out, export_entries(entry_folders(run), out, form), as_json=as_json)


def _export_database_file(folders: Sequence[Path], out: Path, world: str | None, *, as_json: bool) -> None:
    """The tables of several runs in one file."""
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.export import export_database

    export_database([open_run(folder).with_world_at(world) for folder in folders], out)
    say_json({"files": [str(out)]}) if as_json else say(f"{out}: the tables of {counted(len(folders), 'run')}")


def _export_samples(
    folder: Path, out: Path, form: str, world: str | None, *, whole: bool, credit: bool, force: bool, as_json: bool
) -> None:
    """The years of a run as training data."""
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.training_samples import export_training, no_credits
    from ecbench.season.seasons import refuse_for_training

    run = open_run(folder).with_world_at(world)
    if not force:
        refuse_for_training(run)
    credits = _turn_credits() if credit else no_credits
    written = export_training(entry_folders(run), out, form, whole=whole, credits=credits)
    _print_written(out, written, as_json=as_json)


def _turn_credits() -> FindCredits:
    from ecbench.analysis.review.turn_credit import turn_credits

    return turn_credits


def entry_folders(run: Run) -> dict[str, Run]:
    """By folder within the export: the run, or each entry of an arena."""
    from ecbench.runs.terms import numbered

    if run.seats == 1:
        return {"": run}
    names = numbered([name.replace("/", "-").replace(":", "-") for name in run.terms.labels])
    return dict(zip(names, run.entries(), strict=True))


def _print_written(out: Path, written: Sequence[Path], *, as_json: bool) -> None:
    if as_json:
        say_json({"files": [str(path) for path in written]})
    else:
        say(f"{len(written):,} {'file' if len(written) == 1 else 'files'} in {out}")
