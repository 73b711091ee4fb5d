"""Three pots of money, and a name for every movement between them and the world."""

from dataclasses import dataclass, field
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
class Purse:
    """Bank, wallet and escrow. The bank may go below zero; the other two never do."""

    stake: float
    bank: float
    wallet: float = 0.0
    escrow: float = 0.0  # what the batches hold together
    batches: dict[int, float] = field(default_factory=dict)  # net revenue held, by shipment
    maturing: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)  # date ordinal, shipments; soonest first
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
            self.batches.copy(),
            self.maturing.copy(),
            self.totals.copy(),
        )


def pay(purse: Purse, channel: str, amount: float) -> None:
    """A cost leaves the bank the moment it is incurred, whether or not the bank covers it."""
    purse.bank -= amount
    purse.totals[channel] -= amount


def credit(purse: Purse, channel: str, amount: float) -> None:
    purse.bank += amount
    purse.totals[channel] += amount


def pay_each(purse: Purse, channel: str, amounts: list[float]) -> None:
    """Several payments of one kind, one after the other."""
    for amount in amounts:
        purse.bank -= amount
    purse.totals[channel] -= sum(amounts)


def hold_in_escrow(purse: Purse, revenue: dict[int, float], matures: int) -> None:
    """The net revenue of each shipment waits with the platform, in a batch of its own."""
    for amount in revenue.values():
        purse.escrow += amount
    purse.batches |= revenue
    purse.maturing.append((matures, tuple(revenue)))
    purse.totals[REVENUE] += sum(revenue.values())


def refund_from_escrow(purse: Purse, shipment: int, amount: float) -> None:
    """At most what the batch still holds: the rest is commission the platform gives back out of its own pocket."""
    held = purse.batches.get(shipment)
    if held is None:
        return
    taken = min(amount, held)
    purse.escrow -= taken
    purse.totals[REFUNDS] -= taken
    purse.batches[shipment] = held - taken
    if held - taken <= EMPTY:
        _release(purse, shipment)


def release_batches(purse: Purse, today: int) -> None:
    """Matured escrow becomes withdrawable."""
    maturing, batches = purse.maturing, purse.batches
    wallet, escrow = purse.wallet, purse.escrow
    while maturing and maturing[0][0] <= today:
        for shipment in maturing.pop(0)[1]:
            amount = batches.pop(shipment, 0.0)  # nothing where refunds have emptied it
            wallet += amount
            escrow -= amount
    purse.wallet, purse.escrow = wallet, max(0.0, escrow)  # a running total of floats may end a hair below zero


def release_all(purse: Purse) -> None:
    for shipment in list(purse.batches):
        _release(purse, shipment)
    purse.maturing.clear()
    purse.escrow = 0.0


def upcoming(purse: Purse) -> dict[int, list[float]]:
    """What the batches hold, by the date ordinal on which they mature."""
    dates: dict[int, list[float]] = {}
    for matures, shipments in purse.maturing:
        held = [purse.batches[shipment] for shipment in shipments if shipment in purse.batches]
        if held:
            dates.setdefault(matures, []).extend(held)
    return dates


def _release(purse: Purse, shipment: int) -> None:
    amount = purse.batches.pop(shipment)
    purse.wallet += amount
    purse.escrow -= amount


def withdraw(purse: Purse, amount: float) -> None:
    purse.wallet -= amount
    purse.bank += amount
