"""ecbench report: what happened in runs, as one page or as the tables of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

import click

from ecbench.cli.declare import option
from ecbench.cli.options import JsonOption, RunsArgument, refuse_repeated
from ecbench.cli.terminal import say, say_json
from ecbench.extras import require_extra

LONGEST_NUMBER = 10  # digits
FORMATS = ("text", "csv", "latex", "markdown")
TABLES = ("leaderboard", "d1", "d2", "d3", "d4", "d5", "d6", "presets", "failures")


def _check_tables(names: list[str] | None) -> list[str] | None:
    for name in names or ():
        if name not in TABLES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(TABLES)}")
    return names


def report(
    runs: RunsArgument,
    out: Annotated[
        Path | None, option("--out", metavar="FILE.html", help="Where to write the page. [default: RUN/report.html]")
    ] = None,
    figures: Annotated[
        Path | None, option("--figures", metavar="DIR", help="Also write every figure there, as CSV and SVG.")
    ] = None,
    episode: Annotated[
        str | None,
        option(
            "--episode",
            metavar="N",
            help="The episode of each run to show, or all. [default: every episode of one run; of several runs the "
            "one with the median final assets]",
        ),
    ] = None,
    ladder: Annotated[
        bool, option("--ladder", help="Play the anchors that are not known on the worlds of the runs.")
    ] = False,
    tables: Annotated[
        bool, option("--tables", help="Print the paper's tables of results for the runs instead of writing a page.")
    ] = False,
    form: Annotated[
        Literal["text", "csv", "latex", "markdown"] | None,
        option("--format", metavar="NAME", help=f"Of --tables: {', '.join(FORMATS)}."),
    ] = None,
    only: Annotated[
        list[str] | None,
        option(
            "--only",
            metavar="TABLE",
            check=_check_tables,
            help=f"Of --tables, only this one; may be repeated: {', '.join(TABLES)}.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a page on runs, or print the paper's tables of them.

    Figures, tables, negotiations and the transcript, in one file under 3 MB that opens without a network. Runs of other
    worlds, days, stakes or rules are shown side by side with a warning; unfinished or damaged episodes are
    shown as far as they go. docs/understand.md explains every figure.

    With --tables: means over the finished episodes, with the paper's standard deviation over them. Measures that the
    paper does not print follow each table, for the runs alone. csv has one line for each figure. docs/paper.md says
    which table of the paper is which, and docs/metrics.md explains every measure.

    Exit codes: 0 written, 2 bad input, such as --tables of a run without a finished episode.
    """
    refuse_repeated(runs)
    if tables:
        if out or figures or episode or ladder:
            raise click.UsageError("--tables excludes --out, --figures, --episode and --ladder")
        _print_tables(runs, only or [], form, as_json=as_json)
        return
    if form or only:
        raise click.UsageError("--format and --only are for --tables")
    _write_page(runs, out, figures, episode, ladder=ladder, as_json=as_json)


def _write_page(
    folders: Sequence[Path], out: Path | None, figures: Path | None, episode: str | None, *, ladder: bool, as_json: bool
) -> None:
    require_extra("charts")
    from ecbench.pages.report.output import PAGE, write_report
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.anchors_file import measure_anchors

    if out is None and len(folders) > 1:
        raise click.UsageError("say where the page of several runs is to go, such as --out report.html")
    page = out or folders[0] / PAGE
    if page.is_dir():
        raise click.BadParameter(f"{page} is a folder; give the name of a file", param_hint="--out")
    runs = [entry for folder in folders for entry in open_run(folder).entries()]
    for run in runs if ladder else ():
        measure_anchors(run, lambda line: say(f"ecbench: {line}", err=True))
    size = write_report(runs, page, figures, _chosen(episode))
    if as_json:
        say_json({"page": str(page), "bytes": size, "figures": None if figures is None else str(figures)})
        return
    say(f"Report: {page} ({size / 1e6:.2f} MB)")
    if figures is not None:
        say(f"Figures: {figures}")


def _chosen(episode: str | None) -> int | str | None:
    from ecbench.pages.report.output import EVERY_YEAR

    if episode is None or episode == EVERY_YEAR:
        return episode
    if not (episode.isascii() and episode.isdecimal() and len(episode) < LONGEST_NUMBER):
        raise click.BadParameter(f"{episode!r:.40} is neither the number of an episode nor all", param_hint="--episode")
    return int(episode)


def _print_tables(folders: Sequence[Path], only: Sequence[str], form: str | None, *, as_json: bool) -> None:
    """`form` is one of FORMATS; without one it is text, or JSON."""
    if as_json and form:
        raise click.UsageError("--format and --json exclude each other")
    from ecbench.analysis.compare.entries import equal_years, read_entries
    from ecbench.cli.paper_table_formats import as_csv, as_latex, as_markdown, as_text, to_json
    from ecbench.metrics.paper_tables import paper_tables
    from ecbench.runs.folder import open_run

    runs = [entry for folder in folders for entry in open_run(folder).entries()]
    entries = read_entries(runs)
    for entry in entries:
        for left_out in entry.left_out:
            say(f"ecbench: warning: {entry.label}: left out: {left_out}", err=True)
        if entry.copies:
            say(f"ecbench: {entry.label}: {equal_years(entry)}", err=True)
    reports = {entry.label: list(chain.from_iterable(entry.years.values())) for entry in entries}
    tables = paper_tables(reports, only)
    if as_json:
        say_json({"tables": to_json(tables)})
    else:
        formats = dict(zip(FORMATS, (as_text, as_csv, as_latex, as_markdown), strict=True))
        say(formats[form or "text"](tables))
