"""Tables of an episode's statement, of one of its days and of its calls."""

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

from rich.console import Console
from rich.table import Table

from ecbench.cli.plain_table import plain_console, plain_table, print_table
from ecbench.cli.progress import how_it_ended
from ecbench.cli.run_tables import print_ladder, skill_text
from ecbench.cli.terminal import say
from ecbench.formatting import counted, yuan
from ecbench.metrics.anchors import skill
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.pages.reply_view import reply_view
from ecbench.runs.play.fork import parent_end
from ecbench.runs.results.anchors_file import bound_of, why_no_bound
from ecbench.runs.results.statement import SHOWN, Statement, StatementLine, StatementTable, statement_tables
from ecbench.runs.results.summary import Summary, daily_usage, summarize_year
from ecbench.runs.results.year_view import RecordedCall, YearView

LONGEST = 2_000  # characters of a call and its reply
HITS = 2  # of a failure mode


def print_statement(view: YearView, found: Statement) -> None:
    console = plain_console()
    _print_heading(console, view)
    summary = summary_of(view)
    if summary.ladder is not None:
        print_ladder(console, view.run, summary.ladder)
    console.print(skill_text(**score_against_bound(view), why_none=_why_no_skill(view)))
    for who, of in (("Model", "usage"), ("Suppliers' model", "supplier_usage")):
        if used := daily_usage(view.report, view.end.day, of):
            console.print(f"{who}, for each of {counted(used.days, 'simulated day')}: {used.text}")
    console.print(_channels(view, found))
    for table in statement_tables(found).values():
        if table.lines:
            print_table(console, table, table.excerpt(), f": --by {table.name}")
    if scams := found.lines("scam"):
        console.print(_scams(scams))
    for line in _losses(found):
        console.print(line)
    console.print(_failure_modes(view))


def print_one_ladder(view: YearView) -> None:
    console, found = plain_console(), summary_of(view).ladder
    _print_heading(console, view)
    if found is None:
        console.print("No ladder: the episode is not over.")
    else:
        print_ladder(console, view.run, found)


def print_one_table(view: YearView, table: StatementTable, limit: int | None) -> None:
    console = plain_console()
    _print_heading(console, view)
    if table.lines:
        print_table(console, table, table.lines[:limit])
    else:
        console.print(f"\n{table.title}: no line")


def _print_heading(console: Console, view: YearView) -> None:
    ended = "not finished; what is outstanding is settled here as if it stopped now"
    ended = ended if view.unfinished else how_it_ended(view.end)
    run, episode = view.run, view.episode
    terms = run.terms_of(episode)
    seat = f", seat {run.seat(episode)}" if terms.shared else ""
    who = f"{terms.labels[run.seat(episode)]} on {run.world_of(episode).name}"
    console.print(f"Episode {episode}{seat}, {who}: {ended}", style="bold")
    if terms.fork:
        parent = parent_end(run)
        beside = f", which ended: {how_it_ended(parent)}" if parent else ""
        console.print(f"A {terms.fork.label}{beside}")
    for note in (view.dropped, view.damage):
        if note:
            console.print(f"Note: {note}")


def summary_of(view: YearView) -> Summary:
    """The summary of this episode alone."""
    end = None if view.unfinished or view.damage else view.end
    return summarize_year(view.run, view.episode, end, view.report, bound_of)


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
    table = plain_table("From stake to assets", ">Yuan", no_wrap=True)
    table.add_row("stake", yuan(view.run.terms.stake))
    for channel, amount in found.channels.items():
        table.add_row(channel, yuan(amount))
    table.add_section()
    table.add_row("final assets", yuan(view.end.final_assets))
    return table


def _scams(lines: Sequence[StatementLine]) -> Table:
    rows = [
        (
            line.scam,
            *(f"{count:,}" for count in (line.suppliers_met, line.suppliers_paid, line.orders)),
            *(yuan(amount) for amount in (line.spend, line.cost)),
        )
        for line in lines
    ]
    return plain_table("Scam", ">Met", ">Paid", ">Orders", ">Spend", ">Cost", rows=rows, title="Scams")


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


