"""Escrow: the net revenue of each shipment is held until a date, refunded from there, and released to the wallet."""

from typing import Final

from ecbench.market.ledger import REFUNDS, REVENUE, Purse
from ecbench.sums import ordered_difference, ordered_sum

EMPTY: Final = 1e-9  # yuan; a batch that holds no more than this is closed


def hold_in_escrow(purse: Purse, amounts: list[float], matures: int) -> float:
    """Hold the net revenue of each shipment until it matures; return the sum."""
    purse.escrow = ordered_sum(amounts, purse.escrow)
    total = ordered_sum(amounts, 0.0)
    purse.totals[REVENUE] += total
    batch = purse.batches.get(matures)
    if batch is None:
        purse.batches[matures] = amounts
    else:
        batch += amounts
    return total


def refund_from_escrow(purse: Purse, matures: int, place: int, amount: float) -> float:
    """Refund at most what is held for a shipment; return what was taken. The platform pays the rest."""
    batch = purse.batches.get(matures)
    if batch is None:
        return 0.0
    held = batch[place]
    taken = amount if amount < held else held
    left = held - taken
    purse.escrow -= taken
    purse.totals[REFUNDS] -= taken
    if left > EMPTY:
        batch[place] = left
    else:
        batch[place] = 0.0
        purse.wallet += left
        purse.escrow -= left
    return taken


def release_batches(purse: Purse, today: int) -> None:
    """Move matured escrow to the wallet."""
    batches, wallet, escrow = purse.batches, purse.wallet, purse.escrow
    while batches and (matures := next(iter(batches))) <= today:
        amounts = batches.pop(matures)
        wallet, escrow = ordered_sum(amounts, wallet), ordered_difference(escrow, amounts)
    purse.wallet, purse.escrow = wallet, escrow if escrow > 0.0 else 0.0  # it may end a hair below zero


def release_all(purse: Purse) -> None:
    for batch in purse.batches.values():
        purse.wallet = ordered_sum(batch, purse.wallet)
    purse.batches.clear()
    purse.escrow = 0.0
