"""ecbench report: what happened in runs, as one page."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli.plain_text import say

LONGEST_NUMBER = 10  # digits

RunsArgument = Annotated[list[Path], typer.Argument(metavar="RUN [RUN...]", help="The folders of runs.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE.html", help="Where to write the page. [default: RUN/report.html]")
]
FiguresOption = Annotated[
    Path | None, typer.Option("--figures", metavar="DIR", help="Also write every figure there, as CSV and SVG.")
]
EpisodeOption = Annotated[
    str | None,
    typer.Option(
        "--episode",
        metavar="N",
        help="The year of each run to show, or all. [default: every year of a single run; of several runs the year "
        "that ended in the middle]",
    ),
]


def report(
    runs: RunsArgument, out: OutOption = None, figures: FiguresOption = None, episode: EpisodeOption = None
) -> None:
    """Write a page on one run or several.

    Figures, tables, negotiations and the transcript, in one file under 3 MB that opens without a network. Runs of other
    worlds, days, stakes or rules stand beside one another under a warning; years that are not over, or damaged, are
    shown as far as they go. docs/report.md explains every figure.

    Exit codes: 0 written, 2 bad input.
    """
    from ecbench.report.output import PAGE, write_report
    from ecbench.runs.folder import open_run

    twice = next((run for place, run in enumerate(runs) if run.resolve() in [r.resolve() for r in runs[:place]]), None)
    if twice is not None:
        raise typer.BadParameter(f"{twice} is given twice", param_hint="RUN [RUN...]")
    if out is None and len(runs) > 1:
        raise typer.BadParameter("say where the page of several runs is to go, such as --out report.html")
    page = out or runs[0] / PAGE
    if page.is_dir():
        raise typer.BadParameter(f"{page} is a folder; give the name of a file", param_hint="--out")
    size = write_report([open_run(run) for run in runs], page, figures, _chosen(episode))
    say(f"Report: {page} ({size / 1e6:.2f} MB)")
    if figures is not None:
        say(f"Figures: {figures}")


def _chosen(episode: str | None) -> int | str | None:
    from ecbench.report.output import EVERY_YEAR

    if episode is None or episode == EVERY_YEAR:
        return episode
    if not (episode.isascii() and episode.isdecimal() and len(episode) < LONGEST_NUMBER):
        raise typer.BadParameter(f"{episode!r:.40} is neither the number of a year nor all", param_hint="--episode")
    return int(episode)
