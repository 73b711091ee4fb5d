"""The tables of a year that was played here."""

from collections.abc import Iterator

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.market.journal import Journal, Return, Sale
from ecbench.market.purchasing import received_on
from ecbench.metrics.daily import daily_rows
from ecbench.runs.tables.rows import (
    CallRow,
    DayRow,
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
        sales=[_sale(sale, journal, over=account.done) for sale in journal.sales],
        returns=[_return(back, journal) for back in journal.returns],
        stores=list(_stores(year, journal)),
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
        yield DayRow(
            kind,
            books.day,
            books.date,
            books.bank,
            books.wallet,
            books.escrow,
            books.total,
            books.open_stores,
            books.units,
            books.storage,
            sold,
            cancelled,
            voided,
            *books.flows,
        )


def _sale(sale: Sale, journal: Journal, *, over: bool) -> SaleRow:
    number, day, store, goods, lost = sale
    sending, cancelled = journal.sent.get(number), journal.cancelled.get(number)
    outcome: SaleOutcome
    if sending is not None:
        outcome, outcome_day = "shipped", sending.day
    elif cancelled is not None:
        outcome, outcome_day = "cancelled", cancelled
    else:
        outcome, outcome_day = "voided" if over else "waiting", None
    return SaleRow(
        shipment=number,
        day=day,
        store=store,
        sku=goods.product.sku,
        category=goods.product.category,
        units=goods.quantity,
        price=goods.unit_price,
        reference_price=goods.product.reference_price,
        gross=goods.gross,
        commission=goods.gross - goods.net,
        net=goods.net,
        lost_units=lost,
        outcome=outcome,
        outcome_day=outcome_day,
        speed=sending.parcel.speed if sending else "",
        freight=sending.parcel.freight if sending else 0.0,
    )


def _return(entry: Return, journal: Journal) -> ReturnRow:
    day, back, refunded, restocked = entry
    goods, parcel = back.goods, journal.sent[back.number].parcel
    return ReturnRow(
        day=day,
        store=back.store,
        sku=goods.product.sku,
        category=goods.product.category,
        shipment=back.number,
        units=back.quantity,
        price=goods.unit_price,
        refund=goods.unit_price * back.quantity,
        from_escrow=refunded,
        freight=back.freight,
        restocked=restocked,
        speed=parcel.speed,
        natural_rate=goods.rates.natural,
        blended_rate=goods.rates.blended,
        priced_rate=goods.rates.priced,
        capped_rate=goods.rates.capped,
        return_rate=parcel.return_rate,
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
            capacity_used=1.0 - entry.crowding,  # eq:app_saturation, solved for demand served over capacity
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
