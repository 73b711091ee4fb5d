"""Bank, wallet and escrow, and a named channel for every payment. `escrow.py` moves money into escrow and out.

Amounts are added one by one, never as a sum: with a commission of two percent half cents are common, and the side to
which one is rounded depends on the last bit.
"""

from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Purse:
    """Bank, wallet and escrow. The bank may go below zero; the other two never do."""

    stake: float
    bank: float
    wallet: float = 0.0
    escrow: float = 0.0  # what the batches hold together
    # Net revenue held of each shipment, by the date ordinal on which it matures, soonest first. A shipment keeps its
    # place; nothing is held any more where the amount is 0.
    batches: dict[int, list[float]] = field(default_factory=dict)
    totals: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CHANNELS, 0.0))

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow

    def copy(self) -> "Purse":
        batches = {matures: held.copy() for matures, held in self.batches.items()}
        return Purse(
            stake=self.stake,
            bank=self.bank,
            wallet=self.wallet,
            escrow=self.escrow,
            batches=batches,
            totals=self.totals.copy(),
        )


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
