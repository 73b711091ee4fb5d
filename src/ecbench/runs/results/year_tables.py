"""The tables of a year that was played here."""

from collections.abc import Iterator

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.market.journal import Journal
from ecbench.market.purchasing import received_on
from ecbench.metrics.daily import daily_rows
from ecbench.runs.results.rows import (
    CallRow,
    DayRow,
    LiquidationRow,
    OpenSessionRow,
    OrderRow,
    ReturnRow,
    SaleOutcome,
    SaleRow,
    SessionRow,
    StoreRow,
    YearTables,
)
from ecbench.suppliers.records import Session

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
