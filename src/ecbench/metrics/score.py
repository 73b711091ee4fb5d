"""The primary score: what a merchant ends with (sec:eval)."""

from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.rounding import figure, yuan


def primary_score(account: Account) -> dict[str, Any]:
    """Total assets, and as a multiple of the stake. Stock counts for nothing: unsold goods are not money."""
    purse = account.books.purse
    return {
        "final_assets": yuan(purse.total),
        "multiplier": figure(purse.total / purse.stake) if purse.stake > 0 else None,
    }
