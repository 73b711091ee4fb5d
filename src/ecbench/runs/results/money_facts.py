"""What the tables of a year do not say by themselves: which purchase paid for which sale, and what was lost on the way.

`results.db` holds these facts as further columns and tables, so that views only have to add up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.market.economy import Economy
from ecbench.metrics.bargain_losses import BidCost, bid_costs, wasted_rounds
from ecbench.metrics.defects import DefectiveDelivery, ReturnedSale, due_to_defects, shared_by_suppliers
from ecbench.metrics.negotiation import overpaid
from ecbench.runs.results.goods_flow import GoodsFlow, goods_flow, unit_costs, value_of
from ecbench.runs.results.occasions import EventRow, PromotionRow, event_rows, occasions_of, promotion_rows
from ecbench.runs.results.rows import OpenSessionRow, OrderRow, SessionRow, YearTables


class SessionFacts(NamedTuple):
    """What a concluded negotiation lost beyond the price of its orders.

    `left` is what the next purchase of the SKU paid over the last quote of an honest supplier that was left without a
    deal. `bid` is the bid, or the accepted quote, that cost most, and `bid_cost` its cost for all units ordered.
    """

    left: float
    rounds: int
    wasted_rounds: int
    bid: float | None
    bid_cost: float
    why: str


class OrderFacts(NamedTuple):
    overpaid: float  # above the honest floor, for all units ordered
    unsold: float  # paid for units that were held or on their way when the episode was over


class DefectRow(NamedTuple):
    """Refunds of a shipment that sound goods would not have caused, by the supplier of the defective ones."""

    shipment: int
    supplier: str
    refund: float


class ProductRow(NamedTuple):
    sku: str
    title: str


@dataclass(frozen=True, slots=True)
class MoneyFacts:
    """The facts of each sale, liquidation, order and session, in the order of their tables, and further tables."""

    sales: Sequence[tuple[float]]  # what its units had cost, less those that came back to the warehouse
    liquidations: Sequence[tuple[float]]
    orders: Sequence[OrderFacts]
    sessions: Sequence[SessionFacts]
    defects: Sequence[DefectRow]
    promotions: Sequence[PromotionRow]
    events: Sequence[EventRow]
    products: Sequence[ProductRow]  # that were bargained for or bought


def money_facts(tables: YearTables, economy: Economy) -> MoneyFacts:
    flow, costs = goods_flow(tables), unit_costs(tables)
    sale_costs = _sale_costs(tables, flow, costs)
    occasions = occasions_of(tables, sale_costs, economy)
    wanted: list[SessionRow | OpenSessionRow | OrderRow] = [*tables.sessions, *tables.open_sessions, *tables.orders]
    skus = dict.fromkeys(row.sku for row in wanted if row.sku)
    return MoneyFacts(
        sales=[(cost,) for cost in sale_costs.values()],
        liquidations=[(value_of(parts, costs),) for _, parts in flow.sold_off],
        orders=list(_order_facts(tables, flow, costs)),
        sessions=list(_session_facts(tables)),
        defects=list(_defects(tables, economy)),
        promotions=promotion_rows(occasions),
        events=event_rows(occasions),
        products=[ProductRow(sku, economy.world.product_by_sku[sku].title) for sku in skus],
    )


def _sale_costs(tables: YearTables, flow: GoodsFlow, costs: Mapping[int, float]) -> dict[int, float]:
    """By shipment, in the order of the sales."""
    restocked = {back.shipment for back in tables.returns if back.restocked}
    found = {}
    for sale in tables.sales:
        back = flow.returned[sale.shipment] if sale.shipment in restocked else ()
        gone = value_of(flow.sold[sale.shipment], costs) - value_of(back, costs)
        found[sale.shipment] = 0.0 if sale.outcome == "cancelled" else gone
    return found


def _order_facts(tables: YearTables, flow: GoodsFlow, costs: Mapping[int, float]) -> Iterator[OrderFacts]:
    last = tables.days[-1].day
    held: dict[int, int] = {}
    for lot in (lot for lots in flow.held.values() for lot in lots):
        held[lot.order] = held.get(lot.order, 0) + lot.units
    for order in tables.orders:
        on_its_way = order.day_received is None or order.day_received > last
        units = order.delivered if on_its_way else held.get(order.order, 0)
        unsold = costs[order.order] * units if order.sku else 0.0
        yield OrderFacts(overpaid(order.charged, order.quantity, order.floor), unsold)


class Repurchase(NamedTuple):
    """The next purchase of a SKU after a negotiation without a deal."""

    order: OrderRow
    quote: float

    @property
    def lost(self) -> float:
        return max(self.order.unit_price - self.quote, 0.0) * self.order.quantity


def _session_facts(tables: YearTables) -> Iterator[SessionFacts]:
    orders: dict[int, list[OrderRow]] = {}
    for order in tables.orders:
        if order.session is not None:
            orders.setdefault(order.session, []).append(order)
    left = _left_quotes(tables.sessions, orders)
    for row in tables.sessions:
        units = sum(order.quantity for order in orders.get(row.session, []))
        yield _facts_of(row, units, left.get(row.session))


def _left_quotes(sessions: Sequence[SessionRow], orders: Mapping[int, Sequence[OrderRow]]) -> dict[int, Repurchase]:
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


def _facts_of(row: SessionRow, units: int, next_one: Repurchase | None) -> SessionFacts:
    worst = max(bid_costs(row), key=lambda cost: cost.added, default=None)
    left = next_one.lost if next_one else 0.0
    return SessionFacts(
        left=left,
        rounds=len(row.agent_prices),
        wasted_rounds=wasted_rounds(row),
        bid=worst.price if worst else row.agent_prices[-1] if row.agent_prices else None,
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


def _defects(tables: YearTables, economy: Economy) -> Iterator[DefectRow]:
    culprits: dict[str, list[DefectiveDelivery]] = {}
    for order in (order for order in tables.orders if order.defective_units):
        delivery = DefectiveDelivery(order.day_received or 0, order.supplier, order.delivered)
        culprits.setdefault(order.sku, []).append(delivery)
    sold = {sale.shipment: sale for sale in tables.sales if sale.sku in culprits}
    for back in tables.returns:
        if back.sku not in culprits:
            continue
        sale = sold[back.shipment]
        returned = ReturnedSale(
            sale.shipment,
            economy.world.product_by_sku[sale.sku],
            sale.price,
            sale.units,
            sale.net,
            sale.speed,
            back.return_rate,
            back.units,
            back.from_escrow,
        )
        units, amount = due_to_defects(returned, economy)
        for supplier, share in shared_by_suppliers(units, culprits[back.sku], sale.day).items():
            if share:
                yield DefectRow(back.shipment, supplier, amount * share / units)
