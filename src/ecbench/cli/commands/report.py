"""ecbench report: what happened in runs, as one page or as the tables of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count
from ecbench.cli.table_printing import plain_table, words
from ecbench.cli.terminal import say
from ecbench.extras import require_extra

if TYPE_CHECKING:
    from ecbench.metrics.paper_tables import PaperTable

WIDTH = 80  # characters of a line of text; a wider table continues below, with its rows named again
TableName = Literal["leaderboard", "d1", "d2", "d3", "d4", "d5", "d6", "presets", "failures"]
TABLES = get_args(TableName)

Cells = list[list[str]]  # of a table with its heading


def report(
    runs: list[Path],
    *,
    out: Path | None = None,
    figures: Path | None = None,
    episode: Count | None = None,
    tables: bool = False,
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
        episode: The episode of each run to show. [default: every one of a single run; of several runs the one with the
            median final assets]
        tables: Print the paper's tables of results for the runs instead of writing a page.
        only TABLE: Of --tables, only this one; may be repeated: leaderboard, d1, d2, d3, d4, d5, d6, presets, failures.
    """
    if tables:
        if out or figures or episode is not None:
            raise click.UsageError("--tables excludes --out, --figures and --episode")
        return _tables(runs, only or [])
    if only:
        raise click.UsageError("--only is for --tables")
    return _written_page(runs, out, figures, episode)


def _written_page(runs: Sequence[Path], out: Path | None, figures: Path | None, episode: int | None) -> CommandResult:
    require_extra("charts")
    from ecbench.pages.report.output import PAGE, write_report
    from ecbench.runs.folder import open_entries

    if out is None and len(runs) > 1:
        raise click.UsageError("say where the page of several runs is to go, such as --out report.html")
    page = out or runs[0] / PAGE
    if page.is_dir():
        raise click.BadParameter(f"{page} is a folder; give the name of a file", param_hint="--out")
    size = write_report(open_entries(runs), page, figures, episode)
    lines = [f"Report: {page} ({size / 1e6:.2f} MB)"] + ([f"Figures: {figures}"] if figures else [])
    return CommandResult({"page": page, "bytes": size, "figures": figures}, lines)


def _tables(runs: Sequence[Path], only: Sequence[str]) -> CommandResult:
    from ecbench.analysis.compare.entries import equal_years, read_entries
    from ecbench.metrics.paper_tables import paper_tables
    from ecbench.runs.folder import open_entries

    entries = read_entries(open_entries(runs))
    for entry in entries:
        for left_out in entry.left_out:
            say(f"ecbench: warning: {entry.label}: left out: {left_out}", err=True)
        if entry.copies:
            say(f"ecbench: {entry.label}: {equal_years(entry)}", err=True)
    reports = {entry.label: list(chain.from_iterable(entry.years.values())) for entry in entries}
    tables = paper_tables(reports, only)
    return CommandResult({"tables": list(map(table_facts, tables))}, _parts(tables))


def table_facts(table: PaperTable) -> dict[str, Any]:
    """Every figure of a table."""
    from ecbench.metrics.paper_tables import cell_text

    figures = [
        {
            "row": row.name,
            "published": row.published,
            "measure": column.name,
            "unit": column.unit,
            "value": figure.value,
            "std": figure.spread,
            "episodes": figure.episodes,
            "text": cell_text(column, row),
        }
        for row in table.rows
        for column in table.columns
        if (figure := row.figures.get(column.name))
    ]
    return {"table": table.terms.key, "label": table.terms.label, "title": table.terms.title, "figures": figures}


def _parts(tables: Sequence[PaperTable]) -> Iterator[Any]:
    for table in tables:
        yield words(f"\n{table.heading}", "bold")
        for (rows, *figures), *lines in _panels(_cells(table)):
            yield plain_table(rows, *(f">{name}" for name in figures), rows=lines)
        if table.note:
            yield words(table.note)


def _cells(table: PaperTable) -> Cells:
    """The heading and the rows. A table with more columns than rows is transposed, so that each measure has a line."""
    from ecbench.metrics.paper_tables import cell_text

    heading = ["", *(column.name for column in table.columns)]
    lines = [[row.name + row.mark, *(cell_text(column, row) for column in table.columns)] for row in table.rows]
    cells = [heading, *lines]
    wide = len(table.columns) > len(table.rows)
    return [list(line) for line in zip(*cells, strict=True)] if wide else cells


def _panels(cells: Cells) -> Iterator[Cells]:
    """The columns of a table in parts that fit the width of a page, each with the names of the rows."""
    widths = [max(map(len, column)) + 1 for column in zip(*cells, strict=True)]
    part = [0]
    for index in range(1, len(widths)):
        if len(part) > 1 and sum(widths[each] for each in (*part, index)) > WIDTH:
            yield [[line[each] for each in part] for line in cells]
            part = [0]
        part.append(index)
    yield [[line[each] for each in part] for line in cells]
