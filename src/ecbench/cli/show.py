"""ecbench show: where the money of a recorded year went."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.plain_text import say_json
from ecbench.cli.run_episodes import JsonOption, RunArgument, WorldPlaceOption

if TYPE_CHECKING:
    from ecbench.runs.results.year_view import YearView


def show(
    run: RunArgument,
    episode: Annotated[int, typer.Option("--episode", metavar="N", min=0, help="The year to show.")] = 0,
    day: Annotated[
        int | None, typer.Option("--day", metavar="N", min=0, help="What happened on this day of the year.")
    ] = None,
    calls: Annotated[bool, typer.Option("--calls", help="The calls and their replies.")] = False,
    tool: Annotated[str | None, typer.Option("--tool", metavar="NAME", help="Only calls to this tool.")] = None,
    supplier: Annotated[
        str | None,
        typer.Option("--supplier", metavar="NAME", help="Only letters to this supplier: its name, id or address."),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show where the money of a year went.

    Profit and loss by channel, store, category and supplier; scams met and paid; what was overpaid; orders and days
    lost; failure modes; how it ended. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --tool and --supplier list
    calls; with --day, those of one day.
    """
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.year_view import view_year

    opened = open_run(run).with_world_at(world)
    view = view_year(opened, episode)
    if calls or tool or supplier:
        _show_calls(view, day, tool, supplier, as_json=as_json)
    elif day is not None:
        _show_day(view, day, as_json=as_json)
    else:
        _show_year(view, as_json=as_json)


def _show_year(view: "YearView", *, as_json: bool) -> None:
    from ecbench.runs.results.statement import statement

    found = statement(view.tables)
    if as_json:
        say_json({**_head(view), **found.to_json(), "failure_modes": view.report["failure_modes"]})
    else:
        from ecbench.cli.show_tables import print_statement

        print_statement(view, found)


def _show_day(view: "YearView", day: int, *, as_json: bool) -> None:
    from ecbench.runs.results.transcript import day_view

    found = day_view(view.tables, day)
    if as_json:
        say_json({**_head(view), **found.to_json()})
    else:
        from ecbench.cli.show_tables import print_day

        print_day(view, found)


def _show_calls(view: "YearView", day: int | None, tool: str | None, supplier: str | None, *, as_json: bool) -> None:
    from ecbench.errors import RunError
    from ecbench.runs.results.transcript import supplier_called, transcript
    from ecbench.tools.catalog import TOOL_BY_NAME

    if tool is not None and tool not in {*TOOL_BY_NAME, *(row.tool for row in view.tables.calls)}:
        raise RunError(f"there is no tool {tool!r:.60}; the tools are {', '.join(TOOL_BY_NAME)}")
    whom = None if supplier is None else supplier_called(view.run.load_world(view.episode), supplier)
    entries = transcript(view, day=day, tool=tool, supplier=whom)
    if as_json:
        say_json([entry.to_json() for entry in entries])
    else:
        from ecbench.cli.show_tables import print_calls

        print_calls(entries)


def _head(view: "YearView") -> dict[str, Any]:
    return {
        "episode": view.episode,
        "agent": view.run.terms.agent,
        "world": view.run.site(view.episode).name,
        "ending": None if view.unfinished else view.end.ending,
        "reason": view.end.reason,
        "day": view.end.day,
        "stake": view.run.terms.stake,
        "final_assets": view.end.final_assets,
        "damage": view.damage,
    }
