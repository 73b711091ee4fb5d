"""ecbench compare: whether two agents differ, with p and interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.table_printing import plain_table, words
from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.ranges import near_miss, quoted

if TYPE_CHECKING:
    from ecbench.analysis.compare.comparison import Comparison
    from ecbench.metrics.measures import Axis


def compare(runs: list[Path], *, axis: list[str] | None = None, anyway: bool = False) -> CommandResult:
    """Compare runs, and test whether one does better than another.

    Runs are compared world by world; play them with `ecbench run --worlds 1-10 --episodes 2`. Ruined episodes are
    tested first, then the final assets of the others. The entries of an arena are compared like runs. Unfinished
    episodes are left out. docs/compare.md explains every number.

    Options:
        axis NAME: An axis, or any measure of `ecbench report --tables`; may be repeated. [default: the seven axes]
        anyway: Compare even if days, stakes or rules differ, with a warning.
    """
    from ecbench.analysis.compare.comparison import compare
    from ecbench.analysis.compare.entries import read_entries, refuse_other_games
    from ecbench.analysis.compare.tables import to_json
    from ecbench.cli.play import print_short_season
    from ecbench.runs.folder import open_entries

    axes = _axes(axis or [])
    players = open_entries(runs)
    if len(players) < 2:
        raise RunError("one run has nothing to be compared with; give the folders of at least two runs, or of an arena")
    entries = read_entries(players)
    if not anyway:
        refuse_other_games(entries)
    comparison = compare(entries, axes)
    print_short_season(players)
    return CommandResult(to_json(comparison), _parts(comparison))


def _axes(names: Sequence[str]) -> list[Axis]:
    from ecbench.metrics.measures import MEASURES

    for name in names:
        if name not in MEASURES:
            advice = near_miss(name, MEASURES, "`ecbench report --tables` prints all measures")
            raise click.BadParameter(f"there is no measure {quoted(name)}; {advice}", param_hint="--axis")
    return [MEASURES[name] for name in dict.fromkeys(names)]


def _parts(comparison: Comparison) -> Iterator[Any]:
    from ecbench.analysis.compare.tables import LEGEND, remarks, sheets, title, verdict_line

    for pair in comparison.pairs:
        yield words(verdict_line(pair, len(comparison.pairs)), "bold")
    yield ""
    for entry in comparison.entries:
        worlds = counted(len(entry.years), "world", ",")
        yield f"{entry.label}: {counted(entry.count, 'episode', ',')} on {worlds}, {entry.run.folder}"
    for warning in comparison.warnings:
        yield words(f"WARNING: {warning}", "bold yellow")
    for pair in comparison.pairs:
        yield words(f"\n{title(pair)}", "bold")
        for part in sheets(pair):
            yield words(f"\n{part.title}", "bold")  # not the table's own, which would wrap at its width
            yield plain_table(*part.columns, rows=part.rows)
        yield from map(words, remarks(pair))
    yield words(f"\n{LEGEND}", "dim")
