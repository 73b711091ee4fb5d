"""Show a year's statement, one of its days, or its calls."""

from pathlib import Path
from typing import Any

import typer
from msgspec.structs import asdict

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.origin_note import print_origins
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.show_tables import place_of, print_calls, print_day, print_statement, score_against_bound
from ecbench.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.runs.results.statement import statement
from ecbench.runs.results.transcript import day_view, supplier_called, transcript
from ecbench.runs.results.year_view import YearView, view_year
from ecbench.tools.catalog import TOOL_BY_NAME


def open_year(folder: Path, episode: int, seat: int, world: str | None) -> YearView:
    return view_year(open_run(folder).with_world_at(world).at_seat(episode, seat), episode)


def show_year(view: YearView, *, as_json: bool) -> None:
    found = statement(view.tables)
    if as_json:
        say_json(
            {
                **_head(view),
                **score_against_bound(view),
                **found.to_json(),
                "failure_modes": view.report["failure_modes"],
            }
        )
    else:
        print_statement(view, found)
    _finish(view)


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
        print_calls(entries)
    _finish(view)


def _finish(view: YearView) -> None:
    """Print what the user should know of the run; a damaged record, which is shown as far as it is whole, fails."""
    print_origins([view.run])
    if view.damage:
        say(f"ecbench: {view.damage}", err=True)
        raise typer.Exit(FAILED)


def _head(view: YearView) -> dict[str, Any]:
    return {
        "episode": view.episode,
        **({"seat": view.run.seat(view.episode)} if view.run.seats > 1 else {}),
        "agent": view.run.terms.agent,
        "world": view.run.site(view.episode).name,
        "ending": None if view.unfinished else view.end.ending,
        "reason": view.end.reason,
        "day": view.end.day,
        "stake": view.run.terms.stake,
        "final_assets": view.end.assets,
        **place_of(view)._asdict(),
        "fork": asdict(fork) if (fork := view.run.terms.fork) else None,
        "damage": view.damage,
    }
