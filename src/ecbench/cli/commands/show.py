"""ecbench show: where the money of a recorded year went."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import EpisodeOption, JsonOption, RunArgument, SeatOption, WorldPlaceOption


def show(
    run: RunArgument,
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
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show where the money of a year went.

    Profit and loss by channel, store, category and supplier; scams met and paid; what was overpaid; orders and days
    lost; failure modes; how it ended. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --tool and --supplier list
    calls; with --day, those of one day. A damaged record is shown as far as it is whole, with exit code 1.
    """
    view = handlers.show.open_year(run, episode, seat, world)
    if calls or tool or supplier:
        handlers.show.show_calls(view, day, tool, supplier, as_json=as_json)
    elif day is not None:
        handlers.show.show_day(view, day, as_json=as_json)
    else:
        handlers.show.show_year(view, as_json=as_json)
