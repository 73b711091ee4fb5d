"""The profit of a year by store, by category and by SKU, each with its goods.

A unit costs what was paid for it in the purchase that it came from. What belongs to no line stands in a remainder, so
that lines and remainder add up to the final assets less the stake.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ecbench.market.ledger import FEES, IDLE, OPERATING, SETUP, STORAGE
from ecbench.runs.results.goods_flow import GoodsFlow, unit_costs, value_of
from ecbench.runs.results.tables import LiquidationRow, OrderRow, ReturnRow, SaleRow, YearTables
from ecbench.world.model import World

NEVER_DELIVERED = "goods never delivered"
NEVER_SOLD = "goods never sold"
PAID_AT_END = "goods paid out at the end"  # by rules that value closing stock
NOT_SHIPPED = "fee for orders not shipped"  # in arenas
LOST = ("cancelled", "voided")

Row = TypeVar("Row")
GoodsKey = Callable[[SaleRow | ReturnRow | OrderRow | LiquidationRow], str]


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store. `goods` are the units that left with its sales, voided ones included, and with its shelf."""

    store: str
    type: str
    name: str
    opened: int
    closed: int | None  # None: open when the year was over
    days_open: int
    units: int
    revenue: float
    refunds: float
    freight: float
    goods: float
    setup: float
    operating: float
    salvage: float
    lost_units: int
    orders_lost: int  # cancelled or voided

    @property
    def costs(self) -> float:
        """Of the store and its parcels, less what its shelf brought when it was sold off."""
        return self.freight + self.setup + self.operating - self.salvage

    @property
    def result(self) -> float:
        return self.revenue - self.refunds - self.goods - self.costs


@dataclass(frozen=True, slots=True)
class GoodsLine:
    """One category or one SKU. `bought` is everything paid for it, `unsold` the part for units that nobody bought."""

    category: str
    sku: str  # empty: the whole category
    title: str  # of the SKU; empty where the world is not known
    goods: float  # all that was paid for them
    unsold: float
    units_bought: int  # paid for
    units_sold: int
    revenue: float
    refunds: float
    freight: float
    salvage: float
    lost_units: int

    @property
    def result(self) -> float:
        return self.revenue + self.salvage - self.refunds - self.freight - self.goods


@dataclass(frozen=True, slots=True)
class Profit:
    """Lines, the best first. The remainders are signed, like the channels of the ledger."""

    stores: Sequence[StoreLine]
    categories: Sequence[GoodsLine]
    skus: Sequence[GoodsLine]
    outside_stores: dict[str, float]
    outside_goods: dict[str, float]  # belongs neither to a category nor to a SKU


def profit(tables: YearTables, flow: GoodsFlow, goods: Mapping[int, float], world: World | None) -> Profit:
    """`goods` are those of `goods_by_shipment`; `world` has the titles of the products."""
    last = tables.days[-1]
    shared = {STORAGE: last.storage_to_date, IDLE: last.idle_to_date, FEES: last.fees_to_date}
    costs = unit_costs(tables)
    paid = {
        NEVER_DELIVERED: -sum(costs[order.order] * order.short_units for order in tables.orders if order.sku),
        NEVER_SOLD: -sum(_unsold(tables, flow, lambda row: row.sku).values()),
        PAID_AT_END: last.salvage_to_date - sum(row.salvage for row in tables.stores),
        NOT_SHIPPED: last.operating_to_date + sum(row.operating for row in tables.stores),
    }
    ended = {PAID_AT_END: last.salvage_to_date - sum(row.proceeds for row in tables.liquidations)}
    titles = {product.sku: product.title for product in world.products} if world else {}
    return Profit(
        stores=sorted(_stores(tables, flow, goods), key=lambda line: -line.result),
        categories=sorted(_goods(tables, flow, lambda row: row.category), key=lambda line: -line.result),
        skus=sorted(_goods(tables, flow, lambda row: row.sku, titles), key=lambda line: -line.result),
        outside_stores=paid | shared,
        outside_goods={SETUP: last.setup_to_date, OPERATING: last.operating_to_date} | shared | ended,
    )


