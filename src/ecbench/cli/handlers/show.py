"""Show a year's statement, one of its days, or its calls."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import typer
from msgspec.structs import asdict

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.show_tables import (
    print_calls,
    print_day,
    print_one_ladder,
    print_one_table,
    print_statement,
    score_against_bound,
    summary_of,
)
from ecbench.cli.table_options import TableOptions
from ecbench.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.runs.results.anchors_file import measure_anchors
from ecbench.runs.results.csv_text import sheet
from ecbench.runs.results.database import RESULTS, query
from ecbench.runs.results.reply_blocks import KnownNames
from ecbench.runs.results.statement import statement_table
from ecbench.runs.results.summary import daily_usage
from ecbench.runs.results.year_view import YearView, day_view, supplier_called, transcript, view_year
from ecbench.tools.catalog import TOOL_BY_NAME
from ecbench.world.model import World


def open_year(folder: Path, episode: int, seat: int, world: str | None) -> YearView:
    return view_year(open_run(folder).with_world_at(world).at_seat(episode, seat), episode)


def show_year(view: YearView, *, as_json: bool) -> None:
    found, used = view.statement, daily_usage(view.report, view.end.day)
    if as_json:
        say_json(
            {
                **_head(view),
                **score_against_bound(view),
                **found.to_json(),
                **_ladder_json(view),
                **({"model_per_day": used._asdict()} if used else {}),
                "failure_modes": view.report["failure_modes"],
            }
        )
    else:
        print_statement(view, found)
    _finish(view)


def show_ladder(view: YearView, *, as_json: bool) -> None:
    """The ladder of the year, after playing the anchors that are not known."""
    if not (view.unfinished or view.damage):
        measure_anchors(view.run, lambda line: say(f"ecbench: {line}", err=True))
    if as_json:
        say_json({**_head(view), **_ladder_json(view)})
    else:
        print_one_ladder(view)
    _finish(view)


def _ladder_json(view: YearView) -> dict[str, Any]:
    found = summary_of(view).ladder
    return {"ladder": found.to_json() if found else None}


def show_table(view: YearView, name: str, options: TableOptions, *, as_json: bool) -> None:
    """One table of the statement."""
    table = statement_table(view.statement, name)
    if options.sort is not None:
        table = table.sorted_by(options.sort)
    if options.reverse:
        table = replace(table, lines=table.lines[::-1])
    if options.only is not None:
        table = table.matching(options.only)
    if not (as_json or options.as_csv):
        print_one_table(view, table, options.limit)
    elif as_json:
        say_json({**_head(view), **table.first(options.limit).to_json()})
    else:
        table = table.first(options.limit)
        say(sheet([column.key for column in table.columns], table.rows()).removesuffix("\n"))
    _finish(view)


def _world(view: YearView) -> World | None:
    try:
        return view.run.load_world(view.episode)
    except RunError:
        return None


def show_query(view: YearView, sql: str, *, as_json: bool, as_csv: bool) -> None:
    """The result of a query on the results of the episode."""
    if view.read is None:
        say(f"Read from {RESULTS}, which is derived from the record and not part of any proof.", err=True)
    names, rows = query(view.database, sql)
    if as_json:
        say_json([dict(zip(names, map(_json_cell, row), strict=True)) for row in rows])
    elif as_csv:
        say(sheet(names, rows).removesuffix("\n"))
    else:
        headings = [f">{name}" if _is_number(rows, index) else name for index, name in enumerate(names)]
        plain_console().print(plain_table(*headings, rows=[list(map(_cell_text, row)) for row in rows]))
    _finish(view)


def _json_cell(cell: object) -> object:
    """JSON has neither bytes nor infinities."""
    if isinstance(cell, bytes):
        return cell.hex()
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _cell_text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


def _is_number(rows: Sequence[Sequence[Any]], index: int) -> bool:
    return bool(rows) and all(isinstance(row[index], int | float | None) for row in rows)


def show_day(view: YearView, day: int, *, as_json: bool) -> None:
    found = day_view(view.tables, day)
    if as_json:
        say_json({**_head(view), **found.to_json()})
    else:
        print_day(view, found)
    _finish(view)


def show_calls(view: YearView, day: int | None, tool: str | None, supplier: str | None, *, as_json: bool) -> None:
    if tool is not None and tool not in {*TOOL_BY_NAME, *(row.tool for row in view.tables.calls)}:
        raise RunError(f"there is no tool {tool!r:.60}; the tools are {', '.join(TOOL_BY_NAME)}")
    whom = None if supplier is None else supplier_called(view.run.load_world(view.episode), supplier)
    entries = transcript(view, day=day, tool=tool, supplier=whom)
    if as_json:
        say_json([entry.to_json() for entry in entries])
    else:
        print_calls(entries, KnownNames(_world(view), {row.store: row.name for row in view.tables.stores}))
    _finish(view)


def _finish(view: YearView) -> None:
    """Print what the user should know of the run; a damaged record, which is shown as far as it is whole, fails."""
    if view.damage:
        say(f"ecbench: {view.damage}", err=True)
        raise typer.Exit(FAILED)


def _head(view: YearView) -> dict[str, Any]:
    return {
        "episode": view.episode,
        **({"seat": view.run.seat(view.episode)} if view.run.seats > 1 else {}),
        "agent": view.run.player.agent,
        "world": view.run.world_of(view.episode).name,
        "ending": None if view.unfinished else view.end.ending,
        "reason": view.end.reason,
        "day": view.end.day,
        "stake": view.run.terms.stake,
        "final_assets": view.end.assets,
        "fork": asdict(fork) if (fork := view.run.terms.fork) else None,
        "damage": view.damage,
    }
