"""The daily record of a year: the opening, every morning, and what finalization left (app:metrics_d3).

Readings that count mornings or average them leave out the last morning of a year that is over: finalization follows it
at once and drains escrow (eq:e3_neg, eq:e3_idle).
"""

from typing import Literal, NamedTuple

from ecbench.market.books import DayRecord
from ecbench.market.marketplace import Account

Kind = Literal["opening", "morning", "final"]


class DailyRow(NamedTuple):
    """The books as they stood; what was sold and cancelled since the row before."""

    kind: Kind
    books: DayRecord
    orders_sold: int
    orders_cancelled: int  # not shipped in time
    orders_voided: int  # not shipped when the year ended


def daily_rows(account: Account) -> list[DailyRow]:
    """Row 0 is the opening. A year that is over has one row more, with what it is scored on."""
    rows = [DailyRow("opening", opening(account), 0, 0, 0)]
    for morning in account.books.days:
        rows.append(_since(rows[-1].books, "morning", morning))
    if account.done:
        rows.append(_since(rows[-1].books, "final", closing(account))._replace(orders_voided=orders_voided(account)))
    return rows


def opening(account: Account) -> DayRecord:
    stake = account.books.purse.stake
    flows = (0.0,) * len(account.books.purse.totals)
    return DayRecord(0, account.world.start, stake, 0.0, 0.0, stake, 0, 0, 0.0, flows)


def closing(account: Account) -> DayRecord:
    """The books as they stand."""
    books, purse = account.books, account.books.purse
    return DayRecord(
        day=account.market.day,
        date=account.market.date,
        bank=purse.bank,
        wallet=purse.wallet,
        escrow=purse.escrow,
        total=purse.total,
        open_stores=len(books.trading),
        units=books.units,
        storage=books.storage_today,
        flows=tuple(purse.totals.values()),
        orders_sold=books.shipment_count,
        orders_cancelled=books.orders_cancelled,
    )


def orders_voided(account: Account) -> int:
    """Sold, neither sent nor cancelled nor waiting: finalization dropped them."""
    books = account.books
    waiting = sum(len(sales.goods) for sales in books.pending)
    return books.shipment_count - len(books.sent) - books.orders_cancelled - waiting


def standing(account: Account) -> list[DayRecord]:
    """The mornings that count, without the opening."""
    return account.books.days[:-1] if account.done else account.books.days


def _since(before: DayRecord, kind: Kind, now: DayRecord) -> DailyRow:
    sold, cancelled = now.orders_sold - before.orders_sold, now.orders_cancelled - before.orders_cancelled
    return DailyRow(kind, now, sold, cancelled, 0)
