"""ecbench compare: whether two agents differ, and how certain that is."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ecbench.cli.plain_text import plain_console, say, say_json

if TYPE_CHECKING:
    from ecbench.compare.comparison import Comparison
    from ecbench.metrics.axes import Axis

RunsArgument = Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="The folders of two or more runs.")]


def compare(
    runs: RunsArgument,
    axis: Annotated[
        list[str] | None,
        typer.Option("--axis", metavar="NAME", help="Only this axis; may be repeated. [default: all seven]"),
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare even if days, stakes or rules differ, with a warning.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV: one row for each pair and axis.")] = False,
) -> None:
    """Compare runs: the difference on each axis, and how certain it is.

    Runs that share worlds are compared world by world; play them with `ecbench run --worlds 1-10 --episodes 2`. Years
    that are not over are left out. docs/compare.md explains every number.

    Exit codes: 0 compared, 2 bad input, such as runs whose days, stakes or rules.
    """
    from ecbench.compare.comparison import compare as compared
    from ecbench.compare.entries import read_entries
    from ecbench.compare.fairness import refuse_other_games
    from ecbench.runs.folder import open_run

    if as_json + as_markdown + as_csv > 1:
        raise typer.BadParameter("--json, --markdown and --csv exclude each other; give one of them")
    if len(runs) < 2:
        raise typer.BadParameter("give the folders of at least two runs", param_hint="RUN RUN...")
    twice = next((run for place, run in enumerate(runs) if run.resolve() in [r.resolve() for r in runs[:place]]), None)
    if twice is not None:
        raise typer.BadParameter(f"{twice} is given twice", param_hint="RUN RUN...")
    axes = _axes(axis)
    entries = read_entries([open_run(run) for run in runs])
    if not anyway:
        refuse_other_games(entries)
    _print(compared(entries, axes), as_json=as_json, as_markdown=as_markdown, as_csv=as_csv)


def _axes(names: list[str] | None) -> "list[Axis]":
    from ecbench.metrics.axes import AXES

    known = {axis.name: axis for axis in AXES}
    for name in names or ():
        if name not in known:
            raise typer.BadParameter(f"there is no axis {name!r}; there are {', '.join(known)}", param_hint="--axis")
    return [axis for axis in AXES if not names or axis.name in names]


def _print(comparison: "Comparison", *, as_json: bool, as_markdown: bool, as_csv: bool) -> None:
    from ecbench.compare.sheets import COLUMNS, markdown, rows, to_json

    if as_json:
        say_json(to_json(comparison))
    elif as_markdown:
        say(markdown(comparison))
    elif as_csv:
        for warning in comparison.warnings:
            say(f"ecbench: warning: {warning}", err=True)
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows(comparison))
        say(sheet.getvalue().rstrip("\n"))
    else:
        _print_tables(comparison)


def _print_tables(comparison: "Comparison") -> None:
    from ecbench.cli.plain_table import plain_table
    from ecbench.compare.sheets import bankruptcies, known_worlds, sheets, title

    console = plain_console()
    for entry in comparison.entries:
        worlds = len(entry.years)
        played = f"{entry.count:,} years on {worlds:,} world{'s' if worlds > 1 else ''}"
        console.print(f"{entry.label}: {played}, {entry.run.folder}", soft_wrap=True)
    for warning in comparison.warnings:
        console.print(f"WARNING: {warning}", style="bold yellow")
    for pair in comparison.pairs:
        console.print(f"\n{title(pair)}", style="bold")
        for sheet in sheets(pair):
            table = plain_table(*sheet.columns, title=sheet.title, no_wrap=True)
            for row in sheet.rows:
                table.add_row(*row)
            console.print(table)
        console.print(bankruptcies(pair))
        for note in (*known_worlds(pair), *pair.notes):
            console.print(f"Note: {note}")
    console.print(f"\n{_legend(comparison.tests)}", style="dim")


def _legend(tests: int) -> str:
    """What the columns are, those that hold something."""
    tested = (
        "Intervals: bootstrap over worlds (over years, where there is one world). p: sign-flip test over worlds "
        f"(shuffled labels, where they share fewer than two). Holm: p corrected over all {tests:,} tests above. "
    )
    untested = "Intervals, p and Holm: none, as no test is possible with so few; the note says how many are needed. "
    return (
        f"{tested if tests else untested}Spread: standard deviations. Shown from: the smallest true difference that "
        "such data show in four of five cases. More: how many beside these show one of 20% of B. docs/compare.md "
        "explains each."
    )
