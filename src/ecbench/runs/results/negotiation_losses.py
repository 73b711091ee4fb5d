"""What each negotiation lost, in yuan: the price above the floor, and better quotes that were left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.metrics.bargain_losses import BidCost, bid_costs, wasted_rounds
from ecbench.metrics.negotiation import overpaid
from ecbench.runs.results.tables import OrderRow, SessionRow, YearTables
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class NegotiationLine:
    """One concluded negotiation.

    `above_floor` is what its orders paid over the floor. `left` is what the next purchase of the SKU paid over the last
    quote of an honest supplier that was left without a deal.
    """

    session: int
    day: int
    supplier: str
    kind: str
    sku: str
    title: str  # empty where the world is not known
    units: int  # ordered
    price: float | None  # of a unit, as charged; None without an order
    floor: float
    above_floor: float
    left: float
    rounds: int  # bids
    wasted_rounds: int
    bid: float | None  # the bid, or the accepted quote, that cost most
    bid_cost: float  # for all units
    why: str

    @property
    def loss(self) -> float:
        return self.above_floor + self.left


class Repurchase(NamedTuple):
    """The next purchase of a SKU behind a negotiation without a deal."""

    order: OrderRow
    quote: float

    @property
    def lost(self) -> float:
        return max(self.order.unit_price - self.quote, 0.0) * self.order.quantity


def negotiation_lines(tables: YearTables, world: World | None) -> list[NegotiationLine]:
    """The largest loss first."""
    orders: dict[int, list[OrderRow]] = {}
    for order in tables.orders:
        if order.session is not None:
            orders.setdefault(order.session, []).append(order)
    left = _left_quotes(tables.sessions, orders)
    titles = {product.sku: product.title for product in world.products} if world else {}
    lines = [
        _line(row, orders.get(row.session, []), left.get(row.session), titles.get(row.sku, ""))
        for row in tables.sessions
    ]
    return sorted(lines, key=lambda line: (-line.loss, line.session))


def _left_quotes(sessions: Sequence[SessionRow], orders: dict[int, list[OrderRow]]) -> dict[int, Repurchase]:
    """By session. Of several quotes left before one purchase only the lowest counts."""
    best: dict[str, SessionRow] = {}  # by SKU, since its last purchase
    found = {}
    for row in sessions:
        bought = orders.get(row.session)
        if bought:
            before = best.pop(row.sku, None)
            if before is not None:
                found[before.session] = Repurchase(bought[0], before.supplier_prices[-1])
        elif row.honest and row.outcome == "Disagreement":
            known = best.get(row.sku)
            if known is None or row.supplier_prices[-1] < known.supplier_prices[-1]:
                best[row.sku] = row
    return found


def _line(row: SessionRow, orders: Sequence[OrderRow], next_one: Repurchase | None, title: str) -> NegotiationLine:
    units = sum(order.quantity for order in orders)
    costs = bid_costs(row)
    worst = max(costs, key=lambda cost: cost.added, default=None)
    bid = worst.price if worst else row.agent_prices[-1] if row.agent_prices else None
    left = next_one.lost if next_one else 0.0
    return NegotiationLine(
        session=row.session,
        day=row.day_concluded,
        supplier=row.supplier,
        kind=row.template if row.honest else row.scam,
        sku=row.sku,
        title=title,
        units=units,
        price=sum(order.charged for order in orders) / units if units else None,
        floor=row.floor,
        above_floor=sum(overpaid(order.charged, order.quantity, order.floor) for order in orders),
        left=left,
        rounds=len(row.agent_prices),
        wasted_rounds=wasted_rounds(row),
        bid=bid,
        bid_cost=worst.added * units if worst else left,
        why=_deal(worst) if worst else _no_deal(row, next_one),
    )


def _deal(worst: BidCost) -> str:
    if worst.added == 0:
        return "closed at the floor"
    if worst.number == 0:
        return f"took its quote of ¥{worst.price:,.2f}"
    if worst.number == 1:
        return f"opened at ¥{worst.price:,.2f}"
    return f"raised bid {worst.number} to ¥{worst.price:,.2f}"


def _no_deal(row: SessionRow, next_one: Repurchase | None) -> str:
    quote = f"¥{row.supplier_prices[-1]:,.2f}"
    ended = f"left its quote of {quote}"
    if row.closed_by == "SupplierReject":
        ended = f"bid ¥{row.agent_prices[-1]:,.2f} against {quote}, and it left"
    if next_one is None or not next_one.lost:
        return ended
    return f"{ended}; then paid ¥{next_one.order.unit_price:,.2f} on day {next_one.order.day}"
