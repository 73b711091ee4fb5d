"""ecbench show: where the money of a recorded episode went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Count
from ecbench.cli.terminal import FAILED, say
from ecbench.errors import RunError
from ecbench.ranges import near_miss, quoted

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.results.year_view import YearView
    from ecbench.world.model import World

NUMBER = int | float | None


def show(
    run: Path,
    *,
    by: str | None = None,
    as_csv: bool = False,
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
    as_json: bool = False,
) -> CommandResult:
    """Show where the money of an episode went.

    Profit and loss by channel, store, category, SKU and supplier, with the goods; the negotiations that lost most; what
    cheats cost; promotions and events; orders and days lost; failure modes; how it ended. --by shows one of the tables
    with all its lines, --sql answers any other question. Labels and floors that agents never see are shown.

    A run that was interrupted or is still being played is shown as far as it is recorded. --tool and --supplier list
    calls; with --day, those of one day. A damaged record is shown as far as it is whole, with exit code 1.

    Options:
        by TABLE: One table in full: store, category, sku, supplier, cheat, negotiation, promotion, event, loss, day,
            conduct.
        as_csv --csv: Print a table or the result of a query as CSV, with all columns.
        day: What happened on this day of the episode.
        calls: The calls and their replies.
        tool NAME: Only calls to this tool.
        supplier NAME: Only letters to this supplier: its name, id or address.
        ladder: Play the anchors that have no result on the world of the episode.
        sql QUERY: The result of a SELECT on the tables and views of results.db; by_NAME is the view of a table.
        collusion: How far the prices of an arena are from competition, with its mail.
    """
    lists_calls = calls or tool is not None or supplier is not None
    views = {"--collusion": collusion, "--sql": sql is not None, "--by": by is not None}
    views |= {"--calls, --tool and --supplier": lists_calls, "--day": day is not None and not lists_calls}
    _refuse_clashes(views, as_csv=as_csv, as_json=as_json)
    from ecbench.runs.folder import open_run
    from ecbench.runs.results.year_view import view_year

    opened = open_run(run).with_world_at(world)
    if collusion:
        return _collusion(opened, episode)
    view = view_year(opened.at_seat(episode, seat), episode)
    if view.damage:  # which is shown as far as it is whole
        say(f"ecbench: {view.damage}", err=True)
    if sql is not None:
        answer = _query_result(view, sql, as_csv=as_csv)
    elif by is not None:
        answer = _table(view, by, as_csv=as_csv)
    elif lists_calls:
        answer = _calls(view, day, tool, supplier)
    else:
        answer = _year(view, ladder=ladder) if day is None else _day(view, day)
    return answer._replace(code=FAILED if view.damage else 0)


def _refuse_clashes(views: dict[str, bool], *, as_csv: bool, as_json: bool) -> None:
    if len(shown := [name for name, given in views.items() if given]) > 1:
        raise click.BadParameter(f"{shown[0]} excludes {shown[1]}; give one of them")
    if as_csv and (as_json or shown not in (["--by"], ["--sql"])):
        raise click.BadParameter("--csv needs --by or --sql, and excludes --json")


def _collusion(run: Run, episode: int) -> CommandResult:
    """The collusion index of an arena, from prices alone; with --json also by week, and the mail."""
    from ecbench.analysis.collusion import collusion_of

    found, mail = collusion_of(run, episode)
    lines = []
    for title, figure in (("Prices", found.price_index), ("Money", found.money_index)):
        interval = "" if figure.low is None else f", 95% over weeks {figure.low:.2f} to {figure.high:.2f}"
        value = "no product was carried by two seats" if figure.value is None else f"{figure.value:.2f}{interval}"
        lines.append(f"{title}, 0 competition, 1 cartel: {value}")
    return CommandResult({**found.to_json(), "mail": mail}, [*lines, f"Messages: {len(mail):,}; --json shows them."])


def _year(view: YearView, *, ladder: bool) -> CommandResult:
    from ecbench.cli.show_tables import score_against_bound, summary_of, year_parts
    from ecbench.runs.results.anchors_file import measure_anchors

    if ladder and not (view.unfinished or view.damage):
        measure_anchors(view.run, lambda line: say(f"ecbench: {line}", err=True))
    summary = summary_of(view)

    def facts() -> dict[str, Any]:
        return {
            **_head(view),
            **score_against_bound(view),
            **view.statement.to_json(),
            "ladder": summary.ladder.to_json() if summary.ladder else None,
            "failure_modes": {
                mode: {**found, "hits": [hit for hit in view.tables.failures if hit.mode == mode]}
                for mode, found in view.report["failure_modes"].items()
            },
        }

    return CommandResult(facts, year_parts(view, summary))


def _table(view: YearView, name: str, *, as_csv: bool) -> CommandResult:
    """One table of the statement."""
    from ecbench.cli.show_tables import one_table_parts
    from ecbench.runs.results.statement import statement_table

    table = statement_table(view.statement, name)
    if as_csv:
        return _sheet([column.key for column in table.columns], table.rows())
    return CommandResult({**_head(view), **table.to_json()}, one_table_parts(view, table))


def _query_result(view: YearView, sql: str, *, as_csv: bool) -> CommandResult:
    """The result of a query on the results of the episode."""
    from ecbench.cli.table_printing import plain_table
    from ecbench.runs.results.database import RESULTS, query

    if view.read is None:
        say(f"Read from {RESULTS}, which is derived from the record and not part of any proof.", err=True)
    names, rows = query(view.database, sql)
    if as_csv:
        return _sheet(names, rows)
    numbers = {name for name, column in zip(names, zip(*rows)) if all(isinstance(each, NUMBER) for each in column)}
    headings = [f">{name}" if name in numbers else name for name in names]
    shown = plain_table(*headings, rows=[list(map(_cell_text, row)) for row in rows])
    return CommandResult({"rows": [dict(zip(names, row, strict=True)) for row in rows]}, [shown])


def _sheet(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> CommandResult:
    from ecbench.csv_text import sheet

    return CommandResult({}, [sheet(names, rows).removesuffix("\n")])


def _cell_text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


def _day(view: YearView, day: int) -> CommandResult:
    from ecbench.cli.show_tables import day_parts
    from ecbench.runs.results.year_view import day_view

    found = day_view(view.tables, day)
    return CommandResult({**_head(view), **vars(found)}, day_parts(view, found))


def _calls(view: YearView, day: int | None, tool: str | None, supplier: str | None) -> CommandResult:
    from ecbench.cli.show_tables import call_parts
    from ecbench.pages.reply_blocks import KnownNames
    from ecbench.runs.results.year_view import supplier_called, transcript
    from ecbench.tools.catalog import TOOL_BY_NAME

    if tool is not None and tool not in {*TOOL_BY_NAME, *(row.tool for row in view.tables.calls)}:
        others = f"the tools are {', '.join(TOOL_BY_NAME)}"
        raise RunError(f"there is no tool {quoted(tool)}; {near_miss(tool, TOOL_BY_NAME, others)}")
    whom = None if supplier is None else supplier_called(view.run.load_world(view.episode), supplier)
    entries = transcript(view, day=day, tool=tool, supplier=whom)
    world: World | None = None
    with suppress(RunError):
        world = view.run.load_world(view.episode)
    names = KnownNames(world, {row.store: row.name for row in view.tables.stores})
    return CommandResult(
        lambda: {**_head(view), "calls": [entry.to_json() for entry in entries]}, call_parts(entries, names)
    )


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
        "fork": view.run.terms.fork,
        "damage": view.damage,
    }
