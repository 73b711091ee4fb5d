"""ecbench show: where the money of a recorded year went."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import (
    EpisodeOption,
    JsonOption,
    RunArgument,
    SeatOption,
    WorldPlaceOption,
    with_option_groups,
)
from ecbench.cli.table_options import TableOptions


@with_option_groups
def show(
    run: RunArgument,
    table: TableOptions,
    episode: EpisodeOption = 0,
    seat: SeatOption = 0,
    day: Annotated[
        int | None, typer.Option("--day", metavar="N", min=0, help="What happened on this day of the year.")
    ] = None,
    calls: Annotated[bool, typer.Option("--calls", help="The calls and their replies.")] = False,
    tool: Annotated[str | None, typer.Option("--tool", metavar="NAME", help="Only calls to this tool.")] = None,
    supplier: Annotated[
        str | None,
        typer.Option("--supplier", metavar="NAME", help="Only letters to this supplier: its name, id or address."),
    ] = None,
    ladder: Annotated[
        bool,
        typer.Option("--ladder", help="The year among its anchors; those that are not known on its world are played."),
    ] = False,
    sql: Annotated[
        str | None,
        typer.Option("--sql", metavar="QUERY", help="The result of a SELECT on the tables and views of results.db."),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show where the money of a year went.

    Profit and loss by channel, store, category, SKU and supplier, with the goods; the negotiations that lost most; what
    cheats cost; promotions and events; orders and days lost; failure modes; how it ended. --by shows one of the tables
    with all its lines, --sql answers any other question. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --tool and --supplier list
    calls; with --day, those of one day. A damaged record is shown as far as it is whole, with exit code 1.
    """
    lists_calls = calls or tool is not None or supplier is not None
    if as_json and table.as_csv:
        raise typer.BadParameter("--json and --csv exclude each other; give one of them")
    if sql is not None and (table.by is not None or lists_calls or day is not None):
        raise typer.BadParameter("--sql excludes --by, --day, --calls, --tool and --supplier; the query selects rows")
    if table.by is None and (table.selects or (table.as_csv and sql is None)):
        raise typer.BadParameter("--sort, --reverse, --filter, --limit and --csv need --by TABLE")
    if table.by is not None and (lists_calls or day is not None):
        raise typer.BadParameter("--by excludes --day, --calls, --tool and --supplier; --filter NAME selects lines")
    if ladder and (lists_calls or day is not None or table.by is not None or sql is not None):
        raise typer.BadParameter("--ladder excludes --by, --day, --calls, --tool, --supplier and --sql")
    view = handlers.show.open_year(run, episode, seat, world)
    if ladder:
        handlers.show.show_ladder(view, as_json=as_json)
    elif sql is not None:
        handlers.show.show_query(view, sql, as_json=as_json, as_csv=table.as_csv)
    elif table.by is not None:
        handlers.show.show_table(view, table.by, table, as_json=as_json)
    elif lists_calls:
        handlers.show.show_calls(view, day, tool, supplier, as_json=as_json)
    elif day is not None:
        handlers.show.show_day(view, day, as_json=as_json)
    else:
        handlers.show.show_year(view, as_json=as_json)
