"""Write a page on runs."""

from collections.abc import Sequence
from pathlib import Path

import typer

from ecbench.cli.plain_text import say
from ecbench.report.output import EVERY_YEAR, PAGE, write_report
from ecbench.runs.folder import open_run
from ecbench.runs.results.anchors_file import measure_anchors

LONGEST_NUMBER = 10  # digits


def write_page(
    folders: Sequence[Path], out: Path | None, figures: Path | None, episode: str | None, *, ladder: bool = False
) -> None:
    page = out or folders[0] / PAGE
    if page.is_dir():
        raise typer.BadParameter(f"{page} is a folder; give the name of a file", param_hint="--out")
    runs = [entry for folder in folders for entry in open_run(folder).entries()]
    for run in runs if ladder else ():
        measure_anchors(run, lambda line: say(f"ecbench: {line}", err=True))
    size = write_report(runs, page, figures, _chosen(episode))
    say(f"Report: {page} ({size / 1e6:.2f} MB)")
    if figures is not None:
        say(f"Figures: {figures}")


def write_beside(folder: Path, *, as_json: bool) -> None:
    """Write the page of a run that has just been played into its folder."""
    write_report(open_run(folder).entries(), folder / PAGE)
    say(f"Report: {folder / PAGE}", err=as_json)


def _chosen(episode: str | None) -> int | str | None:
    if episode is None or episode == EVERY_YEAR:
        return episode
    if not (episode.isascii() and episode.isdecimal() and len(episode) < LONGEST_NUMBER):
        raise typer.BadParameter(f"{episode!r:.40} is neither the number of a year nor all", param_hint="--episode")
    return int(episode)
