"""Bank, wallet and escrow, and a named channel for every payment; amounts are added one by one, never as a sum."""

from dataclasses import dataclass, field, replace
from typing import Final

from ecbench.sums import ordered_difference, ordered_sum

# Why money moved. The balance of an episode is the stake plus the sum over these channels, with their signs.
SETUP: Final = "setup"
OPERATING: Final = "operating"
IDLE: Final = "idle"
STORAGE: Final = "storage"
FREIGHT: Final = "freight"
PROCUREMENT: Final = "procurement"
FEES: Final = "fees"
REVENUE: Final = "revenue"
REFUNDS: Final = "refunds"
SALVAGE: Final = "salvage"
CHANNELS: Final = (SETUP, OPERATING, IDLE, STORAGE, FREIGHT, PROCUREMENT, FEES, REVENUE, REFUNDS, SALVAGE)

EMPTY: Final = 1e-9  # yuan; a batch with no more than this is closed


@dataclass(slots=True)
class Purse:
    """Bank, wallet and escrow. The bank may go below zero; the other two never do."""

    stake: float
    bank: float
    wallet: float = 0.0
    escrow: float = 0.0  # what the batches hold together
    # Net revenue held of each shipment, by the date ordinal on which it matures, soonest first. A shipment keeps its
    # index; nothing is held any more where the amount is 0.
    batches: dict[int, list[float]] = field(default_factory=dict)
    totals: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CHANNELS, 0.0))

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow

    def copy(self) -> "Purse":
        batches = {matures: held.copy() for matures, held in self.batches.items()}
        return replace(self, batches=batches, totals=self.totals.copy())


def pay(purse: Purse, channel: str, amount: float) -> None:
    """Take a cost from the bank, which may go below zero."""
    purse.bank -= amount
    purse.totals[channel] -= amount


def credit(purse: Purse, channel: str, amount: float) -> None:
    purse.bank += amount
    purse.totals[channel] += amount


def pay_each(purse: Purse, channel: str, amounts: list[float]) -> float:
    """Make several payments of one channel in order; return their sum."""
    purse.bank = ordered_difference(purse.bank, amounts)
    total = ordered_sum(amounts, 0.0)
    purse.totals[channel] -= total
    return total


def withdraw(purse: Purse, amount: float) -> None:
    purse.wallet -= amount
    purse.bank += amount


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


def refund_from_escrow(purse: Purse, matures: int, index: int, amount: float) -> float:
    """Refund at most what is held for a shipment; return what was taken. The platform pays the rest."""
    batch = purse.batches.get(matures)
    if batch is None:
        return 0.0
    held = batch[index]
    taken = amount if amount < held else held
    left = held - taken
    purse.escrow -= taken
    purse.totals[REFUNDS] -= taken
    if left > EMPTY:
        batch[index] = left
    else:
        batch[index] = 0.0
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
