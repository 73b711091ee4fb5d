"""The suppliers' state for one merchant: sessions, letters, orders, memberships."""

from dataclasses import dataclass, field
from typing import Any

from ecbench.suppliers.records import Exchange, Session
from ecbench.suppliers.sessions import Pair, SessionBook, session_of


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
    def open_pairs(self) -> list[Pair]:
        """Bargains that have opened and not concluded, in order of their pairs' first session."""
        return [pair for pair in self.book.pairs.values() if not pair.concluded]

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