def print_day(view: YearView, found: SimpleNamespace) -> None:
    console = plain_console()
    _print_heading(console, view)
    books = found.books
    money = ", ".join(f"{name} {yuan(getattr(books, name))}" for name in ("bank", "wallet", "escrow", "total"))
    console.print(f"\nDay {books.day}, {books.date}, at opening: {money}; {books.units:,} units in stock")
    if books.orders_cancelled:
        console.print(f"{books.orders_cancelled:,} orders were cancelled that morning")
    tools = ", ".join(f"{tool} {count:,}" for tool, count in found.calls.items())
    console.print(f"Calls: {tools or 'none'}")
    for table in _day_tables(found):
        console.print(table)


def _day_tables(found: SimpleNamespace) -> Iterable[Table]:
    if found.stores:
        table = plain_table("Store", "", ">Reputation", ">SKUs", ">Units", ">Capacity used", title="Stores")
        for row in found.stores:
            used = f"{row.capacity_used:.1%}"
            table.add_row(row.store, row.row, f"{row.reputation:.3f}", f"{row.listings:,}", f"{row.units:,}", used)
        yield table
    if found.deliveries:
        table = plain_table("Supplier", "SKU", ">Ordered", ">Came", ">Defective", title="Deliveries of the morning")
        for order in found.deliveries:
            counts = (order.quantity, order.delivered, order.defective_units)
            table.add_row(order.supplier, order.sku, *(f"{count:,}" for count in counts))
        yield table
    if found.orders:
        table = plain_table(
            "Supplier", "Kind", "SKU", ">Units", ">Price", ">Floor", ">Charged", title="Purchase orders"
        )
        for order in found.orders:
            floor = yuan(order.floor) if order.floor is not None else ""
            kind = order.scam or order.template
            prices = (f"{order.quantity:,}", yuan(order.unit_price), floor, yuan(order.charged))
            table.add_row(order.supplier, kind, order.sku or "membership fee", *prices)
        yield table
    if found.sales:
        table = plain_table("Store", "SKU", ">Units", ">Price", ">Reference", ">Net", ">Lost", "Outcome", title="Sales")
        for sale in sorted(found.sales, key=lambda sale: -sale.net)[:SHOWN]:
            money = [yuan(amount) for amount in (sale.price, sale.reference_price, sale.net)]
            table.add_row(sale.store, sale.sku, f"{sale.units:,}", *money, f"{sale.lost_units:,}", sale.outcome)
        _tell_rest(table, len(found.sales))
        yield table
    if found.returns:
        table = plain_table("Store", "SKU", ">Units", ">Refund", ">From escrow", title="Returns")
        for back in sorted(found.returns, key=lambda back: -back.refund)[:SHOWN]:
            table.add_row(back.store, back.sku, f"{back.units:,}", yuan(back.refund), yuan(back.from_escrow))
        _tell_rest(table, len(found.returns))
        yield table


def print_calls(entries: Iterable[RecordedCall], names: KnownNames) -> None:
    shown = 0
    for row, outcome in entries:
        view = reply_view(outcome, names, SHOWN)
        say(f"turn {row.turn}, day {row.day} {row.time}, {row.tool}: {view.sentence}")
        for line in block_lines(shortened_blocks(view.blocks, LONGEST)):
            say(f"  {line}")
        shown += 1
    say("--json has the replies as they were given" if shown else "no call matches")


def _tell_rest(table: Table, count: int) -> None:
    if count > SHOWN:
        table.add_row(f"and {count - SHOWN:,} more")


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
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            text.rjust(width) if heading.startswith(">") else text.ljust(width)
            for heading, width, text in zip(block.columns, widths, row, strict=True)
        ]
        yield f"  {'  '.join(cells).rstrip()}"


_LINES = {"facts": _facts, "notes": _notes, "letter": _letter, "table": _table}
