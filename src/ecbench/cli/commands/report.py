"""ecbench report: what happened in runs, as one page."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import refuse_repeated

RUNS = "RUN [RUN...]"


def report(
    runs: Annotated[list[Path], typer.Argument(metavar=RUNS, help="The folders of runs.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.html", help="Where to write the page. [default: RUN/report.html]"),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="DIR", help="Also write every figure there, as CSV and SVG.")
    ] = None,
    episode: Annotated[
        str | None,
        typer.Option(
            "--episode",
            metavar="N",
            help="The year of each run to show, or all. [default: every year of a single run; of several runs the year "
            "that ended in the middle]",
        ),
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Play the anchors that are not known on the worlds of the runs.")
    ] = False,
) -> None:
    """Write a page on one run or several.

    Figures, tables, negotiations and the transcript, in one file under 3 MB that opens without a network. Runs of other
    worlds, days, stakes or rules stand beside one another under a warning; years that are not over, or damaged, are
    shown as far as they go. docs/report.md explains every figure.

    Exit codes: 0 written, 2 bad input.
    """
    refuse_repeated(runs, RUNS)
    if out is None and len(runs) > 1:
        raise typer.BadParameter("say where the page of several runs is to go, such as --out report.html")
    handlers.report.write_page(runs, out, figures, episode, ladder=ladder)
