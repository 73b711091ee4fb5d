"""Write the tables of a run for other programs."""

from pathlib import Path

from ecbench.cli.plain_text import say, say_json
from ecbench.runs.folder import open_run
from ecbench.runs.results.export import export_run


def export_folder(folder: Path, out: Path, form: str, world: str | None, *, as_json: bool) -> None:
    written = export_run(open_run(folder).with_world_at(world), out, form)
    if as_json:
        say_json([str(path) for path in written])
    else:
        say(f"{len(written):,} files in {out}")
