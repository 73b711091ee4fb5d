"""What the tables of a year do not say by themselves: which purchase paid for which sale, and what was lost on the way.

The warehouse gives its oldest units first, so the tables say which purchase a unit came from. `results.db` holds these
facts as further columns and tables, so that views only have to add up.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ecbench.market.calendar import WEEK
from ecbench.market.economy import Economy
from ecbench.metrics.bargain_losses import BidCost, bid_costs, wasted_rounds
from ecbench.metrics.losses.account import Loss
from ecbench.runs.results.occasions import EventRow, PromotionRow, event_rows, occasions_of, promotion_rows
from ecbench.runs.results.year_tables import (
    LiquidationRow,
    OpenSessionRow,
    OrderRow,
    ReturnRow,
    SaleRow,
    SessionRow,
    YearTables,
)

Dated = TypeVar("Dated", SaleRow, ReturnRow, LiquidationRow)

Parts = Sequence[tuple[int, int]]
"""Some units by purchase: the number of the order, and how many of them are its."""


@dataclass(slots=True)
class AgedLot:
    day: int
    order: int
    units: int


class StockAgeRow(NamedTuple):
    """Units in the warehouse on the morning of every seventh day and of the last, by the days since they came."""

    day: int
    age: int
    units: int


class Arrival(NamedTuple):
    """Units of one SKU on their way into the warehouse: bought, sent back by customers, or not shipped in time."""

    sku: str
    parts: Parts


@dataclass(slots=True)
class GoodsFlow:
    """Where the units of all purchases are, and where they went."""

    held: dict[str, deque[AgedLot]] = field(default_factory=dict)  # by SKU, the oldest first
    sold: dict[int, Parts] = field(default_factory=dict)  # by shipment
    returned: dict[int, Parts] = field(default_factory=dict)  # by shipment; also what was refunded only
    sold_off: list[tuple[LiquidationRow, Parts]] = field(default_factory=list)
    units: int = 0  # held

    def put(self, day: int, goods: Arrival) -> None:
        lots = self.held.setdefault(goods.sku, deque())
        for order, units in goods.parts:
            lots.append(AgedLot(day, order, units))
            self.units += units

    def take(self, sku: str, units: int) -> Parts:
        """Remove the oldest units."""
        lots, parts = self.held.setdefault(sku, deque()), []
        while units and lots:
            taken = min(units, lots[0].units)
            parts.append((lots[0].order, taken))
            lots[0].units -= taken
            self.units -= taken
            units -= taken
            if not lots[0].units:
                lots.popleft()
        return parts


def replay_goods(tables: YearTables) -> Iterator[tuple[int, GoodsFlow]]:
    """The flow on each morning, as the books count it: what has come is there, what the day sells as well.

    One object that goes on changing; the last one is that of the whole year.
    """
    sales, liquidations, returns = _by_day(tables.sales), _by_day(tables.liquidations), _by_day(tables.returns)
    cancelled: dict[int, list[tuple[int, str]]] = {}
    for sale in tables.sales:
        if sale.outcome == "cancelled" and sale.outcome_day is not None:
            cancelled.setdefault(sale.outcome_day, []).append((sale.shipment, sale.sku))
    bought: dict[int, list[Arrival]] = {}
    for order in tables.orders:
        if order.sku and order.delivered and order.day_received is not None:
            arrival = Arrival(order.sku, [(order.order, order.delivered)])
            bought.setdefault(order.day_received, []).append(arrival)
    flow = GoodsFlow()
    for day in range(tables.days[-1].day + 1):
        for shipment, sku in cancelled.get(day, []):
            flow.put(day, Arrival(sku, flow.sold[shipment]))
        for back in returns.get(day, []):
            flow.returned[back.shipment] = parts = part_of(flow.sold.get(back.shipment, ()), back.units)
            if back.restocked:
                flow.put(day, Arrival(back.sku, parts))
        for goods in bought.get(day, []):
            flow.put(day, goods)
        yield day, flow
        for row in liquidations.get(day, []):
            flow.sold_off.append((row, flow.take(row.sku, row.units)))
        for sold in sales.get(day, []):
            flow.sold[sold.shipment] = flow.take(sold.sku, sold.units)


def follow_goods(tables: YearTables) -> tuple[GoodsFlow, list[StockAgeRow]]:
    """The flow of the whole year, and the ages of the stock."""
    flow, last, ages = GoodsFlow(), tables.days[-1].day, list[StockAgeRow]()
    for day, flow in replay_goods(tables):
        if day % WEEK == 0 or day == last:
            units = Counter[int]()
            for lot in (lot for lots in flow.held.values() for lot in lots):
                units[day - lot.day] += lot.units
            ages += [StockAgeRow(day, age, count) for age, count in sorted(units.items())]
    return flow, ages


def part_of(parts: Parts, units: int) -> Parts:
    """So many of them, whole units in proportion to those of each purchase."""
    total, seen, given, shares = sum(count for _, count in parts), 0, 0, []
    for order, count in parts:
        seen += count
        share = units * seen // total - given
        given += share
        if share:
            shares.append((order, share))
    return shares


def value_of(parts: Iterable[tuple[int, int]], unit_costs: Mapping[int, float]) -> float:
    """What was paid for some units."""
    return sum(unit_costs[order] * units for order, units in parts)


def unit_costs(tables: YearTables) -> dict[int, float]:
    """What a unit of each purchase cost, by the number of the order."""
    return {order.order: order.charged / order.quantity for order in tables.orders if order.sku}


def _by_day(rows: Iterable[Dated]) -> dict[int, list[Dated]]:
    groups: dict[int, list[Dated]] = {}
    for row in rows:
        groups.setdefault(row.day, []).append(row)
    return groups


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
    unsold: float  # paid for units that were held or on their way when the episode was over
    returned_units: int  # that customers sent back, in proportion where a shipment had units of several orders


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
    losses: Sequence[Loss]
    promotions: Sequence[PromotionRow]
    events: Sequence[EventRow]
    products: Sequence[ProductRow]  # that were bargained for or bought
    stock_ages: Sequence[StockAgeRow]


def money_facts(tables: YearTables, economy: Economy, losses: Sequence[Loss]) -> MoneyFacts:
    (flow, ages), costs = follow_goods(tables), unit_costs(tables)
    sale_costs = _sale_costs(tables, flow, costs)
    occasions = occasions_of(tables, sale_costs, economy)
    wanted: list[SessionRow | OpenSessionRow | OrderRow] = [*tables.sessions, *tables.open_sessions, *tables.orders]
    skus = dict.fromkeys(row.sku for row in wanted if row.sku)
    return MoneyFacts(
        sales=[(cost,) for cost in sale_costs.values()],
        liquidations=[(value_of(parts, costs),) for _, parts in flow.sold_off],
        orders=list(_order_facts(tables, flow, costs)),
        sessions=list(_session_facts(tables)),
        losses=losses,
        promotions=promotion_rows(occasions),
        events=event_rows(occasions),
        products=[ProductRow(sku, economy.world.product_by_sku[sku].title) for sku in skus],
        stock_ages=ages,
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
    back = Counter[int]()
    for order_number, units in (part for parts in flow.returned.values() for part in parts):
        back[order_number] += units
    for order in tables.orders:
        on_its_way = order.day_received is None or order.day_received > last
        units = order.delivered if on_its_way else held.get(order.order, 0)
        unsold = costs[order.order] * units if order.sku else 0.0
        yield OrderFacts(unsold, back[order.order])


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
