"""ecbench tables: the paper's tables of results with runs beside its models."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, refuse_repeated

RUNS = "RUN..."
FORMATS = ("text", "csv", "latex", "markdown")
TABLES = ("leaderboard", "d1", "d2", "d3", "d4", "d5", "d6", "presets", "failures")


def _check_format(name: str | None) -> str | None:
    if name is not None and name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def _check_tables(names: list[str] | None) -> list[str] | None:
    for name in names or ():
        if name not in TABLES:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(TABLES)}")
    return names


def tables(
    runs: Annotated[list[Path], typer.Argument(metavar=RUNS, help="The folders of runs, or of an arena.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", callback=_check_format, help="text, csv, latex or markdown. [default: text]"
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="TABLE",
            callback=_check_tables,
            help=f"Only this table; may be repeated: {', '.join(TABLES)}.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the paper's tables of results for runs of yours.

    Values are means over the years that are over, with the paper's standard deviation over them. Measures that the
    paper does not print follow each table, for the runs alone. csv has one line for each figure. docs/paper.md says
    which table of the paper is which, and docs/metrics.md explains every measure.

    Exit codes: 0 printed, 2 bad input, such as a run without a finished year.
    """
    refuse_repeated(runs, RUNS)
    if as_json and form:
        raise typer.BadParameter("--format and --json exclude each other")
    handlers.tables.print_tables(runs, only or [], "json" if as_json else form or "text")
