"""ecbench report: what happened in runs, as one page or as the tables of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Literal, get_args

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import refuse_repeated
from ecbench.cli.terminal import say
from ecbench.extras import require_extra

LONGEST_NUMBER = 10  # digits
TableName = Literal["leaderboard", "d1", "d2", "d3", "d4", "d5", "d6", "presets", "failures"]
TABLES = get_args(TableName)


def report(
    runs: list[Path],
    *,
    out: Path | None = None,
    figures: Path | None = None,
    episode: str | None = None,
    ladder: bool = False,
    tables: bool = False,
    latex: bool = False,
    only: list[TableName] | None = None,
) -> CommandResult:
    """Write a page on runs, or print the paper's tables of them.

    Figures, tables, negotiations and the transcript, in one file under 3 MB that opens without a network. Runs of other
    worlds, days, stakes or rules are shown side by side with a warning; unfinished or damaged episodes are
    shown as far as they go. docs/understand.md explains every figure.

    With --tables: means over the finished episodes, with the paper's standard deviation over them. Measures that the
    paper does not print follow each table, for the runs alone. docs/paper.md says which table of the paper is which,
    and docs/metrics.md explains every measure.

    Options:
        out FILE.html: Where to write the page. [default: RUN/report.html]
        figures DIR: Also write every figure there, as CSV and SVG.
        episode N: The episode of each run to show, or all. [default: every episode of one run; of several runs the one
            with the median final assets]
        ladder: Play the anchors that have no result on the worlds of the runs.
        tables: Print the paper's tables of results for the runs instead of writing a page.
        latex: Of --tables: print them as LaTeX.
        only TABLE: Of --tables, only this one; may be repeated: leaderboard, d1, d2, d3, d4, d5, d6, presets, failures.
    """
    refuse_repeated(runs)
    if tables:
        if out or figures or episode or ladder:
            raise click.UsageError("--tables excludes --out, --figures, --episode and --ladder")
        return _tables(runs, only or [], latex=latex)
    if latex or only:
        raise click.UsageError("--latex and --only are for --tables")
    return _written_page(runs, out, figures, episode, ladder=ladder)


def _written_page(
    folders: Sequence[Path], out: Path | None, figures: Path | None, episode: str | None, *, ladder: bool
) -> CommandResult:
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
    lines = [f"Report: {page} ({size / 1e6:.2f} MB)"] + ([f"Figures: {figures}"] if figures else [])
    return CommandResult({"page": page, "bytes": size, "figures": figures}, lines)


def _chosen(episode: str | None) -> int | str | None:
    from ecbench.pages.report.output import EVERY_YEAR

    if episode is None or episode == EVERY_YEAR:
        return episode
    if not (episode.isascii() and episode.isdecimal() and len(episode) < LONGEST_NUMBER):
        raise click.BadParameter(f"{episode!r:.40} is neither the number of an episode nor all", param_hint="--episode")
    return int(episode)


def _tables(folders: Sequence[Path], only: Sequence[str], *, latex: bool) -> CommandResult:
    from ecbench.analysis.compare.entries import equal_years, read_entries
    from ecbench.cli.paper_table_formats import as_latex, text_parts, to_json
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
    return CommandResult({"tables": to_json(tables)}, [as_latex(tables)] if latex else text_parts(tables))
