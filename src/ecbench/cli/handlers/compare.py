"""Compare runs and print the differences."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import typer

from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say_json
from ecbench.cli.season_note import print_short_season
from ecbench.compare.comparison import Comparison, compare
from ecbench.compare.entries import read_entries
from ecbench.compare.fairness import refuse_other_games
from ecbench.compare.tables import LEGEND, remarks, sheets, title, to_json, verdict_line
from ecbench.errors import RunError
from ecbench.metrics.axes import ALL_AXES, Axis, axis_named
from ecbench.metrics.measures import MEASURES
from ecbench.number_words import counted
from ecbench.ranges import quoted
from ecbench.runs.folder import open_run


def compare_folders(folders: Sequence[Path], axis: Sequence[str], *, anyway: bool, as_json: bool) -> None:
    axes = _axes(axis)
    runs = [entry for folder in folders for entry in open_run(folder).entries()]
    if len(runs) < 2:
        raise RunError("one run has nothing to be compared with; give the folders of at least two runs, or of an arena")
    entries = read_entries(runs)
    if not anyway:
        refuse_other_games(entries)
    comparison = compare(entries, axes)
    if as_json:
        say_json(to_json(comparison))
    else:
        _print_tables(comparison)
    print_short_season(runs)


def _axes(names: Sequence[str]) -> list[Axis]:
    """The seven and skill, or those that are asked for; any measure may be one."""
    for name in names:
        if axis_named(name) is None:
            close = get_close_matches(name, MEASURES, n=3)
            known = f"the axes are {', '.join(axis.name for axis in ALL_AXES)}; `ecbench tables` prints all measures"
            advice = f"did you mean {', '.join(close)}?" if close else known
            raise typer.BadParameter(f"there is no measure {quoted(name)}; {advice}", param_hint="--axis")
    asked = [axis for name in dict.fromkeys(names) if (axis := axis_named(name))]
    return asked or list(ALL_AXES)


def _print_tables(comparison: Comparison) -> None:
    console = plain_console()
    for pair in comparison.pairs:
        console.print(verdict_line(pair, len(comparison.pairs)), style="bold")
    console.print()
    for entry in comparison.entries:
        worlds = len(entry.years)
        played = f"{counted(entry.count, 'year', ',')} on {counted(worlds, 'world', ',')}"
        console.print(f"{entry.label}: {played}, {entry.run.folder}", soft_wrap=True)
    for warning in comparison.warnings:
        console.print(f"WARNING: {warning}", style="bold yellow")
    for pair in comparison.pairs:
        console.print(f"\n{title(pair)}", style="bold")
        for part in sheets(pair):
            console.print(f"\n{part.title}", style="bold")  # not the table's own, which would wrap at its width
            console.print(plain_table(*part.columns, rows=part.rows, no_wrap=True))
        for remark in remarks(pair):
            console.print(remark)
    console.print(f"\n{LEGEND}", style="dim")
