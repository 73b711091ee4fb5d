"""ecbench show: where the money of a recorded episode went."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import click

from ecbench.cli.declare import option
from ecbench.cli.options import COUNT, EpisodeOption, JsonOption, RunArgument, SeatOption, WorldPlaceOption
from ecbench.cli.terminal import FAILED, leave, say, say_json
from ecbench.errors import RunError
from ecbench.ranges import ROWS, near_miss, quoted

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.results.year_view import YearView
    from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Which table of the statement is shown, which of its lines, and in which order."""

    by: Annotated[
        str | None,
        option(
            "--by",
            metavar="TABLE",
            help="One table in full: store, category, sku, supplier, cheat, negotiation, promotion, event, loss, day, "
            "conduct.",
        ),
    ] = None
    sort: Annotated[
        str | None,
        option("--sort", metavar="COLUMN", help="Sort the table: numbers from the largest, texts from A."),
    ] = None
    reverse: Annotated[bool, option("--reverse", help="Turn the table's order around.")] = False
    only: Annotated[
        str | None, option("--filter", metavar="TEXT", help="Only lines of the table that contain the text.")
    ] = None
    limit: Annotated[int | None, option("--limit", within=ROWS, help="Only the first N lines of the table.")] = None
    as_csv: Annotated[bool, option("--csv", help="Print the table as CSV.")] = False

    @property
    def selects(self) -> bool:
        """Whether an option is given that selects or orders lines."""
        return self.reverse or any(option is not None for option in (self.sort, self.only, self.limit))


