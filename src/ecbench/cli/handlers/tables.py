"""Print the paper's tables of results for runs."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ecbench.cli.paper_table_formats import as_csv, as_latex, as_markdown, as_text, to_json
from ecbench.cli.plain_text import say, say_json
from ecbench.compare.entries import equal_years, read_entries
from ecbench.metrics.paper_tables import PaperTable, paper_tables
from ecbench.runs.folder import open_run

FORMATS: Mapping[str, Callable[[Sequence[PaperTable]], str]] = {
    "text": as_text,
    "csv": as_csv,
    "latex": as_latex,
    "markdown": as_markdown,
}


def print_tables(folders: Sequence[Path], only: Sequence[str], form: str) -> None:
    """`form` is json or one of FORMATS."""
    runs = [entry for folder in folders for entry in open_run(folder).entries()]
    entries = read_entries(runs)
    for entry in entries:
        for left_out in entry.left_out:
            say(f"ecbench: warning: {entry.label}: left out: {left_out}", err=True)
        if entry.copies:
            say(f"ecbench: {entry.label}: {equal_years(entry)}", err=True)
    reports = {entry.label: list(chain.from_iterable(entry.years.values())) for entry in entries}
    tables = paper_tables(reports, only)
    if form == "json":
        say_json(to_json(tables))
    else:
        say(FORMATS[form](tables))
