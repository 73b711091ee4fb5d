"""Tables of an episode's statement, of one of its days and of its calls."""

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.cli.plain_table import Columns, plain_console, plain_table, rows_table, table_parts, words
from ecbench.cli.progress import how_it_ended
from ecbench.cli.run_tables import ladder_parts, skill_text
from ecbench.cli.terminal import aligned
from ecbench.formatting import counted, yuan
from ecbench.metrics.anchors import skill
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.pages.reply_view import reply_view
from ecbench.runs.play.fork import parent_end
from ecbench.runs.results.anchors_file import bound_of, why_no_bound
from ecbench.runs.results.statement import SHOWN, Statement, StatementTable, statement_tables
from ecbench.runs.results.summary import Summary, daily_usage, summarize
from ecbench.runs.results.year_view import RecordedCall, YearView

LONGEST = 2_000  # characters of a call and its reply
HITS = 2  # of a failure mode
SCAMS: Columns = {
    "Scam": "scam",
    "Met": "suppliers_met:count",
    "Paid": "suppliers_paid:count",
    "Orders": "orders:count",
    "Spend": "spend:yuan",
    "Cost": "cost:yuan",
}
STORES: Columns = {
    "Store": "store",
    "": "row",
    ">Reputation": lambda store: f"{store.reputation:.3f}",
    "SKUs": "listings:count",
    "Units": "units:count",
    ">Capacity used": lambda store: f"{store.capacity_used:.1%}",
}
DELIVERIES: Columns = {
    "Supplier": "supplier",
    "SKU": "sku",
    "Ordered": "quantity:count",
    "Came": "delivered:count",
    "Defective": "defective_units:count",
}
ORDERS: Columns = {
    "Supplier": "supplier",
    "Kind": lambda order: order.scam or order.template,
    "SKU": lambda order: order.sku or "membership fee",
    "Units": "quantity:count",
    "Price": "unit_price:yuan",
    "Floor": "floor:yuan",
    "Charged": "charged:yuan",
}
SALES: Columns = {
    "Store": "store",
    "SKU": "sku",
    "Units": "units:count",
    "Price": "price:yuan",
    "Reference": "reference_price:yuan",
    "Net": "net:yuan",
    "Lost": "lost_units:count",
    "Outcome": "outcome",
}
RETURNS: Columns = {
    "Store": "store",
    "SKU": "sku",
    "Units": "units:count",
    "Refund": "refund:yuan",
    "From escrow": "from_escrow:yuan",
}


Parts = Iterator[str | Text | Table]


def statement_parts(view: YearView) -> Parts:
    """The statement of an episode: where its money went, and what was lost."""
    found, summary, width = view.statement, summary_of(view), plain_console().width
    yield from _heading(view)
    if summary.ladder is not None:
        yield from ladder_parts(view.run, summary.ladder)
    yield words(skill_text(**score_against_bound(view), why_none=_why_no_skill(view)))
    for who, of in (("Model", "usage"), ("Suppliers' model", "supplier_usage")):
        if used := daily_usage(view.report, view.end.day, of):
            yield words(f"{who}, for each of {counted(used.days, 'simulated day')}: {used.text}")
    yield _channels(view, found)
    for table in statement_tables(found).values():
        if table.lines:
            yield from table_parts(table, table.excerpt(), width, f": --by {table.name}")
    if scams := found.lines("scam"):
        yield rows_table(scams, SCAMS, "Scams")
    yield from map(words, _losses(found))
    yield _failure_modes(view)


def one_ladder_parts(view: YearView) -> Parts:
    """The ladder alone."""
    found = summary_of(view).ladder
    yield from _heading(view)
    if found is None:
        yield "No ladder: the episode is not over."
    else:
        yield from ladder_parts(view.run, found)


def one_table_parts(view: YearView, table: StatementTable, limit: int | None) -> Parts:
    """One table of the statement, with all its lines or the first of them."""
    yield from _heading(view)
    if table.lines:
        yield from table_parts(table, table.lines[:limit], plain_console().width)
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