def goods_by_shipment(tables: YearTables, flow: GoodsFlow) -> dict[int, float]:
    """What was paid for the units of each sale, less those that came back to the warehouse."""
    costs = unit_costs(tables)
    restocked = {back.shipment for back in tables.returns if back.restocked}
    found = {}
    for sale in tables.sales:
        back = flow.returned[sale.shipment] if sale.shipment in restocked else ()
        gone = value_of(flow.sold[sale.shipment], costs) - value_of(back, costs)
        found[sale.shipment] = 0.0 if sale.outcome == "cancelled" else gone
    return found


def revenue(sales: Iterable[SaleRow]) -> float:
    return sum(row.net for row in sales if row.outcome == "shipped")


def grouped(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _stores(tables: YearTables, flow: GoodsFlow, goods: Mapping[int, float]) -> Iterator[StoreLine]:
    costs = unit_costs(tables)
    sales, returns = grouped(tables.sales, lambda row: row.store), grouped(tables.returns, lambda row: row.store)
    off = grouped(flow.sold_off, lambda gone: gone[0].store)
    for store, rows in grouped(tables.stores, lambda row: row.store).items():
        sold = sales.get(store, [])
        shelf = sum(value_of(parts, costs) for _, parts in off.get(store, []))
        yield StoreLine(
            store=store,
            type=rows[0].type,
            name=rows[0].name,
            opened=rows[0].day,
            closed=next((row.day for row in rows if row.row == "closed"), None),
            days_open=sum(row.row == "morning" for row in rows),
            units=sum(row.units for row in sold),
            revenue=revenue(sold),
            refunds=sum(row.from_escrow for row in returns.get(store, [])),
            freight=sum(row.freight for row in sold),
            goods=sum(goods[row.shipment] for row in sold) + shelf,
            setup=sum(row.setup for row in rows),
            operating=sum(row.operating for row in rows),
            salvage=sum(row.salvage for row in rows),
            lost_units=sum(row.lost_units for row in sold),
            orders_lost=sum(row.outcome in LOST for row in sold),
        )


def _goods(
    tables: YearTables, flow: GoodsFlow, key: GoodsKey, titles: dict[str, str] | None = None
) -> Iterator[GoodsLine]:
    """By category, or with titles by SKU."""
    orders = grouped([order for order in tables.orders if order.sku], key)
    sales, returns, off = grouped(tables.sales, key), grouped(tables.returns, key), grouped(tables.liquidations, key)
    unsold = _unsold(tables, flow, key)
    for name, bought in orders.items():
        sold = sales.get(name, [])
        yield GoodsLine(
            category=bought[0].category,
            sku="" if titles is None else name,
            title="" if titles is None else titles.get(name, ""),
            goods=sum(row.charged for row in bought),
            unsold=unsold.get(name, 0.0),
            units_bought=sum(row.quantity for row in bought),
            units_sold=sum(row.units for row in sold),
            revenue=revenue(sold),
            refunds=sum(row.from_escrow for row in returns.get(name, [])),
            freight=sum(row.freight for row in sold),
            salvage=sum(row.proceeds for row in off.get(name, [])),
            lost_units=sum(row.lost_units for row in sold),
        )


def _unsold(tables: YearTables, flow: GoodsFlow, key: GoodsKey) -> dict[str, float]:
    """What was paid for units that were held, or still on their way, when the year was over."""
    costs, last = unit_costs(tables), tables.days[-1].day
    held: dict[int, int] = {}
    for lot in (lot for lots in flow.held.values() for lot in lots):
        held[lot.order] = held.get(lot.order, 0) + lot.units
    found: dict[str, float] = {}
    for order in tables.orders:
        on_its_way = order.day_received is None or order.day_received > last
        units = order.delivered if on_its_way else held.get(order.order, 0)
        if order.sku and units:
            found[key(order)] = found.get(key(order), 0.0) + costs[order.order] * units
    return found
