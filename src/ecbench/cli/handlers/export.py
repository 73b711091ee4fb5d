"""Write the tables of a run for other programs."""

from pathlib import Path

from ecbench.cli.origin_note import print_origins
from ecbench.cli.plain_text import say, say_json
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.export import export_run, refuse_used_export


def export_folder(folder: Path, out: Path, form: str, world: str | None, *, as_json: bool) -> None:
    run = open_run(folder).with_world_at(world)
    written = export_run(run, out, form) if run.seats == 1 else _export_entries(run, out, form)
    if as_json:
        say_json([str(path) for path in written])
    else:
        say(f"{len(written):,} files in {out}")
    print_origins([run])


def _export_entries(run: Run, out: Path, form: str) -> list[Path]:
    """A folder for each entry of an arena."""
    refuse_used_export(out)
    return [
        path
        for entry, name in zip(run.entries(), run.terms.labels, strict=True)
        for path in export_run(entry, out / name.replace("/", "-").replace(":", "-"), form)
    ]