def _channels(view: YearView, found: Statement) -> Table:
    table = plain_table("From stake to assets", ">Yuan", whole=True)
    table.add_row("stake", yuan(view.run.terms.stake))
    for channel, amount in found.channels.items():
        table.add_row(channel, yuan(amount))
    table.add_section()
    table.add_row("final assets", yuan(view.end.final_assets))
    return table


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
    lost = sum(found.rollovers.values())
    tools = ", ".join(f"{tool} {count:,}" for tool, count in found.rollovers.items())
    by_tool = f" ({tools})" if lost else ""
    yield f"Days that ended because a call ran past closing time, without a wait: {lost:,}{by_tool}."


def _failure_modes(view: YearView) -> Table:
    failures = view.tables.failures
    title = f"Failure modes: {counted(len(failures), 'hit', ',')}"
    table = plain_table("Failure mode", ">Hits", ">Lost", "First of them", title=title)
    for name, mode in view.report["failure_modes"].items():
        hits = [hit for hit in failures if hit.mode == name]
        lost = [hit.lost for hit in hits if hit.lost is not None]
        count = "no test" if mode["flagged"] is None else f"{mode['count']:,}"
        first = "\n".join(f"day {hit.day}: {hit.what}" for hit in hits[:HITS])
        table.add_row(name, count, yuan(sum(lost)) if lost else "", first)
    return table


def day_parts(view: YearView, found: SimpleNamespace) -> Parts:
    """What happened on a day, from its opening on."""
    yield from _heading(view)
    books = found.books
    money = ", ".join(f"{name} {yuan(getattr(books, name))}" for name in ("bank", "wallet", "escrow", "total"))
    yield words(f"\nDay {books.day}, {books.date}, at opening: {money}; {books.units:,} units in stock")
    if books.orders_cancelled:
        yield f"{books.orders_cancelled:,} orders were cancelled that morning"
    tools = ", ".join(f"{tool} {count:,}" for tool, count in found.calls.items())
    yield words(f"Calls: {tools or 'none'}")
    tables: list[tuple[str, Sequence[Any], Columns, int]] = [
        ("Stores", found.stores, STORES, len(found.stores)),
        ("Deliveries of the morning", found.deliveries, DELIVERIES, len(found.deliveries)),
        ("Purchase orders", found.orders, ORDERS, len(found.orders)),
        ("Sales", sorted(found.sales, key=lambda sale: -sale.net), SALES, SHOWN),
        ("Returns", sorted(found.returns, key=lambda back: -back.refund), RETURNS, SHOWN),
    ]
    for title, rows, columns, most in tables:
        if rows:
            yield rows_table(rows[:most], columns, title)
        if len(rows) > most:
            yield f"and {len(rows) - most:,} more"


def call_lines(entries: Iterable[RecordedCall], names: KnownNames) -> Iterator[str]:
    """Calls and their replies as people read them."""
    shown = 0
    for row, outcome in entries:
        view = reply_view(outcome, names, SHOWN)
        yield f"turn {row.turn}, day {row.day} {row.time}, {row.tool}: {view.sentence}"
        for line in block_lines(shortened_blocks(view.blocks, LONGEST)):
            yield f"  {line}"
        shown += 1
    yield "--json has the replies as they were given" if shown else "no call matches"


def block_lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if block.title:
            yield f"{block.title}:"
        yield from _LINES[block.kind](block)
        if block.left_out:
            yield f"  and {block.left_out:,} more"


def _facts(block: Block) -> Iterator[str]:
    yield "  " + "; ".join([f"{label}: {value}" for label, value in block.rows])


def _notes(block: Block) -> Iterator[str]:
    for (text,) in block.rows:
        yield f"  - {text}"


def _letter(block: Block) -> Iterator[str]:
    (words, *_), *actions = block.rows
    for line in words.splitlines():
        yield f"  | {line}"
    for action, *_ in actions:
        yield f"  | - {action}"


def _table(block: Block) -> Iterator[str]:
    rows = [[heading.removeprefix(">") for heading in block.columns], *block.rows]
    yield from (f"  {line}" for line in aligned(rows, [heading.startswith(">") for heading in block.columns]))


_LINES = {"facts": _facts, "notes": _notes, "letter": _letter, "table": _table}
