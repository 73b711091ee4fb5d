"""Everything the suppliers know of one merchant: sessions, letters, orders, memberships, past deals."""

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ecbench.suppliers.records import Session
from ecbench.suppliers.sessions import SessionBook

MERCHANT = "agent"


class Letter(NamedTuple):
    """One message of either side, as it was sent."""

    sender: str  # MERCHANT, or the supplier's name
    day: date
    minute: int
    content: str


@dataclass(slots=True)
class SupplierDesk:
    """Keyed by supplier name throughout. Histories only grow, so a copy shares their entries."""

    book: SessionBook = field(default_factory=SessionBook)
    letters: dict[str, list[Letter]] = field(default_factory=dict)  # in order of first contact
    deals: dict[str, list[tuple[Letter, Letter]]] = field(default_factory=dict)  # exchanges that ended in an order
    orders: dict[str, int] = field(default_factory=dict)  # messages with an order that went through
    members: set[str] = field(default_factory=set)  # paid the membership fee there
    closed: set[str] = field(default_factory=set)

    @property
    def sessions(self) -> list[Session]:
        """Concluded sessions in filing order."""
        return self.book.filed

    @property
    def active_sessions(self) -> int:
        return self.book.active

    @property
    def contacted(self) -> tuple[str, ...]:
        return tuple(self.letters)

    def copy(self) -> "SupplierDesk":
        return SupplierDesk(
            self.book.copy(),
            {name: letters.copy() for name, letters in self.letters.items()},
            {name: deals.copy() for name, deals in self.deals.items()},
            self.orders.copy(),
            self.members.copy(),
            self.closed.copy(),
        )
