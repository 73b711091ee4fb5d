"""What a negotiation lost beyond the price of its orders: bids that cost most or brought nothing, and quotes left."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ecbench.runs.results.table_rows import OrderRow
from ecbench.suppliers.records import Session


class SessionFacts(NamedTuple):
    """The last columns of the table of sessions, which `SessionRow` explains."""

    left: float
    rounds: int
    wasted_rounds: int
    bid: float | None
    bid_cost: float
    why: str


class BidCost(NamedTuple):
    """One bid, or the acceptance of a quote: what it added to the price of a unit above the floor."""

    number: int  # from 1; 0 is the acceptance of the supplier's quote
    price: float
    added: float


class Repurchase(NamedTuple):
    """The next purchase of a SKU after a negotiation without a deal."""

    order: OrderRow
    quote: float

    @property
    def lost(self) -> float:
        return max(self.order.unit_price - self.quote, 0.0) * self.order.quantity


def session_facts(sessions: Sequence[Session], orders: Sequence[OrderRow]) -> Iterator[SessionFacts]:
    """Of each session, in their order."""
    by_session: dict[int, list[OrderRow]] = {}
    for order in orders:
        if order.session is not None:
            by_session.setdefault(order.session, []).append(order)
    left = _left_quotes(sessions, by_session)
    for number, session in enumerate(sessions, start=1):
        units = sum(order.quantity for order in by_session.get(number, ()))
        yield _facts_of(session, units, left.get(number))


def _left_quotes(sessions: Sequence[Session], orders: Mapping[int, Sequence[OrderRow]]) -> dict[int, Repurchase]:
    """By session. Of several quotes left before one purchase only the lowest counts."""
    best: dict[str, tuple[float, int]] = {}  # by SKU, since its last purchase: the quote and its session
    found = {}
    for number, session in enumerate(sessions, start=1):
        if bought := orders.get(number):
            if session.sku in best:
                quote, before = best.pop(session.sku)
                found[before] = Repurchase(bought[0], quote)
        elif session.honest and session.outcome == "Disagreement":
            quote = session.supplier_prices[-1]
            if session.sku not in best or quote < best[session.sku][0]:
                best[session.sku] = quote, number
    return found


def _facts_of(session: Session, units: int, next_one: Repurchase | None) -> SessionFacts:
    worst = max(bid_costs(session), key=lambda cost: cost.added, default=None)
    left, bids = next_one.lost if next_one else 0.0, session.agent_prices
    return SessionFacts(
        left=left,
        rounds=len(bids),
        wasted_rounds=wasted_rounds(session),
        bid=worst.price if worst else bids[-1] if bids else None,
        bid_cost=worst.added * units if worst else left,
        why=_deal(worst) if worst else _no_deal(session, next_one),
    )


def bid_costs(session: Session) -> list[BidCost]:
    """Of a deal, in order; they add up to the price above the floor. A bid below an earlier one adds nothing."""
    if session.final_price is None:
        return []
    reached, costs = session.floor, []
    moves = list(enumerate(session.agent_prices, start=1))
    if session.closed_by == "AgentAccept":
        moves.append((0, session.final_price))
    for number, price in moves:
        # A bid above the final price costs no more than that price does.
        added = max(min(price, session.final_price) - reached, 0.0)
        costs.append(BidCost(number, price, added))
        reached += added
    return costs


def wasted_rounds(session: Session) -> int:
    """Bids that neither lowered the supplier's quote nor were accepted; without a deal every bid was wasted."""
    bids = len(session.agent_prices)
    if session.final_price is None:
        return bids
    lowered = sum(later < earlier for earlier, later in pairwise(session.supplier_prices))
    return max(bids - lowered - (session.closed_by == "SupplierAccept"), 0)


def _deal(worst: BidCost) -> str:
    if worst.added == 0:
        return "closed at the floor"
    if worst.number == 0:
        return f"took its quote of ¥{worst.price:,.2f}"
    if worst.number == 1:
        return f"opened at ¥{worst.price:,.2f}"
    return f"raised bid {worst.number} to ¥{worst.price:,.2f}"


def _no_deal(session: Session, next_one: Repurchase | None) -> str:
    quote = f"¥{session.supplier_prices[-1]:,.2f}"
    ended = f"left its quote of {quote}"
    if session.closed_by == "SupplierReject":
        ended = f"bid ¥{session.agent_prices[-1]:,.2f} against {quote}, and it left"
    if next_one is None or not next_one.lost:
        return ended
    return f"{ended}; then paid ¥{next_one.order.unit_price:,.2f} on day {next_one.order.day}"
