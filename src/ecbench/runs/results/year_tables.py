"""The tables of an episode: their rows, whose fields are the columns, and how an episode fills them.

docs/metrics.md explains every column.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Literal, NamedTuple, get_args, get_type_hints

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.market.journal import Journal
from ecbench.market.purchasing import received_on
from ecbench.metrics.daily import Kind, daily_rows
from ecbench.suppliers.records import ClosedBy, Outcome, Session
from ecbench.world.supplier_kinds import Scam, Template

SaleOutcome = Literal["shipped", "cancelled", "voided", "waiting"]
StoreMoment = Literal["opened", "morning", "closed"]


class DayRow(NamedTuple):
    row: Kind
    day: int
    date: date
    bank: float
    wallet: float
    escrow: float
    total: float
    open_stores: int
    units: int
    storage: float
    orders_sold: int
    orders_cancelled: int
    orders_voided: int
    setup_to_date: float
    operating_to_date: float
    idle_to_date: float
    storage_to_date: float
    freight_to_date: float
    procurement_to_date: float
    fees_to_date: float
    revenue_to_date: float
    refunds_to_date: float
    salvage_to_date: float


class SaleRow(NamedTuple):
    shipment: int
    day: int
    store: str
    sku: str
    category: str
    units: int
    price: float
    reference_price: float
    gross: float
    commission: float
    net: float
    lost_units: int
    outcome: SaleOutcome
    outcome_day: int | None
    speed: str
    freight: float


class ReturnRow(NamedTuple):
    day: int
    store: str
    sku: str
    category: str
    shipment: int
    units: int
    price: float
    refund: float
    from_escrow: float
    freight: float
    restocked: bool
    speed: str
    natural_rate: float
    blended_rate: float
    priced_rate: float
    capped_rate: float
    return_rate: float


class StoreRow(NamedTuple):
    row: StoreMoment
    day: int
    store: str
    type: str
    name: str
    reputation: float
    listings: int
    units: int
    capacity_used: float
    promotion: str
    discount: float
    setup: float
    operating: float
    salvage: float


class LiquidationRow(NamedTuple):
    day: int
    store: str
    sku: str
    category: str
    units: int
    proceeds: float


class SessionRow(NamedTuple):
    session: int
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int
    outcome: Outcome
    final_price: float | None
    closed_by: ClosedBy
    day_opened: int
    day_concluded: int
    critical_violations: tuple[str, ...]
    secondary_violations: tuple[str, ...]


class OpenSessionRow(NamedTuple):
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int
    standing: float
    day_opened: int


class OrderRow(NamedTuple):
    order: int
    session: int | None
    day: int
    placed: datetime
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    quantity: int
    unit_price: float
    floor: float | None
    charged: float
    delivered: int
    short_units: int
    defective_units: int
    arrives: datetime
    day_received: int | None


class CallRow(NamedTuple):
    call: int
    turn: int
    day: int
    time: str
    tool: str
    minutes: int
    mornings: int
    ok: bool
    error: str


@dataclass(frozen=True, slots=True)
class YearTables:
    """A year as tables: a field for each, named like its file."""

    days: Sequence[DayRow]
    sales: Sequence[SaleRow]
    returns: Sequence[ReturnRow]
    stores: Sequence[StoreRow]
    liquidations: Sequence[LiquidationRow]
    sessions: Sequence[SessionRow]
    open_sessions: Sequence[OpenSessionRow]
    orders: Sequence[OrderRow]
    calls: Sequence[CallRow]


ROW_TYPES: Mapping[str, type] = {
    table.name: get_args(get_type_hints(YearTables)[table.name])[0] for table in fields(YearTables)
}
"""By the name of a table: the type of its rows."""


LONGEST_NAME = 60  # characters of a store's name, which may be anything


def year_tables(year: Episode, calls: list[CallRow]) -> YearTables:
    """Of a year whose account has kept a journal from the beginning."""
    account, journal = year.account, year.account.journal
    assert journal is not None, "a year without a journal has forgotten what it sold"
    sessions = year.desk.sessions
    return YearTables(
        days=list(_days(year)),
        sales=list(_sales(journal, over=account.done)),
        returns=list(_returns(journal)),
        stores=list(_stores(year, journal)),
        liquidations=[
            LiquidationRow(day, store, product.sku, product.category, quantity, proceeds)
            for day, store, product, quantity, proceeds in journal.sold_off
        ],
        sessions=[
            SessionRow(number, session.supplier, session.sku, _category(year, session.sku), *session[2:])
            for number, session in enumerate(sessions, start=1)
        ],
        open_sessions=[
            OpenSessionRow(session.supplier, session.sku, _category(year, session.sku), *session[2:])
            for session in year.desk.open_sessions
        ],
        orders=[_order(order, year, sessions) for order in account.books.orders],
        calls=calls,
    )


def _category(year: Episode, sku: str) -> str:
    return year.world.product_by_sku[sku].category


def _days(year: Episode) -> Iterator[DayRow]:
    for kind, books, sold, cancelled, voided in daily_rows(year.account):
        yield DayRow(kind, *books[:9], sold, cancelled, voided, *books.flows)


def _sales(journal: Journal, *, over: bool) -> Iterator[SaleRow]:
    """The longest tables are this and the returns: their cells are given in order, which is quicker than by name."""
    unsent: SaleOutcome = "voided" if over else "waiting"
    for number, day, store, goods, lost in journal.sales:
        product, gross, net = goods.product, goods.gross, goods.net
        outcome, outcome_day, speed, freight = unsent, journal.cancelled.get(number), "", 0.0
        sending = journal.sent.get(number)
        if sending is not None:
            outcome, outcome_day, speed, freight = "shipped", sending.day, sending.parcel.speed, sending.parcel.freight
        elif outcome_day is not None:
            outcome = "cancelled"
        yield SaleRow(
            number,
            day,
            store,
            product.sku,
            product.category,
            goods.quantity,
            goods.unit_price,
            product.reference_price,
            gross,
            gross - net,  # commission
            net,
            lost,
            outcome,
            outcome_day,
            speed,
            freight,
        )


def _returns(journal: Journal) -> Iterator[ReturnRow]:
    for day, back, refunded, restocked in journal.returns:
        goods, parcel = back.goods, journal.sent[back.number].parcel
        yield ReturnRow(
            day,
            back.store,
            goods.product.sku,
            goods.product.category,
            back.number,
            back.quantity,
            goods.unit_price,
            goods.unit_price * back.quantity,  # refund
            refunded,
            back.freight,
            restocked,
            parcel.speed,
            *goods.rates,
            parcel.return_rate,
        )


def _stores(year: Episode, journal: Journal) -> Iterator[StoreRow]:
    stores = year.account.books.stores
    for entry in journal.stores:
        store = stores[entry.store]
        yield StoreRow(
            row=entry.moment,
            day=entry.day,
            store=store.id,
            type=store.type.id,
            name=store.name[:LONGEST_NAME],
            reputation=entry.reputation,
            listings=entry.listings,
            units=entry.units,
            capacity_used=1.0 - entry.store_saturation,  # eq:app_saturation, solved for demand served over capacity
            promotion=entry.promotion,
            discount=entry.discount,
            setup=entry.setup,
            operating=entry.operating,
            salvage=entry.salvage,
        )


def _order(order: PurchaseOrder, year: Episode, sessions: list[Session]) -> OrderRow:
    """A membership fee is an order without a product, and of no session."""
    supplier, market, product = year.world.supplier_by_name[order.supplier], year.account.market, order.product
    session = year.desk.book.ordered.get(order.number)
    return OrderRow(
        order=order.number,
        session=session,
        day=order.day,
        placed=market.moment(order.placed),
        supplier=supplier.name,
        sku=product.sku if product else "",
        category=product.category if product else "",
        honest=supplier.honest,
        template=supplier.template,
        scam=supplier.scam,
        quantity=order.quantity,
        unit_price=order.unit_price,
        floor=sessions[session - 1].floor if session else None,
        charged=order.charged,
        delivered=order.delivered,
        short_units=order.quantity - order.delivered if product else 0,
        defective_units=order.delivered if order.defective else 0,
        arrives=market.moment(order.arrives),
        day_received=received_on(order, year.account.economy.opening_minute) if product else None,
    )
