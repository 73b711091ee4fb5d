"""Escrow: the net revenue of each shipment is held until a date, refunded from there, and released to the wallet."""

from typing import Final

from ecbench.market.ledger import REFUNDS, REVENUE, Purse
from ecbench.sums import ordered_difference, ordered_sum

EMPTY: Final = 1e-9  # yuan; a batch that holds no more than this is closed


def hold_in_escrow(purse: Purse, revenue: dict[int, float], matures: int) -> float:
    """Hold the net revenue of each shipment until it matures; return the sum."""
    amounts = revenue.values()
    purse.escrow = ordered_sum(amounts, purse.escrow)
    total = ordered_sum(amounts, 0.0)
    purse.totals[REVENUE] += total
    if matures in purse.batches:
        purse.batches[matures] |= revenue
    else:
        purse.batches[matures] = revenue
    return total


def refund_from_escrow(purse: Purse, matures: int, shipment: int, amount: float) -> float:
    """Refund at most what is held for the shipment; return what was taken. The platform pays the rest."""
    batch = purse.batches.get(matures)
    held = None if batch is None else batch.get(shipment)
    if batch is None or held is None:
        return 0.0
    taken = amount if amount < held else held
    left = held - taken
    purse.escrow -= taken
    purse.totals[REFUNDS] -= taken
    if left > EMPTY:
        batch[shipment] = left
    else:
        del batch[shipment]
        purse.wallet += left
        purse.escrow -= left
    return taken


def release_batches(purse: Purse, today: int) -> None:
    """Move matured escrow to the wallet."""
    batches, wallet, escrow = purse.batches, purse.wallet, purse.escrow
    while batches and (matures := next(iter(batches))) <= today:
        amounts = batches.pop(matures).values()
        wallet, escrow = ordered_sum(amounts, wallet), ordered_difference(escrow, amounts)
    purse.wallet, purse.escrow = wallet, escrow if escrow > 0.0 else 0.0  # it may end a hair below zero


def release_all(purse: Purse) -> None:
    for batch in purse.batches.values():
        purse.wallet = ordered_sum(batch.values(), purse.wallet)
    purse.batches.clear()
    purse.escrow = 0.0
