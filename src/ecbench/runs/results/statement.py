"""Where the money of a year went: by channel, store, category and supplier, and what was lost on the way."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from math import isnan
from typing import Any, TypeVar

from ecbench.market.ledger import CHANNELS
from ecbench.metrics.negotiation import overpaid
from ecbench.runs.results.tables import CallRow, OpenSessionRow, OrderRow, SaleRow, SessionRow, YearTables
from ecbench.runs.results.tables.csv_files import known
from ecbench.tools.catalog import WAIT

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store. Goods are bought for the warehouse, so what they cost stands with the categories."""

    store: str
    type: str
    name: str
    days_open: int
    units: int
    revenue: float
    freight: float
    refunds: float
    setup: float
    operating: float
    salvage: float
    lost_units: int
    orders_lost: int  # cancelled or voided

    @property
    def result(self) -> float:
        return self.revenue + self.salvage - self.freight - self.refunds - self.setup - self.operating


@dataclass(frozen=True, slots=True)
class CategoryLine:
    category: str
    bought: float
    units_bought: int  # paid for
    units_sold: int
    revenue: float
    freight: float
    refunds: float
    lost_units: int

    @property
    def result(self) -> float:
        return self.revenue - self.freight - self.refunds - self.bought


@dataclass(frozen=True, slots=True)
class SupplierLine:
    supplier: str
    honest: bool
    template: str
    scam: str
    orders: int
    spend: float
    overpaid: float  # above the honest floor, for units that came or not
    units: int  # delivered
    short_units: int
    defective_units: int

    @property
    def kind(self) -> str:
        """The manner of an honest one, the scam of any other."""
        return self.template if self.honest else self.scam


@dataclass(frozen=True, slots=True)
class ScamLine:
    """Met: bargained with or paid."""

    scam: str
    suppliers_met: int
    suppliers_paid: int
    orders: int
    spend: float


@dataclass(frozen=True, slots=True)
class OrdersKept:
    orders_shipped: int
    orders_cancelled: int
    orders_voided: int
    revenue_lost: float  # net of what was cancelled or voided


@dataclass(frozen=True, slots=True)
class Statement:
    channels: dict[str, float]  # signed
    stores: Sequence[StoreLine]
    categories: Sequence[CategoryLine]
    suppliers: Sequence[SupplierLine]  # most spend first
    scams: Sequence[ScamLine]
    overpaid_honest: float
    overpaid_fraudulent: float
    fulfilment: OrdersKept
    rollovers: dict[str, int]  # mornings that came without a wait, by the tool that reached the evening

    def to_json(self) -> dict[str, Any]:
        return {each.name: _json(getattr(self, each.name)) for each in fields(self)}


def statement(tables: YearTables) -> Statement:
    suppliers = supplier_lines(tables)
    last = tables.days[-1]
    return Statement(
        channels={channel: getattr(last, f"{channel}_to_date") for channel in CHANNELS},
        stores=_stores(tables),
        categories=_categories(tables),
        suppliers=suppliers,
        scams=_scams(tables),
        overpaid_honest=sum(line.overpaid for line in suppliers if line.honest),
        overpaid_fraudulent=sum(line.overpaid for line in suppliers if not line.honest),
        fulfilment=_fulfilment(tables.sales),
        rollovers=dict(Counter(row.tool for row in rollovers(tables.calls)).most_common()),
    )


def rollovers(calls: Iterable[CallRow]) -> list[CallRow]:
    """Calls that reached the evening, so that the next morning came before they acted."""
    return [row for row in calls if row.mornings and row.tool != WAIT]


def _stores(tables: YearTables) -> list[StoreLine]:
    sales, returns = _grouped(tables.sales, lambda row: row.store), _grouped(tables.returns, lambda row: row.store)
    lines = []
    for store, rows in _grouped(tables.stores, lambda row: row.store).items():
        sold = sales.get(store, [])
        lines.append(
            StoreLine(
                store=store,
                type=rows[0].type,
                name=rows[0].name,
                days_open=sum(row.row == "morning" for row in rows),
                units=sum(row.units for row in sold),
                revenue=_revenue(sold),
                freight=sum(row.freight for row in sold),
                refunds=sum(row.from_escrow for row in returns.get(store, [])),
                setup=sum(row.setup for row in rows),
                operating=sum(row.operating for row in rows),
                salvage=sum(row.salvage for row in rows),
                lost_units=sum(row.lost_units for row in sold),
                orders_lost=sum(row.outcome in ("cancelled", "voided") for row in sold),
            )
        )
    return lines


def _categories(tables: YearTables) -> list[CategoryLine]:
    orders = _grouped([order for order in tables.orders if order.sku], lambda row: row.category)
    sales = _grouped(tables.sales, lambda row: row.category)
    returns = _grouped(tables.returns, lambda row: row.category)
    lines = [
        CategoryLine(
            category=category,
            bought=sum(row.charged for row in orders.get(category, [])),
            units_bought=sum(row.quantity for row in orders.get(category, [])),
            units_sold=sum(row.units for row in sales.get(category, [])),
            revenue=_revenue(sales.get(category, [])),
            freight=sum(row.freight for row in sales.get(category, [])),
            refunds=sum(row.from_escrow for row in returns.get(category, [])),
            lost_units=sum(row.lost_units for row in sales.get(category, [])),
        )
        for category in {**orders, **sales}
    ]
    return sorted(lines, key=lambda line: -line.result)


def supplier_lines(tables: YearTables) -> list[SupplierLine]:
    """Those that were paid, the most first."""
    lines = [
        SupplierLine(
            supplier=supplier,
            honest=rows[0].honest,
            template=rows[0].template,
            scam=rows[0].scam,
            orders=len(rows),
            spend=sum(row.charged for row in rows),
            overpaid=sum(overpaid(row.charged, row.quantity, row.floor) for row in rows),
            units=sum(row.delivered for row in rows),
            short_units=sum(row.short_units for row in rows),
            defective_units=sum(row.defective_units for row in rows),
        )
        for supplier, rows in _grouped(tables.orders, lambda row: row.supplier).items()
    ]
    return sorted(lines, key=lambda line: (-line.spend, line.supplier))


def _scams(tables: YearTables) -> list[ScamLine]:
    met: dict[str, set[str]] = {}
    rows: list[SessionRow | OpenSessionRow | OrderRow] = [*tables.sessions, *tables.open_sessions, *tables.orders]
    for row in rows:
        if row.scam:
            met.setdefault(row.scam, set()).add(row.supplier)
    lines = []
    for scam, suppliers in sorted(met.items()):
        orders = [order for order in tables.orders if order.scam == scam]
        paid = {order.supplier for order in orders}
        lines.append(ScamLine(scam, len(suppliers), len(paid), len(orders), sum(order.charged for order in orders)))
    return lines


def _fulfilment(sales: Sequence[SaleRow]) -> OrdersKept:
    count = Counter(row.outcome for row in sales)
    lost = sum(row.net for row in sales if row.outcome in ("cancelled", "voided"))
    return OrdersKept(count["shipped"], count["cancelled"], count["voided"], lost)


def _revenue(sales: Iterable[SaleRow]) -> float:
    return sum(row.net for row in sales if row.outcome == "shipped")


def _grouped(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _json(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_json(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        plain = {each.name: _json(getattr(value, each.name)) for each in fields(value)}
        return plain | ({"result": round(value.result, 2)} if hasattr(value, "result") else {})
    if isinstance(value, dict):
        return {name: _json(each) for name, each in value.items()}
    return round(value, 2) if isinstance(value, float) and not isnan(value) else known(value)
