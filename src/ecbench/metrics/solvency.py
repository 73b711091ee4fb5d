"""Profitability, and how much of its own best position a year gave back (app:metrics_d3)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.figures import figure, yuan
from ecbench.sums import added


def profitability(account: Account) -> dict[str, Any]:
    books = account.books
    return {
        "final_balance": yuan(books.purse.total),
        "initial_balance": yuan(books.purse.stake),
        "bankrupt": account.ending == "bankruptcy",
        "final_day": account.market.day,
        "peak_drawdown": yuan(peak_drawdown(row.total for row in books.days)),
        "stores_opened": len(books.stores),
        "store_reopens": store_reopens(account),
    }


def peak_drawdown(totals: Iterable[float]) -> float:
    """The deepest fall below the best total so far, over the mornings as they were recorded (eq:e3_drawdown)."""
    peak, deepest = float("-inf"), 0.0
    for total in totals:
        peak = max(peak, total)
        deepest = max(deepest, peak - total)
    return deepest


def store_reopens(account: Account) -> int:
    """Openings of a store type that had been opened before."""
    openings = Counter(store.type.id for store in account.books.stores.values())
    return openings.total() - len(openings)


def solvency(account: Account) -> dict[str, Any]:
    """How close to the edge a year ran, which published result files do not hold.

    The readings run over the opening and every morning but the one that ended the year, because finalization has
    already drained escrow on that row (eq:e3_neg, eq:e3_idle); the peak also sees the opening and the final assets.
    """
    purse, mornings = account.books.purse, account.books.days
    standing = mornings[:-1] if account.done else mornings
    peak = max([purse.stake, purse.total, *(row.total for row in standing)])
    fall = peak_drawdown(row.total for row in mornings)
    return {
        "drawdown_over_peak": figure(fall / peak) if peak > 0 else None,
        "overdrawn_mornings": sum(row.bank < 0 for row in standing),
        "trough": yuan(min([purse.stake, *(row.bank for row in standing)])),
        "idle_wallet": yuan(added(row.wallet for row in standing) / (1 + len(standing))),
        "peak_units": max((row.units for row in standing), default=0),
    }
