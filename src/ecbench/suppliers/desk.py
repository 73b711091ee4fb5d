"""The suppliers' state for one merchant: sessions, letters, orders, memberships, weekly supply."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from ecbench.market.calendar import WEEK
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import OrderRefused
from ecbench.suppliers.records import Exchange, Session
from ecbench.suppliers.sessions import Pair, SessionBook, session_of
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Supplier


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


def left_this_week(desk: SupplierDesk, account: Account, supplier: Supplier) -> int | None:
    """The units that a supplier still delivers in this week of the year; None: any number."""
    if not account.rules.weekly_supply:
        return None
    limit = traits_of(account.economy, supplier).weekly_supply
    week, ordered = desk.week_orders.get(supplier.name, (0, 0))
    return limit - ordered if week == account.market.day // WEEK else limit


def check_supply(desk: SupplierDesk, account: Account, supplier: Supplier, quantity: int) -> None:
    """Raise OrderRefused for more units than are left."""
    left = left_this_week(desk, account, supplier)
    if left is not None and quantity > left:
        renewed = account.market.date + timedelta(days=WEEK - account.market.day % WEEK)
        limit = traits_of(account.economy, supplier).weekly_supply
        raise OrderRefused(f"{left:,} of {limit:,} units are left for you this week; the next week begins on {renewed}")


def count_supply(desk: SupplierDesk, account: Account, supplier: Supplier, quantity: int) -> None:
    """Take ordered units off what is left."""
    left = left_this_week(desk, account, supplier)
    if left is not None:
        ordered = traits_of(account.economy, supplier).weekly_supply - left + quantity
        desk.week_orders[supplier.name] = account.market.day // WEEK, ordered
