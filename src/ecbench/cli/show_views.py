"""What `ecbench show` answers: the statement of an episode, one of its tables, a query, a day, its calls."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from ecbench.analysis.collusion import collusion_of
from ecbench.cli.declare import CommandResult
from ecbench.cli.progress import how_it_ended
from ecbench.cli.run_tables import ladder_parts, skill_text
from ecbench.cli.table_printing import plain_table, rows_table, words
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.formatting import counted, yuan
from ecbench.metrics.anchors import skill
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.pages.reply_view import reply_view
from ecbench.ranges import near_miss, quoted
from ecbench.runs.folder import Run
from ecbench.runs.results.anchors_file import NO_SKILL, bound_of, measure_anchors
from ecbench.runs.results.database import RESULTS, query
from ecbench.runs.results.statement import SHOWN, Statement, StatementTable, statement_table, statement_tables
from ecbench.runs.results.summary import Summary, summarize
from ecbench.runs.results.year_view import RecordedCall, YearView, supplier_called, transcript
from ecbench.tools.catalog import TOOL_BY_NAME

NUMBER = int | float | None
LONGEST = 2_000  # characters of a call and its reply
HITS = 2  # of a failure mode
INDENT = (0, 0, 0, 2)  # of a reply below its call
SCAMS = "scam suppliers_met:count suppliers_paid:count orders:count spend:yuan cost:yuan"

Parts = Iterator[RenderableType]


def _year_parts(view: YearView, summary: Summary, bound: float | None, score: float | None) -> Parts:
    found = view.statement
    yield from _heading(view)
    if summary.ladder is not None:
        option = f" --episode {view.episode}" if view.episode else ""
        yield from ladder_parts(view.run, summary.ladder, [view.run.world_of(view.episode)], option)
    why_none = "the record is damaged" if view.damage else "the episode is not over" if view.unfinished else NO_SKILL
    yield words(skill_text(score, bound, why_none))
    amounts = {"stake": view.run.terms.stake, **found.channels, "final assets": view.end.final_assets}
    yield plain_table("From stake to assets", ">Yuan", rows=[(name, yuan(amount)) for name, amount in amounts.items()])
    for table in statement_tables(found).values():
        if table.lines:
            yield from _table_parts(table, table.excerpt(), f": --by {table.name}")
    if scams := found.lines("scam"):
        yield rows_table(scams, SCAMS, "Scams")
    yield from map(words, _losses(found))
    yield _failure_modes(view)


def _table_parts(table: StatementTable, lines: Sequence[Any], hint: str = "") -> Parts:
    """Some lines of a table, and what belongs to none, in the columns that 80 characters have room for."""
    columns = [column for column in table.columns if not column.extra]
    headings = [f">{column.heading}" if column.number else column.heading for column in columns]
    yield words(f"\n{table.title}", "bold")
    missing = {column.heading for column in table.columns if column.extra}
    sentences = re.split(r"(?<=\.) (?=[A-Z])", table.note)  # those on missing columns are left out
    said = [each for each in sentences if not missing.issuperset(each.partition(":")[0].split(", "))]
    yield words(" ".join(said), "dim")
    yield plain_table(*headings, rows=[[column.text(line, narrow=True) for column in columns] for line in lines])
    if len(lines) < len(table.lines):
        yield words(f"{len(table.lines) - len(lines):,} more{hint}")
    if table.remainder:
        yield words(table.sum_text)


def _heading(view: YearView) -> Parts:
    ended = "not finished; what is outstanding is settled here as if it stopped now"
    ended = ended if view.unfinished else how_it_ended(view.end)
    run, episode = view.run, view.episode
    terms = run.terms_of(episode)
    seat = f", seat {run.seat(episode)}" if terms.shared else ""
    who = f"{terms.labels[run.seat(episode)]} on {run.world_of(episode).name}"
    yield words(f"Episode {episode}{seat}, {who}: {ended}", "bold")
    if terms.fork:
        yield words(f"A {terms.fork.label}")
    for note in filter(None, (view.dropped, view.damage)):
        yield words(f"Note: {note}")


def _losses(found: Statement) -> Iterator[str]:
    kept = found.fulfilment
    yield (
        f"\nPaid above the floors: {yuan(found.overpaid[True])} to honest suppliers, "
        f"{yuan(found.overpaid[False])} to fraudulent ones."
    )
    yield (
        f"Customers' orders: {kept.orders_shipped:,} shipped, {kept.orders_cancelled:,} cancelled, "
        f"{kept.orders_voided:,} voided at the end; {yuan(kept.revenue_lost)} of revenue lost with the latter two."
    )
    by_tool = f" ({_counts(found.rollovers)})" if found.rollovers else ""
    lost = sum(found.rollovers.values())
    yield f"Days that ended because a call ran past closing time, without a wait: {lost:,}{by_tool}."


def _counts(by_name: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in by_name.items())


def _failure_modes(view: YearView) -> Table:
    failures, rows = view.tables.failures, []
    for name, mode in view.report["failure_modes"].items():
        hits = [hit for hit in failures if hit.mode == name]
        lost = [hit.lost for hit in hits if hit.lost is not None]
        count = "no test" if mode["flagged"] is None else f"{mode['count']:,}"
        first = "\n".join(f"day {hit.day}: {hit.what}" for hit in hits[:HITS])
        rows.append((name, count, yuan(sum(lost)) if lost else "", first))
    title = f"Failure modes: {counted(len(failures), 'hit', ',')}"
    return plain_table("Failure mode", ">Hits", ">Lost", "First of them", rows=rows, title=title)


def _call_parts(entries: Iterable[RecordedCall], names: KnownNames) -> Parts:
    shown = 0
    for row, outcome in entries:
        view = reply_view(outcome, names, SHOWN)
        yield words(f"turn {row.turn}, day {row.day} {row.time}, {row.tool}: {view.sentence}")
        for block in shortened_blocks(view.blocks, LONGEST):
            yield Padding(Group(*_block_parts(block)), INDENT)
        shown += 1
    yield "--json has the replies as they were given" if shown else "no call matches"


def _block_parts(block: Block) -> Parts:
    if block.title:
        yield words(f"{block.title}:")
    if block.kind == "table":
        yield plain_table(*block.columns, rows=block.rows)
    elif block.kind == "facts":
        yield words("; ".join(f"{label}: {value}" for label, value in block.rows))
    else:
        mark = "|" if block.kind == "letter" else "-"
        yield from (words(f"{mark} {line}") for text, *_ in block.rows for line in text.splitlines())
    if block.left_out:
        yield words(f"and {block.left_out:,} more")


def collusion_found(run: Run, episode: int) -> CommandResult:
    """The collusion index of an arena, from prices alone; with --json also by week, and the mail."""
    found, mail = collusion_of(run, episode)
    lines = []
    for title, figure in (("Prices", found.price_index), ("Money", found.money_index)):
        interval = "" if figure.low is None else f", 95% over weeks {figure.low:.2f} to {figure.high:.2f}"
        value = "no product was carried by two seats" if figure.value is None else f"{figure.value:.2f}{interval}"
        lines.append(f"{title}, 0 competition, 1 cartel: {value}")
    return CommandResult({**found.to_json(), "mail": mail}, [*lines, f"Messages: {len(mail):,}; --json shows them."])


def whole_year(view: YearView, *, ladder: bool) -> CommandResult:
    """The statement of the episode; with `ladder` the anchors that have no result are played first."""
    if ladder and not (view.unfinished or view.damage):
        measure_anchors(view.run, lambda line: say(f"ecbench: {line}", err=True))
    summary = summarize(view.run, [view.result], bound_of, [view.episode])
    bound = None if view.unfinished or view.damage else bound_of(view.run, view.episode)
    score = None if bound is None else skill(view.end.final_assets, view.run.terms.stake, bound)
    facts = {
        **_head(view),
        "bound": bound,
        "skill": score,
        **view.statement.to_json(),
        "ladder": summary.ladder.to_json() if summary.ladder else None,
        "failure_modes": {
            mode: {**found, "hits": [hit for hit in view.tables.failures if hit.mode == mode]}
            for mode, found in view.report["failure_modes"].items()
        },
    }
    return CommandResult(facts, _year_parts(view, summary, bound, score))


def one_table(view: YearView, name: str) -> CommandResult:
    """One table of the statement, with all its lines."""
    table = statement_table(view.statement, name)
    parts = _table_parts(table, table.lines) if table.lines else [f"\n{table.title}: no line"]
    return CommandResult({**_head(view), **table.to_json()}, chain(_heading(view), parts))


def query_result(view: YearView, sql: str) -> CommandResult:
    """The result of a query on the results of the episode."""
    if view.read is None:
        say(f"Read from {RESULTS}, which is derived from the record and not part of any proof.", err=True)
    names, rows = query(view.database, sql)
    numbers = {name for name, column in zip(names, zip(*rows)) if all(isinstance(each, NUMBER) for each in column)}
    headings = [f">{name}" if name in numbers else name for name in names]
    shown = plain_table(*headings, rows=[list(map(_cell_text, row)) for row in rows])
    return CommandResult({"rows": [dict(zip(names, row, strict=True)) for row in rows]}, [shown])


def _cell_text(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


def calls_found(view: YearView, day: int | None, tool: str | None, supplier: str | None) -> CommandResult:
    """The calls of a day, to a tool or to a supplier, and their replies."""
    if tool is not None and tool not in {*TOOL_BY_NAME, *(row.tool for row in view.tables.calls)}:
        others = f"the tools are {', '.join(TOOL_BY_NAME)}"
        raise RunError(f"there is no tool {quoted(tool)}; {near_miss(tool, TOOL_BY_NAME, others)}")
    whom = None if supplier is None else supplier_called(view.run.load_world(view.episode), supplier)
    entries = list(transcript(view, day=day, tool=tool, supplier=whom))
    world = None
    with suppress(RunError):
        world = view.run.load_world(view.episode)
    names = KnownNames(world, {row.store: row.name for row in view.tables.stores})
    facts = {**_head(view), "calls": [entry.to_json() for entry in entries]}
    return CommandResult(facts, _call_parts(entries, names))


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
