"""The morning, 08:00. Thirteen steps in an order that nothing can reconfigure (app:econ_tick).

Costs come before revenue, so solvency is tested at the day's low point; sales are those of the date before, against
the stock and prices the merchant left standing overnight.
"""

from collections.abc import Callable

from ecbench.market.books import DayRecord
from ecbench.market.calendar import ONE_DAY
from ecbench.market.closing import finalize
from ecbench.market.demand import NO_OFFER, drop_finished_enrolment, offer_on
from ecbench.market.ledger import IDLE, OPERATING, STORAGE, pay, pay_each, release_batches
from ecbench.market.reputation import rebuild_reputation
from ecbench.market.returns import take_back
from ecbench.market.selling import sell
from ecbench.market.stock import put_away, receive, stock_of, storage_charge
from ecbench.market.year import Year


def charge_operations(year: Year) -> None:
    costs = year.rules.operating_cost
    pay_each(year.books.purse, OPERATING, [costs[store.type.tier] for store in year.books.trading])


def charge_idle_slot(year: Year) -> None:
    """A merchant account without a store costs money once the grace period is over."""
    rules = year.rules
    if year.day > rules.idle_grace_days and not year.books.trading:
        pay(year.books.purse, IDLE, rules.idle_charge)
        year.post(
            "penalty",
            f"No store is open: an idle charge of ¥{rules.idle_charge:,.0f} was taken from the bank.",
        )


def charge_storage(year: Year) -> None:
    year.books.storage_today = charge = storage_charge(year)
    if charge:
        pay(year.books.purse, STORAGE, charge)


def sell_yesterday(year: Year) -> None:
    today, yesterday = year.date, year.date - ONE_DAY
    for store in year.books.trading:
        store.came_back, store.sent = [], []
        offer = NO_OFFER
        if store.enrolment is not None:
            drop_finished_enrolment(store, today, yesterday)
            offer = offer_on(store, yesterday, year.market)
        sell(year.books, store, yesterday, offer, year.market)


def cancel_overdue(year: Year) -> None:
    """The units go back on a fresh storage clock, the revenue is never booked, and the store's standing suffers."""
    books, first_in_time, cancelled = year.books, year.date - year.market.time_to_ship, 0
    while books.pending and books.pending[0].sold_on < first_in_time:
        sales = books.pending.pop(0)
        for goods in sales.goods.values():
            stock = books.stock[goods.product.sku]
            put_away(books, stock, goods.quantity, year.date.toordinal())
            stock.cancelled += goods.quantity
            books.stores[sales.store].recent_cancelled += goods.quantity
        cancelled += len(sales.goods)
    if cancelled:
        books.orders_cancelled += cancelled
        orders = "1 order was" if cancelled == 1 else f"{cancelled} orders were"
        year.post("fulfilment", f"{orders} not shipped in time and cancelled; the units are back in the warehouse.")


def take_back_returns(year: Year) -> None:
    coming = year.books.returns.pop(year.date.toordinal(), None)
    if coming is not None:
        take_back(year, coming, restock=True)


def release_escrow(year: Year) -> None:
    release_batches(year.books.purse, year.date.toordinal())


def receive_deliveries(year: Year) -> None:
    books = year.books
    arrived = books.in_transit.pop(year.day, None)
    if arrived is None:
        return
    today, lines = year.date.toordinal(), []
    for order in arrived:
        product, units = order.product, order.delivered
        assert product is not None  # a fee is never in transit
        stock = stock_of(year, product)
        receive(books, stock, order.supplier, units, order.unit_price, defective=order.defective, today=today)
        lines.append(f"{units} x {product.title[:60]} from {order.supplier}")
    year.post("delivery", "Delivered to your warehouse: " + "; ".join(lines))


def post_news(year: Year) -> None:
    """An event is news on its first day; a promotion is announced once, by name, up to a week ahead."""
    calendar, announced = year.market.calendar, year.books.announced
    for event in calendar.starting_on(year.date):
        year.post("event", event.news)
    for promotion in calendar.opening_on(year.date, year.rules.announce_days):
        if promotion.name not in announced:
            announced.add(promotion.name)
            year.post("promotion", f"The {promotion.name} is open to merchants: join with join_promotion.")


def update_reputation(year: Year) -> None:
    rebuild_reputation(year.books.trading, year.rules)


def count_unpaid(year: Year) -> None:
    """Mornings in a row that leave the bank below zero; money in the wallet or in escrow does not help."""
    books = year.books
    books.unpaid_days = books.unpaid_days + 1 if books.purse.bank < 0 else 0


def record_day(year: Year) -> None:
    books, purse = year.books, year.books.purse
    escrow = purse.escrow
    books.days.append(
        DayRecord(
            day=year.day,
            date=year.date,
            bank=purse.bank,
            wallet=purse.wallet,
            escrow=escrow,
            total=purse.bank + purse.wallet + escrow,
            open_stores=len(books.trading),
            units=books.units,
            storage=books.storage_today,
            flows=tuple(purse.totals.values()),
        )
    )


def check_end(year: Year) -> None:
    """On the last morning the year has run its course, even for a merchant who would be bankrupt by it."""
    if year.day >= year.days:
        finalize(year, "year_end")
    elif year.books.unpaid_days >= year.rules.unpaid_limit:
        finalize(year, "bankruptcy")


SETTLEMENT: tuple[Callable[[Year], None], ...] = (
    charge_operations,
    charge_idle_slot,
    charge_storage,
    sell_yesterday,
    cancel_overdue,
    take_back_returns,
    release_escrow,
    receive_deliveries,
    post_news,
    update_reputation,
    count_unpaid,
    record_day,
    check_end,
)


def settle(year: Year) -> None:
    year.day += 1
    for step in SETTLEMENT:
        step(year)
