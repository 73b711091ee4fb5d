"""The morning, 08:00. Thirteen steps in an order that nothing can reconfigure (app:econ_tick).

Costs come before revenue, so solvency is tested at the day's low point. Sales are those of the date before, at the
stock and prices left overnight. The steps run account by account; demand is computed for all accounts before any sells.
"""

from collections.abc import Callable

from ecbench.market.books import DayRecord, Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.daily_costs import charge_idle_slot, charge_operations
from ecbench.market.demand import NO_OFFER, offer_on
from ecbench.market.escrow import release_batches
from ecbench.market.evening_snapshots import record_evening
from ecbench.market.finalize import finalize
from ecbench.market.journal import record_morning
from ecbench.market.ledger import OPERATING, pay
from ecbench.market.marketplace import Account, Marketplace
from ecbench.market.news import EventBegan, GoodsDelivered, OrdersCancelled, PromotionAnnounced
from ecbench.market.promotions import drop_finished_enrolment, remember_prices
from ecbench.market.reputation import rebuild_reputation
from ecbench.market.returns import take_back
from ecbench.market.selling import meet_demand, sell, share_demand
from ecbench.market.stock import put_away, receive, stock_of
from ecbench.market.storage import charge_storage


def sell_yesterday(account: Account) -> None:
    yesterday = account.market.date - ONE_DAY
    for store in account.books.trading:
        store.came_back, store.sent = [], []
        sell(account.books, store, yesterday)


def cancel_overdue(account: Account) -> None:
    """The units go back on a fresh storage clock, the revenue is never booked, and the store's standing suffers.

    Where several merchants share a market each unit costs a fee: a sale takes customers from the others.
    """
    books, first_in_time, cancelled = account.books, account.market.date - account.economy.time_to_ship, 0
    fee = 0.0
    while books.pending and books.pending[0].sold_on < first_in_time:
        sales = books.pending.pop(0)
        for goods in sales.goods:
            stock = books.stock[goods.product.sku]
            put_away(books, stock, goods.quantity, account.market.date.toordinal())
            stock.cancelled += goods.quantity
            books.stores[sales.store].recent_cancelled += goods.quantity
            fee += goods.quantity * goods.product.reference_price
        cancelled += len(sales.goods)
        if account.journal is not None:
            numbers = range(sales.first, sales.first + len(sales.goods))
            account.journal.cancelled |= dict.fromkeys(numbers, account.market.day)
    if cancelled:
        books.orders_cancelled += cancelled
        fee = fee * account.rules.unshipped_fee if len(account.market.accounts) > 1 else 0.0
        if fee:
            pay(books.purse, OPERATING, fee)
        account.post(OrdersCancelled(cancelled, fee))


def take_back_returns(account: Account) -> None:
    coming = account.books.returns.pop(account.market.date.toordinal(), None)
    if coming is not None:
        take_back(account, coming, restock=True)


def release_escrow(account: Account) -> None:
    release_batches(account.books.purse, account.market.date.toordinal())


def receive_deliveries(account: Account) -> None:
    books = account.books
    arrived = books.in_transit.pop(account.market.day, None)
    if arrived is None:
        return
    today = account.market.date.toordinal()
    for order in arrived:
        product, units = order.product, order.delivered
        assert product is not None  # a fee is never in transit
        if not units:
            continue  # an order that was delivered short together with others
        stock = stock_of(account, product)
        receive(books, stock, order.supplier, units, order.unit_price, defective=order.defective, today=today)
    account.post(GoodsDelivered(tuple(arrived)))


def post_news(account: Account) -> None:
    """An event is news on its first day; a promotion is announced once, by name, up to a week ahead."""
    calendar, announced = account.economy.calendar, account.books.announced
    for event in calendar.starting_on(account.market.date):
        account.post(EventBegan(event))
    for promotion in calendar.opening_on(account.market.date, account.rules.announce_days):
        if promotion.name not in announced:
            announced.add(promotion.name)
            account.post(PromotionAnnounced(promotion))


def update_reputation(account: Account) -> None:
    rebuild_reputation(account.books.trading, account.rules)


def count_unpaid(account: Account) -> None:
    """Mornings in a row that leave the bank below zero; money in the wallet or in escrow does not help."""
    books = account.books
    books.unpaid_days = books.unpaid_days + 1 if books.purse.bank < 0 else 0


def record_day(account: Account) -> None:
    books, purse, market = account.books, account.books.purse, account.market
    bank, wallet, escrow = purse.bank, purse.wallet, purse.escrow
    books.days.append(
        DayRecord(
            market.day,
            market.date,
            bank,
            wallet,
            escrow,
            bank + wallet + escrow,
            len(books.trading),
            books.units,
            books.storage_today,
            tuple(purse.totals.values()),
            books.shipment_count,
            books.orders_cancelled,
        )
    )


def check_end(account: Account) -> None:
    """On the last morning the year has run its course, even for a merchant who would be bankrupt by it."""
    if account.market.day >= account.market.days:
        finalize(account, "year_end")
    elif account.books.unpaid_days >= account.rules.unpaid_limit:
        finalize(account, "bankruptcy")


SETTLEMENT: tuple[Callable[[Account], None], ...] = (
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


def settle(market: Marketplace) -> None:
    """Settle one morning for every account that is still in business."""
    accounts = market.in_business
    _compute_demand(market, accounts)
    for account in accounts:
        record_evening(account)
    for account in accounts:
        for step in SETTLEMENT:
            step(account)
        if account.journal is not None:
            record_morning(account.journal, account.books, market.day, market.date)


def _compute_demand(market: Marketplace, accounts: list[Account]) -> None:
    """Set the demand of the date before for every shelf."""
    today, yesterday = market.date, market.date - ONE_DAY
    memory = market.economy.rules.promotion_memory_days
    by_type: dict[str, dict[int, Store]] = {}
    market.charges = {}
    for account in accounts:
        for store in account.books.trading:
            if store.enrolment is None:
                store.offer = NO_OFFER
            else:
                store.offer = offer_on(*store.enrolment, yesterday, account.rules)
                drop_finished_enrolment(store, today, yesterday)
            if memory:
                remember_prices(store, yesterday, memory)
            if len(accounts) == 1:
                meet_demand(store, yesterday, market.economy)
            else:
                by_type.setdefault(store.type.id, {})[account.seat] = store
    for stores in by_type.values():
        market.charges |= share_demand(stores, yesterday, market.economy)
