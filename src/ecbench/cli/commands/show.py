"""ecbench show: where the money of a recorded episode went."""

from pathlib import Path

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count
from ecbench.cli.terminal import FAILED, say


def show(
    run: Path,
    *,
    by: str | None = None,
    episode: Count = 0,
    seat: Count = 0,
    day: Count | None = None,
    calls: bool = False,
    tool: str | None = None,
    supplier: str | None = None,
    ladder: bool = False,
    sql: str | None = None,
    collusion: bool = False,
    world: str | None = None,
) -> CommandResult:
    """Show where the money of an episode went.

    Profit and loss by channel, store, category, SKU and supplier, with the goods; the negotiations that lost most; what
    cheats cost; promotions and events; orders and days lost; failure modes; how it ended. --by shows one of the tables
    with all its lines, --sql answers any other question. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --day, --tool and --supplier
    list calls. A damaged record is shown as far as it is whole, with exit code 1.

    Options:
        by TABLE: One table in full: store, category, sku, supplier, cheat, negotiation, promotion, event, loss, day,
            conduct.
        calls: The calls and their replies.
        day: Only calls of this day of the episode.
        tool NAME: Only calls to this tool.
        supplier NAME: Only letters to this supplier: its name, id or address.
        ladder: Play the anchors that have no result on the world of the episode.
        sql QUERY: The result of a SELECT on the tables and views of results.db; by_NAME is the view of a table.
        collusion: How far the prices of an arena are from competition, with its mail.
    """
    lists_calls = calls or (day, tool, supplier) != (None, None, None)
    views = {"--collusion": collusion, "--sql": sql, "--by": by, "--calls, --day, --tool and --supplier": lists_calls}
    if len(given := [name for name, value in views.items() if value not in (None, False)]) > 1:
        raise click.BadParameter(f"{given[0]} excludes {given[1]}; give one of them")
    from ecbench.cli import show_views
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.year_view import view_year

    opened = open_run(run).with_world_at(world)
    if collusion:
        return show_views.collusion_found(opened, episode)
    view = view_year(opened.at_seat(episode, seat), episode)
    if sql is not None:
        answer = show_views.query_result(view, sql)
    elif by is not None:
        answer = show_views.one_table(view, by)
    elif lists_calls:
        answer = show_views.calls_found(view, day, tool, supplier)
    else:
        answer = show_views.whole_year(view, ladder=ladder)
    if view.damage:  # which is shown as far as it is whole
        say(f"ecbench: {view.damage}", err=True)
    return answer._replace(code=FAILED if view.damage else 0)