def show(
    run: RunArgument,
    table: TableOptions,
    episode: EpisodeOption = 0,
    seat: SeatOption = 0,
    day: Annotated[int | None, option("--day", within=COUNT, help="What happened on this day of the episode.")] = None,
    calls: Annotated[bool, option("--calls", help="The calls and their replies.")] = False,
    tool: Annotated[str | None, option("--tool", metavar="NAME", help="Only calls to this tool.")] = None,
    supplier: Annotated[
        str | None,
        option("--supplier", metavar="NAME", help="Only letters to this supplier: its name, id or address."),
    ] = None,
    ladder: Annotated[
        bool,
        option("--ladder", help="The episode among its anchors; those that are not known on its world are played."),
    ] = False,
    sql: Annotated[
        str | None,
        option("--sql", metavar="QUERY", help="The result of a SELECT on the tables and views of results.db."),
    ] = None,
    collusion: Annotated[
        bool, option("--collusion", help="How far the prices of an arena are from competition, with its mail.")
    ] = False,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show where the money of an episode went.

    Profit and loss by channel, store, category, SKU and supplier, with the goods; the negotiations that lost most; what
    cheats cost; promotions and events; orders and days lost; failure modes; how it ended. --by shows one of the tables
    with all its lines, --sql answers any other question. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --tool and --supplier list
    calls; with --day, those of one day. A damaged record is shown as far as it is whole, with exit code 1.
    """
    lists_calls = calls or tool is not None or supplier is not None
    _refuse_clashes(table, sql, day, ladder=ladder, lists_calls=lists_calls, as_json=as_json)
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.year_view import view_year

    if collusion:
        return _show_collusion(open_run(run).with_world_at(world), episode, as_json=as_json)
    view = view_year(open_run(run).with_world_at(world).at_seat(episode, seat), episode)
    if ladder:
        _show_ladder(view, as_json=as_json)
    elif sql is not None:
        _show_query(view, sql, as_json=as_json, as_csv=table.as_csv)
    elif table.by is not None:
        _show_table(view, table.by, table, as_json=as_json)
    elif lists_calls:
        _show_calls(view, day, tool, supplier, as_json=as_json)
    elif day is not None:
        _show_day(view, day, as_json=as_json)
    else:
        _show_year(view, as_json=as_json)
    if view.damage:  # which is shown as far as it is whole
        say(f"ecbench: {view.damage}", err=True)
        leave(FAILED)
    return None


def _show_collusion(run: Run, episode: int, *, as_json: bool) -> None:
    """The collusion index of an arena, from prices alone; with --json also by week, and the mail."""
    from ecbench.analysis.collusion import collusion_of

    found, mail = collusion_of(run, episode)
    if as_json:
        say_json({**found.to_json(), "mail": mail})
        return
    for title, figure in (("Prices", found.price_index), ("Money", found.money_index)):
        interval = "" if figure.low is None else f", 95% over weeks {figure.low:.2f} to {figure.high:.2f}"
        value = "no product was carried by two seats" if figure.value is None else f"{figure.value:.2f}{interval}"
        say(f"{title}, 0 competition, 1 cartel: {value}")
    say(f"Messages: {len(mail):,}; --json shows them.")


def _refuse_clashes(
    table: TableOptions, sql: str | None, day: int | None, *, ladder: bool, lists_calls: bool, as_json: bool
) -> None:
    """Raise BadParameter for options that exclude each other."""
    if as_json and table.as_csv:
        raise click.BadParameter("--json and --csv exclude each other; give one of them")
    if sql is not None and (table.by is not None or lists_calls or day is not None):
        raise click.BadParameter("--sql excludes --by, --day, --calls, --tool and --supplier; the query selects rows")
    if table.by is None and (table.selects or (table.as_csv and sql is None)):
        raise click.BadParameter("--sort, --reverse, --filter, --limit and --csv need --by TABLE")
    if table.by is not None and (lists_calls or day is not None):
        raise click.BadParameter("--by excludes --day, --calls, --tool and --supplier; --filter NAME selects lines")
    if ladder and (lists_calls or day is not None or table.by is not None or sql is not None):
        raise click.BadParameter("--ladder excludes --by, --day, --calls, --tool, --supplier and --sql")


def _show_year(view: YearView, *, as_json: bool) -> None:
    from ecbench.cli.show_tables import print_statement, score_against_bound
    from ecbench.runs.results.summary import daily_usage

    found, used = view.statement, daily_usage(view.report, view.end.day)
    if as_json:
        say_json(
            {
                **_head(view),
                **score_against_bound(view),
                **found.to_json(),
                **_ladder_json(view),
                **({"model_per_day": used._asdict()} if used else {}),
                "failure_modes": {
                    mode: {**found, "hits": [hit._asdict() for hit in view.tables.failures if hit.mode == mode]}
                    for mode, found in view.report["failure_modes"].items()
                },
            }
        )
    else:
        print_statement(view, found)


def _show_ladder(view: YearView, *, as_json: bool) -> None:
    """The ladder of the episode, after playing the anchors that are not known."""
    from ecbench.cli.show_tables import print_one_ladder
    from ecbench.runs.results.anchors_file import measure_anchors

    if not (view.unfinished or view.damage):
        measure_anchors(view.run, lambda line: say(f"ecbench: {line}", err=True))
    if as_json:
        say_json({**_head(view), **_ladder_json(view)})
    else:
        print_one_ladder(view)


def _ladder_json(view: YearView) -> dict[str, Any]:
    from ecbench.cli.show_tables import summary_of

    found = summary_of(view).ladder
    return {"ladder": found.to_json() if found else None}


def _show_table(view: YearView, name: str, options: TableOptions, *, as_json: bool) -> None:
    """One table of the statement."""
    from ecbench.cli.show_tables import print_one_table
    from ecbench.runs.results.export import sheet
    from ecbench.runs.results.statement import statement_table

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


def _show_query(view: YearView, sql: str, *, as_json: bool, as_csv: bool) -> None:
    """The result of a query on the results of the episode."""
    from ecbench.cli.plain_table import plain_console, plain_table
    from ecbench.runs.results.database import RESULTS, query
    from ecbench.runs.results.export import sheet

    if view.read is None:
        say(f"Read from {RESULTS}, which is derived from the record and not part of any proof.", err=True)
    names, rows = query(view.database, sql)
    if as_json:
        say_json({"rows": [dict(zip(names, map(_json_cell, row), strict=True)) for row in rows]})
    elif as_csv:
        say(sheet(names, rows).removesuffix("\n"))
    else:
        headings = [f">{name}" if _is_number(rows, index) else name for index, name in enumerate(names)]
        plain_console().print(plain_table(*headings, rows=[list(map(_cell_text, row)) for row in rows]))


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


def _show_day(view: YearView, day: int, *, as_json: bool) -> None:
    from ecbench.cli.show_tables import print_day
    from ecbench.runs.results.year_view import day_view

    found = day_view(view.tables, day)
    if as_json:
        say_json({**_head(view), **{name: _json_rows(value) for name, value in vars(found).items()}})
    else:
        print_day(view, found)


def _json_rows(value: Any) -> Any:
    """Rows of tables with the names of their columns."""
    if isinstance(value, list):
        return [_json_rows(row) for row in value]
    if isinstance(value, dict):
        return value
    return {name: str(cell) if hasattr(cell, "isoformat") else cell for name, cell in value._asdict().items()}


def _show_calls(view: YearView, day: int | None, tool: str | None, supplier: str | None, *, as_json: bool) -> None:
    from ecbench.cli.show_tables import print_calls
    from ecbench.pages.reply_blocks import KnownNames
    from ecbench.runs.results.year_view import supplier_called, transcript
    from ecbench.tools.catalog import TOOL_BY_NAME

    if tool is not None and tool not in {*TOOL_BY_NAME, *(row.tool for row in view.tables.calls)}:
        others = f"the tools are {', '.join(TOOL_BY_NAME)}"
        raise RunError(f"there is no tool {quoted(tool)}; {near_miss(tool, TOOL_BY_NAME, others)}")
    whom = None if supplier is None else supplier_called(view.run.load_world(view.episode), supplier)
    entries = transcript(view, day=day, tool=tool, supplier=whom)
    if as_json:
        say_json({**_head(view), "calls": [entry.to_json() for entry in entries]})
    else:
        found: World | None = None
        with suppress(RunError):
            found = view.run.load_world(view.episode)
        print_calls(entries, KnownNames(found, {row.store: row.name for row in view.tables.stores}))


def _head(view: YearView) -> dict[str, Any]:
    from msgspec.structs import asdict

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
