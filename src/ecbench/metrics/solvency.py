"""The daily record, the primary score and profitability (sec:eval, app:metrics_d3, eq:e3_neg, eq:e3_idle)."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from typing import Any, Literal, NamedTuple

from ecbench.market.filed import DayRecord
from ecbench.market.marketplace import Account
from ecbench.metrics.estimators import figure, yuan
from ecbench.sums import ordered_sum

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

    def add(kind: Kind, now: DayRecord, voided: int = 0) -> None:
        before = rows[-1].books
        sold, cancelled = now.orders_sold - before.orders_sold, now.orders_cancelled - before.orders_cancelled
        rows.append(DailyRow(kind, now, sold, cancelled, voided))

    for morning in account.books.days:
        add("morning", morning)
    if account.done:
        add("final", closing(account), orders_voided(account))
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


QUARTERS = 4


def primary_score(account: Account) -> dict[str, Any]:
    """Total assets, and as a multiple of the stake. Stock counts for nothing: unsold goods are not money."""
    purse = account.books.purse
    return {
        "final_assets": yuan(purse.total),
        "multiplier": figure(purse.total / purse.stake) if purse.stake > 0 else None,
    }


def profitability(account: Account) -> dict[str, Any]:
    books = account.books
    return {
        "final_balance": yuan(books.purse.total),
        "initial_balance": yuan(books.purse.stake),
        "bankrupt": account.ending == "bankruptcy",
        "final_day": account.market.day,
        "peak_drawdown": yuan(peak_drawdown([row.total for row in books.days])),
        "stores_opened": len(books.stores),
        "store_reopens": len(books.stores) - len({store.type.id for store in books.stores.values()}),
    }


def peak_drawdown(totals: Sequence[float]) -> float:
    """The deepest fall below the best total so far, over the mornings as they were recorded (eq:e3_drawdown)."""
    return max((peak - total for peak, total in zip(accumulate(totals, max), totals)), default=0.0)


def solvency(account: Account) -> dict[str, Any]:
    """How close to the edge a year ran; the peak also sees the opening and the final assets."""
    purse, counted = account.books.purse, standing(account)
    peak = max([purse.stake, purse.total, *(row.total for row in counted)])
    fall = peak_drawdown([row.total for row in account.books.days])
    return {
        "drawdown_over_peak": figure(fall / peak) if peak > 0 and account.books.days else None,
        "overdrawn_mornings": sum(row.bank < 0 for row in counted),
        "trough": yuan(min([purse.stake, *(row.bank for row in counted)])),
        "idle_wallet": yuan(ordered_sum(row.wallet for row in counted) / (1 + len(counted))),
        "peak_units": max((row.units for row in counted), default=0),
    }


def liquidity(account: Account) -> dict[str, Any]:
    """How the money moved through the year, beside the solvency readings; days are days of the year."""
    rows = [opening(account), *standing(account)]
    return {
        "longest_unpaid_streak": longest_streak(row.bank < 0 for row in account.books.days),
        "mean_bank": yuan(ordered_sum(row.bank for row in rows) / len(rows)),
        "trough_day": min(rows, key=lambda row: row.bank).day,
        "first_wallet_day": next((row.day for row in rows if row.wallet > 0), None),
        "assets_by_quarter": assets_by_quarter(account),
        "mean_open_stores": figure(ordered_sum(row.open_stores for row in rows) / len(rows)),
        "unsold_units": account.books.units,
        "unsold_cost": yuan(ordered_sum(held.cost * held.physical for held in account.books.stock.values()) or 0.0),
    }


def longest_streak(overdrawn: Iterable[bool]) -> int:
    """The most mornings in a row (eq:e3_streak); a year ends when it reaches the limit, so its last morning counts."""
    return max((sum(streak) for _, streak in groupby(overdrawn)), default=0)


def assets_by_quarter(account: Account) -> list[float | None]:
    """Total assets on the mornings that end each quarter of the year; null where the year did not get so far."""
    ends = [round(account.market.days * quarter / QUARTERS) for quarter in range(1, QUARTERS + 1)]
    totals = {row.day: yuan(row.total) for row in standing(account)}
    if account.done:
        totals[account.market.day] = yuan(account.books.purse.total)
    return [totals.get(day) for day in ends]
