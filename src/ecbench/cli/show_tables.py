"""An episode's statement, one of its days and its calls, for the terminal."""

from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from ecbench.cli.progress import how_it_ended
from ecbench.cli.run_tables import ladder_parts, skill_text
from ecbench.cli.table_printing import plain_table, rows_table, statement_parts, words
from ecbench.formatting import counted, yuan
from ecbench.metrics.anchors import skill
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.pages.reply_view import reply_view
from ecbench.runs.play.fork import parent_end
from ecbench.runs.results.anchors_file import bound_of, why_no_bound
from ecbench.runs.results.statement import SHOWN, Statement, StatementTable, statement_tables
from ecbench.runs.results.summary import Summary, summarize
from ecbench.runs.results.year_view import RecordedCall, YearView

LONGEST = 2_000  # characters of a call and its reply
HITS = 2  # of a failure mode
INDENT = (0, 0, 0, 2)  # of a reply below its call
SCAMS = "scam suppliers_met:count suppliers_paid:count orders:count spend:yuan cost:yuan"
OF_A_DAY = {
    "stores": "store row reputation:hundredths listings:count units:count capacity_used:percent",
    "deliveries": "supplier sku quantity:count delivered:count defective_units:count",
    "orders": "supplier template scam sku quantity:count unit_price:yuan floor:yuan charged:yuan",
    "sales": "store sku units:count price:yuan reference_price:yuan net:yuan lost_units:count outcome",
    "returns": "store sku units:count refund:yuan from_escrow:yuan",
}
"""The columns of its tables."""

Parts = Iterator[RenderableType]


def year_parts(view: YearView, summary: Summary) -> Parts:
    """The statement of an episode: where its money went, and what was lost."""
    found = view.statement
    yield from _heading(view)
    if summary.ladder is not None:
        yield from ladder_parts(view.run, summary.ladder)
    yield words(skill_text(**score_against_bound(view), why_none=_why_no_skill(view)))
    amounts = {"stake": view.run.terms.stake, **found.channels, "final assets": view.end.final_assets}
    yield plain_table("From stake to assets", ">Yuan", rows=[(name, yuan(amount)) for name, amount in amounts.items()])
    for table in statement_tables(found).values():
        if table.lines:
            yield from statement_parts(table, table.excerpt(), f": --by {table.name}")
    if scams := found.lines("scam"):
        yield rows_table(scams, SCAMS, "Scams")
    yield from map(words, _losses(found))
    yield _failure_modes(view)


def one_table_parts(view: YearView, table: StatementTable) -> Parts:
    """One table of the statement, with all its lines."""
    yield from _heading(view)
    if table.lines:
        yield from statement_parts(table, table.lines)
    else:
        yield f"\n{table.title}: no line"


def _heading(view: YearView) -> Parts:
    ended = "not finished; what is outstanding is settled here as if it stopped now"
    ended = ended if view.unfinished else how_it_ended(view.end)
    run, episode = view.run, view.episode
    terms = run.terms_of(episode)
    seat = f", seat {run.seat(episode)}" if terms.shared else ""
    who = f"{terms.labels[run.seat(episode)]} on {run.world_of(episode).name}"
    yield words(f"Episode {episode}{seat}, {who}: {ended}", "bold")
    if terms.fork:
        parent = parent_end(run)
        beside = f", which ended: {how_it_ended(parent)}" if parent else ""
        yield words(f"A {terms.fork.label}{beside}")
    for note in filter(None, (view.dropped, view.damage)):
        yield words(f"Note: {note}")


def summary_of(view: YearView) -> Summary:
    """The summary of this episode alone."""
    return summarize(view.run, [view.result], bound_of, [view.episode])


def score_against_bound(view: YearView) -> dict[str, float | None]:
    """The upper bound of the episode, and its skill; None if there is no bound, or the episode is not over."""
    bound = None if view.unfinished or view.damage else bound_of(view.run, view.episode)
    found = None if bound is None else skill(view.end.final_assets, view.run.terms.stake, bound)
    return {"bound": bound, "skill": found}


def _why_no_skill(view: YearView) -> str:
    """Why an episode has no skill."""
    if view.damage:
        return "the record is damaged"
    return "the episode is not over" if view.unfinished else why_no_bound(view.run, view.episode)


def _losses(found: Statement) -> Iterable[str]:
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


def day_parts(view: YearView, found: SimpleNamespace) -> Parts:
    """What happened on a day, from its opening on."""
    yield from _heading(view)
    books = found.books
    money = ", ".join(f"{name} {yuan(getattr(books, name))}" for name in ("bank", "wallet", "escrow", "total"))
    yield words(f"\nDay {books.day}, {books.date}, at opening: {money}; {books.units:,} units in stock")
    if books.orders_cancelled:
        yield f"{books.orders_cancelled:,} orders were cancelled that morning"
    yield words(f"Calls: {_counts(found.calls) or 'none'}")
    for name, columns in OF_A_DAY.items():
        if rows := getattr(found, name):
            yield rows_table(rows, columns, name.capitalize())


def call_parts(entries: Iterable[RecordedCall], names: KnownNames) -> Parts:
    """Calls and their replies as people read them."""
    shown = 0
    for row, outcome in entries:
        view = reply_view(outcome, names, SHOWN)
        yield f"turn {row.turn}, day {row.day} {row.time}, {row.tool}: {view.sentence}"
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
