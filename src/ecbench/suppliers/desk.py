"""The suppliers' state for one merchant: sessions, letters, orders, memberships."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from ecbench.suppliers.records import OpenSession, Session
from ecbench.suppliers.sessions import SessionBook, open_session_of, session_of

MERCHANT = "agent"


class Letter(NamedTuple):
    """One message of either side, as it was sent."""

    sender: str  # MERCHANT, or the supplier's name
    day: date
    minute: int
    content: str


@dataclass(slots=True, init=False)
class Exchange:
    """A message to a supplier and its reply. It never changes, so copies of a desk share it."""

    supplier: str
    day: date
    minute: int
    content: str
    reply: str
    ordered: bool  # whether it ended in an order

    def __init__(self, supplier: str, day: date, minute: int, content: str, reply: str, ordered: bool) -> None:
        self.supplier = supplier
        self.day = day
        self.minute = minute
        self.content = content
        self.reply = reply
        self.ordered = ordered

    @property
    def letters(self) -> tuple[Letter, Letter]:
        return (
            Letter(MERCHANT, self.day, self.minute, self.content),
            Letter(self.supplier, self.day, self.minute, self.reply),
        )


@dataclass(slots=True)
class SupplierDesk:
    """Keyed by supplier name throughout. Histories only grow, so a copy shares their entries."""

    book: SessionBook = field(default_factory=SessionBook)
    exchanges: dict[str, tuple[Exchange, ...]] = field(default_factory=dict)  # in order of first contact
    orders: dict[str, int] = field(default_factory=dict)  # messages with an order that went through
    members: set[str] = field(default_factory=set)  # paid the membership fee there
    week_orders: dict[str, tuple[int, int]] = field(default_factory=dict)  # the week of the last order, its units
    # Where the rules count conduct: recent quotes with their days, by supplier and SKU, and the claims of a session.
    quotes: dict[tuple[str, str], tuple[tuple[int, float], ...]] = field(default_factory=dict)
    claims: dict[tuple[str, str, int], tuple[Any, ...]] = field(default_factory=dict)

    @property
    def sessions(self) -> list[Session]:
        """Concluded sessions in filing order."""
        return [session_of(pair) for pair in self.book.filed]

    @property
    def open_sessions(self) -> list[OpenSession]:
        """Sessions that have opened and not concluded, in order of their pairs' first session."""
        return [open_session_of(pair) for pair in self.book.pairs.values() if not pair.concluded]

    @property
    def active_sessions(self) -> int:
        return self.book.active

    @property
    def contacted(self) -> tuple[str, ...]:
        return tuple(self.exchanges)

    def copy(self) -> "SupplierDesk":
        return SupplierDesk(
            book=self.book.copy(),
            exchanges=self.exchanges.copy(),
            orders=self.orders.copy(),
            members=self.members.copy(),
            week_orders=self.week_orders.copy(),
            quotes=self.quotes.copy(),
            claims=self.claims.copy(),
        )
