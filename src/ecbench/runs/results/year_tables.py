"""How an episode fills its tables, whose columns are declared in `tables.sql`: cells are given in their order."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from msgspec.structs import astuple

from ecbench.episode import Episode
from ecbench.market.filed import PurchaseOrder
from ecbench.market.journal import Journal
from ecbench.market.purchasing import received_on
from ecbench.metrics.losses.account import Loss
from ecbench.metrics.losses.failure_modes import Hit
from ecbench.metrics.losses.shelves import ShelfWatch, watch_of
from ecbench.metrics.solvency import daily_rows
from ecbench.runs.results.database import YearTables
from ecbench.suppliers.records import Session
from ecbench.suppliers.sessions import Pair

LONGEST_NAME = 60  # characters of a store's name, which may be anything

Cells = tuple[Any, ...]


def year_tables(
    year: Episode, calls: Sequence[Cells] = (), losses: Sequence[Loss] = (), failures: Sequence[Hit] = ()
) -> YearTables:
    """The tables of a year whose shelves were watched from the beginning."""
    account, sessions, product_by_sku = year.account, year.desk.sessions, year.world.product_by_sku
    watch, journal = watch_of(account), account.journal
    assert journal is not None, "a watched account has a journal"
    wanted = [each.sku for each in sessions] + [pair.product.sku for pair in year.desk.open_pairs]
    wanted += [order.product.sku for order in account.books.orders if order.product]
    return YearTables(
        days=(
            (kind, *astuple(books)[:9], sold, cancelled, voided, *books.flows)
            for kind, books, sold, cancelled, voided in daily_rows(account)
        ),
        sales=_sales(journal, watch, "voided" if account.done else "waiting"),
        returns=_returns(journal),
        stores=_stores(year, journal),
        liquidations=(
            (day, store, product.sku, product.category, quantity, proceeds, cost * quantity)
            for day, store, product, quantity, proceeds, cost in journal.sold_off
        ),
        sessions=(
            (number, each.supplier, each.sku, product_by_sku[each.sku].category, *each[2:])
            for number, each in enumerate(sessions, start=1)
        ),
        open_sessions=map(_open_session, year.desk.open_pairs),
        orders=(_order(order, year, sessions) for order in account.books.orders),
        calls=calls,
        losses=losses,
        failures=failures,
        products=((sku, product_by_sku[sku].title) for sku in dict.fromkeys(wanted)),
        promotions=watch.promoted,
        events=_events(year),
        conduct=account.conduct.entries if account.conduct else (),
    )


def _sales(journal: Journal, watch: ShelfWatch, unsent: str) -> Iterator[Cells]:
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
        sold = (number, day, store, product.sku, product.category, goods.quantity, goods.unit_price)
        money = (product.reference_price, gross, gross - net, net)
        cost = gone * watch.cost_of(product.sku, day)
        yield (*sold, *money, lost, outcome, outcome_day, speed, freight, cost)


def _returns(journal: Journal) -> Iterator[Cells]:
    for day, back, from_escrow, restocked in journal.returns:
        goods, units, parcel = back.goods, back.quantity, journal.sent[back.number].parcel
        what = (day, back.store, goods.product.sku, goods.product.category, back.number, units, goods.unit_price)
        money = (goods.unit_price * units, from_escrow, back.freight)
        yield (*what, *money, restocked, parcel.speed, *goods.rates, parcel.return_rate)


def _stores(year: Episode, journal: Journal) -> Iterator[Cells]:
    stores = year.account.books.stores
    for entry in journal.stores:
        store = stores[entry.store]
        which = (entry.moment, entry.day, store.id, store.type.id, store.name[:LONGEST_NAME])
        used = 1.0 - entry.store_saturation  # eq:app_saturation, solved for demand served over capacity
        state = (entry.reputation, entry.listings, entry.units, used, entry.promotion, entry.discount)
        yield (*which, *state, entry.setup, entry.operating, entry.salvage)


def _events(year: Episode) -> Iterator[Cells]:
    """What each event that the year reached changed, by store type; none for one that only delayed deliveries."""
    lived, market = defaultdict[str, list[int]](list), year.account.market
    for day in range(market.day):
        for event in market.economy.calendar.events_on(year.world.start + timedelta(days=day)):
            lived[event.name].append(day)
    by_name = {event.name: event for event in year.world.events}
    for name, days in lived.items():
        changed: list[Cells] = [each for each in by_name[name].demand.items() if each[1] != 1.0]
        yield from ((name, days[0], days[-1], *each) for each in changed or [(None, None)])


def _open_session(pair: Pair) -> Cells:
    supplier, product, terms = pair.supplier, pair.product, pair.kernel.terms
    quotes, bids = pair.kernel.supplier_prices, pair.kernel.agent_prices
    return (
        *(supplier.name, product.sku, product.category, supplier.honest, supplier.template, supplier.scam),
        *(terms.reference_price, terms.floor, terms.opening_target, bids, quotes, len(bids) + len(quotes)),
        *(pair.standing, pair.day_opened),
    )


def _order(order: PurchaseOrder, year: Episode, sessions: Sequence[Session]) -> Cells:
    supplier, market, product = year.world.supplier_by_name[order.supplier], year.account.market, order.product
    session = year.desk.book.ordered.get(order.number)
    goods = (product.sku, product.category) if product else ("", "")
    known = (supplier.honest, supplier.template, supplier.scam)
    floor = sessions[session - 1].floor if session else None
    placed, arrives = market.moment(order.placed), market.moment(order.arrives)
    short = order.quantity - order.delivered if product else 0
    defective = order.delivered if order.defective else 0
    received = received_on(order, year.account.economy.opening_minute) if product else None
    bought = (order.quantity, order.unit_price, floor, order.charged, order.delivered, short, defective)
    return (order.number, session, order.day, placed, supplier.name, *goods, *known, *bought, arrives, received)
