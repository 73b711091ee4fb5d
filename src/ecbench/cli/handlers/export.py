"""Write a run for other programs, as tables or as training data."""

from collections.abc import Sequence
from pathlib import Path

from ecbench.cli.plain_text import say, say_json
from ecbench.number_words import counted
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.export import export_database, export_entries
from ecbench.runs.results.training_samples import FindCredits, export_training, no_credits
from ecbench.runs.terms import numbered
from ecbench.suite.seasons import refuse_for_training


def export_folder(folder: Path, out: Path, form: str, world: str | None, *, as_json: bool) -> None:
    """The tables of a run."""
    run = open_run(folder).with_world_at(world)
    _print_written(out, export_entries(entry_folders(run), out, form), as_json=as_json)


def export_database_file(folders: Sequence[Path], out: Path, world: str | None, *, as_json: bool) -> None:
    """The tables of several runs in one file."""
    export_database([open_run(folder).with_world_at(world) for folder in folders], out)
    say_json([str(out)]) if as_json else say(f"{out}: the tables of {counted(len(folders), 'run')}")


def export_samples(
    folder: Path, out: Path, form: str, world: str | None, *, whole: bool, credit: bool, force: bool, as_json: bool
) -> None:
    """The years of a run as training data."""
    run = open_run(folder).with_world_at(world)
    if not force:
        refuse_for_training(run)
    credits = _turn_credits() if credit else no_credits
    written = export_training(entry_folders(run), out, form, whole=whole, credits=credits)
    _print_written(out, written, as_json=as_json)


def _turn_credits() -> FindCredits:
    from ecbench.review.turn_credit import turn_credits  # noqa: PLC0415 - with NumPy, which other exports do not need

    return turn_credits


def entry_folders(run: Run) -> dict[str, Run]:
    """By folder within the export: the run, or each entry of an arena."""
    if run.seats == 1:
        return {"": run}
    names = numbered([name.replace("/", "-").replace(":", "-") for name in run.terms.labels])
    return dict(zip(names, run.entries(), strict=True))


def _print_written(out: Path, written: Sequence[Path], *, as_json: bool) -> None:
    if as_json:
        say_json([str(path) for path in written])
    else:
        say(f"{len(written):,} {'file' if len(written) == 1 else 'files'} in {out}")
