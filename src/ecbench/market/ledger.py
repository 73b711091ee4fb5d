"""Three pots of money, and a name for every movement between them and the world."""

from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

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


EMPTY: Final = 1e-9  # a batch that refunds have taken down to this is gone


@dataclass(slots=True)
class Batch:
    """Net revenue of one shipment, waiting for the platform to release it."""

    number: int
    amount: float
    matures: int  # date ordinal


@dataclass(slots=True)
class Purse:
    """Bank, wallet and escrow. The bank may go below zero; the other two never do."""

    stake: float
    bank: float
    wallet: float = 0.0
    escrow: float = 0.0  # what the batches hold together
    batches: dict[int, Batch] = field(default_factory=dict)
    batch_count: int = 0
    totals: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CHANNELS, 0.0))

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow

    def copy(self) -> "Purse":
        return Purse(
            self.stake,
            self.bank,
            self.wallet,
            self.escrow,
            {n: Batch(b.number, b.amount, b.matures) for n, b in self.batches.items()},
            self.batch_count,
            self.totals.copy(),
        )


def pay(purse: Purse, channel: str, amount: float) -> None:
    """A cost leaves the bank the moment it is incurred, whether or not the bank covers it."""
    purse.bank -= amount
    purse.totals[channel] -= amount


def credit(purse: Purse, channel: str, amount: float) -> None:
    purse.bank += amount
    purse.totals[channel] += amount


def hold_in_escrow(purse: Purse, amount: float, matures: int) -> int:
    """Revenue waits with the platform; returns the number of its batch."""
    number = purse.batch_count = purse.batch_count + 1
    purse.batches[number] = Batch(number, amount, matures)
    purse.escrow += amount
    purse.totals[REVENUE] += amount
    return number


def refund_from_escrow(purse: Purse, batch_number: int, amount: float) -> None:
    """At most what the batch still holds: the rest is commission the platform gives back out of its own pocket."""
    batch = purse.batches.get(batch_number)
    if batch is None:
        return
    taken = min(amount, batch.amount)
    batch.amount -= taken
    purse.escrow -= taken
    purse.totals[REFUNDS] -= taken
    if batch.amount <= EMPTY:
        _release(purse, batch)


def release_batches(purse: Purse, today: int) -> None:
    """Matured escrow becomes withdrawable. Batches mature in the order in which they were made."""
    due = list(takewhile(lambda batch: batch.matures <= today, purse.batches.values()))
    for batch in due:
        _release(purse, batch)
    purse.escrow = max(0.0, purse.escrow)  # a running total of floats may end a hair below zero


def release_all(purse: Purse) -> None:
    for batch in list(purse.batches.values()):
        _release(purse, batch)
    purse.escrow = 0.0


def _release(purse: Purse, batch: Batch) -> None:
    purse.wallet += batch.amount
    purse.escrow -= batch.amount
    del purse.batches[batch.number]


def withdraw(purse: Purse, amount: float) -> None:
    purse.wallet -= amount
    purse.bank += amount
