"""How an episode fills its tables."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.market.calendar import WEEK
from ecbench.market.journal import Journal
from ecbench.market.purchasing import received_on
from ecbench.metrics.losses.account import Loss, LossFacts, PlayLog
from ecbench.metrics.losses.failure_modes import Hit
from ecbench.metrics.losses.shelves import watch_of
from ecbench.metrics.solvency import daily_rows
from ecbench.runs.results.occasions import event_rows, occasions_of, promotion_rows
from ecbench.runs.results.table_rows import (
    CallRow,
    ConductRow,
    DayRow,
    LiquidationRow,
    OpenSessionRow,
    OrderRow,
    ProductRow,
    ReturnRow,
    SaleOutcome,
    SaleRow,
    SessionRow,
    StockAgeRow,
    StoreRow,
    YearTables,
)
from ecbench.suppliers.records import Session

LONGEST_NAME = 60  # characters of a store's name, which may be anything


def year_tables(
    year: Episode, calls: Sequence[CallRow] = (), losses: Sequence[Loss] = (), failures: Sequence[Hit] = ()
) -> YearTables:
    """The tables of a year whose shelves were watched from the beginning."""
    account, sessions, product_by_sku = year.account, year.desk.sessions, year.world.product_by_sku
    watch, journal = watch_of(account), account.journal
    assert journal is not None, "a watched account has a journal"
    orders = [_order(order, year, sessions) for order in account.books.orders]
    wanted = [each.sku for each in sessions] + [each.sku for each in year.desk.open_sessions]
    wanted += [row.sku for row in orders]
    tables = YearTables(
        days=list(_days(year)),
        sales=list(_sales(journal, LossFacts(account, PlayLog(), watch.evenings, watch.costs, account.done))),
        returns=list(_returns(journal)),
        stores=list(_stores(year, journal)),
        liquidations=[
            LiquidationRow(day, store, product.sku, product.category, quantity, proceeds, cost * quantity)
            for day, store, product, quantity, proceeds, cost in journal.sold_off
        ],
        sessions=[
            SessionRow(number, each.supplier, each.sku, product_by_sku[each.sku].category, *each[2:])
            for number, each in enumerate(sessions, start=1)
        ],
        open_sessions=[
            OpenSessionRow(each.supplier, each.sku, product_by_sku[each.sku].category, *each[2:])
            for each in year.desk.open_sessions
        ],
        orders=orders,
        calls=calls,
        losses=losses,
        failures=failures,
        conduct=[ConductRow(*entry) for entry in account.conduct.entries] if account.conduct else [],
        products=[ProductRow(sku, product_by_sku[sku].title) for sku in dict.fromkeys(wanted) if sku],
    )
    occasions = occasions_of(tables, account.economy)
    return replace(
        tables,
        promotions=promotion_rows(occasions),
        events=event_rows(occasions),
        stock_ages=list(stock_ages(tables)),
    )


def _days(year: Episode) -> Iterator[DayRow]:
    for kind, books, sold, cancelled, voided in daily_rows(year.account):
        yield DayRow(kind, *books[:9], sold, cancelled, voided, *books.flows)


def _sales(journal: Journal, year: LossFacts) -> Iterator[SaleRow]:
    """The longest tables are this and the returns: their cells are given in order, which is quicker than by name."""
    unsent: SaleOutcome = "voided" if year.over else "waiting"
    restocked = {entry.back.number: entry.back.quantity for entry in journal.returns if entry.restocked}
    for number, day, store, goods, lost in journal.sales:
        product, gross, net = goods.product, goods.gross, goods.net
        outcome, outcome_day, speed, freight = unsent, journal.cancelled.get(number), "", 0.0
        sending = journal.sent.get(number)
        if sending is not None:
            outcome, outcome_day, speed, freight = "shipped", sending.day, sending.parcel.speed, sending.parcel.freight
        elif outcome_day is not None:
            outcome = "cancelled"
        gone = 0 if outcome == "cancelled" else goods.quantity - restocked.get(number, 0)
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
            gone * year.cost_of(product.sku, day),
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


def stock_ages(tables: YearTables) -> Iterator[StockAgeRow]:
    """The warehouse gives its oldest units first, so those that it contains are those that came last."""
    last = tables.days[-1].day
    mornings = [day for day in range(last + 1) if day % WEEK == 0 or day == last]
    ages = {day: Counter[int]() for day in mornings}
    back = [(row.sku, row.day, row.units) for row in tables.returns if row.restocked]
    back += [(row.sku, row.outcome_day or 0, row.units) for row in tables.sales if row.outcome == "cancelled"]
    bought = [(row.sku, row.day_received, row.delivered) for row in tables.orders if row.day_received is not None]
    came = _running_totals([*bought, *back])
    sold = [(row.sku, row.day, row.units) for row in tables.sales]
    gone = _running_totals([*sold, *((row.sku, row.day, row.units) for row in tables.liquidations)])
    for sku, (days, totals) in came.items():
        gone_days, gone_totals = gone.get(sku, ([], [0]))
        for morning in mornings:
            index, left = bisect_right(days, morning), gone_totals[bisect_left(gone_days, morning)]
            while index and totals[index] > left:
                ages[morning][morning - days[index - 1]] += totals[index] - max(totals[index - 1], left)
                index -= 1
    return (StockAgeRow(day, age, units) for day in mornings for age, units in sorted(ages[day].items()))


def _running_totals(moves: Iterable[tuple[str, int, int]]) -> dict[str, tuple[list[int], list[int]]]:
    """By SKU: the days on which units moved, and how many had moved before the first and after each of them."""
    units: dict[str, Counter[int]] = {}
    for sku, day, count in moves:
        units.setdefault(sku, Counter())[day] += count
    found = {}
    for sku, by_day in units.items():
        days = sorted(by_day)
        found[sku] = days, list(accumulate((by_day[day] for day in days), initial=0))
    return found
