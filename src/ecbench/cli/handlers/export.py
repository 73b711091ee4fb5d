"""Write the tables of a run for other programs."""

from pathlib import Path

from ecbench.cli.origin_note import print_origins
from ecbench.cli.plain_text import say, say_json
from ecbench.runs.folder import open_run
from ecbench.runs.results.export import export_entries, export_run


def export_folder(folder: Path, out: Path, form: str, world: str | None, *, as_json: bool) -> None:
    """An arena gets a folder for each of its entries."""
    run = open_run(folder).with_world_at(world)
    names = [name.replace("/", "-").replace(":", "-") for name in run.terms.labels]
    entries = dict(zip(names, run.entries(), strict=True))
    written = export_run(run, out, form) if run.seats == 1 else export_entries(entries, out, form)
    if as_json:
        say_json([str(path) for path in written])
    else:
        say(f"{len(written):,} files in {out}")
    print_origins([run])
