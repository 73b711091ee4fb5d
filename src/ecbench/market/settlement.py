"""The morning, 08:00. Thirteen steps in an order that nothing can reconfigure (app:econ_tick)."""

from collections.abc import Callable
from itertools import chain

from ecbench.market.calendar import ONE_DAY
from ecbench.market.crossed_out import settle_conduct
from ecbench.market.day_demand import drop_finished_enrolment, remember_prices
from ecbench.market.filed import DayRecord
from ecbench.market.journal import EventBegan, GoodsDelivered, IdleCharged, OrdersCancelled, PromotionAnnounced
from ecbench.market.ledger import IDLE, OPERATING, SALVAGE, credit, pay, pay_each, release_all, release_batches
from ecbench.market.marketplace import Account, Marketplace, iso
from ecbench.market.returns import take_back
from ecbench.market.sales import sell, sold_goods
from ecbench.market.sharing import day_demand
from ecbench.market.stock import charge_storage, put_away, receive, stock_of
from ecbench.market.storefronts import operating_cost, rebuild_reputation

ENDED_BY_MARKET = ("year_end", "bankruptcy")  # on a morning: by the calendar, or after too many unpaid ones


def end_day(account: Account) -> None:
    """Move an account's clock to the end of the day."""
    if account.ending is None and account.minute < account.economy.closing_minute:
        account.minute = account.economy.closing_minute


def begin_tomorrow(market: Marketplace) -> bool:
    """Settle the next morning if every account in business has reached its evening; return whether it did."""
    trading, closing = market.in_business, market.economy.closing_minute
    for account in trading:
        if account.minute < closing:
            return False
    if not trading:
        return False
    market.date += ONE_DAY
    market.today = iso(market.date)
    market.day += 1
    for account in trading:
        account.minute = market.economy.opening_minute
    settle(market)
    return True


def settle(market: Marketplace) -> None:
    """Settle one morning for every account that is still in business."""
    accounts = market.in_business
    compute_demand(market, accounts)
    for account in accounts:
        if account.journal is not None and account.journal.on_demand is not None:
            account.journal.on_demand(account)
        if account.conduct is not None:
            settle_conduct(account, account.conduct)
    for account in accounts:
        for step in SETTLEMENT:
            step(account)


def compute_demand(market: Marketplace, accounts: list[Account]) -> None:
    """The demand of the date before for every shelf, with the promotions of that date (eq:demand)."""
    today, yesterday, economy = market.date, market.date - ONE_DAY, market.economy
    memory = economy.rules.promotion_memory_days
    for account in accounts:
        for store in account.books.trading:
            if store.enrolment is not None:
                drop_finished_enrolment(store, today, yesterday)
            if memory:
                remember_prices(store, yesterday, memory)
    market.demand = day_demand({account.seat: account.books.trading for account in accounts}, yesterday, economy)


def charge_operations(account: Account) -> None:
    """Every open store by its tier, and a fee for each of its listings that had units overnight (app:econ_costs)."""
    rules, trading = account.rules, account.books.trading
    for store in trading:
        store.operating = operating_cost(store, store.listings if rules.listing_fee else 0, rules)
    pay_each(account.books.purse, OPERATING, [store.operating for store in trading])


def charge_idle_slot(account: Account) -> None:
    """A merchant account without a store costs money once the grace period is over (app:econ_costs)."""
    rules = account.rules
    if account.market.day > rules.idle_grace_days and not account.books.trading:
        pay(account.books.purse, IDLE, rules.idle_charge)
        account.post(IdleCharged(rules.idle_charge))


def sell_yesterday(account: Account) -> None:
    yesterday, shelves = account.market.date - ONE_DAY, account.market.demand.shelves[account.seat]
    known = sold_goods(account.economy)
    for store in account.books.trading:
        sell(account.books, store, shelves[store.id], yesterday, known)


def cancel_overdue(account: Account) -> None:
    """The units go back on a fresh storage clock, the revenue is never booked, and the store's standing suffers."""
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
            account.journal.sales_cancelled(account.market.day, sales)
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
    account.post(GoodsDelivered(tuple(arrived), numbered=account.conduct is not None))


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
    if account.journal is not None:
        account.journal.morning_settled(market.day, books.trading, market.demand.shelves[account.seat])
    if account.conduct is not None:
        account.conduct.watch_bank(market.day, bank)


def check_end(account: Account) -> None:
    """On the last morning the year has run its course, even for a merchant who would be bankrupt by it."""
    if account.market.day >= account.market.days:
        finalize(account, "year_end")
    elif account.books.unpaid_days >= account.rules.unpaid_limit:
        finalize(account, "bankruptcy")


def finalize(account: Account, ending: str) -> None:
    """End an account, once: drop unshipped orders, refund pending returns, pay for unsold goods, pay out escrow."""
    if account.done:
        return
    books = account.books
    if account.conduct is not None:
        account.conduct.settle_promises(account.market.day, books.orders, account.closed_suppliers, over=True)
    books.pending.clear()
    for coming in books.returns.values():
        take_back(account, coming, restock=False)
    books.returns.clear()
    if account.rules.closing_stock_share:
        _pay_closing_stock(account)
    release_all(books.purse)
    account.ending = ending


def _pay_closing_stock(account: Account) -> None:
    """Pay a share of the category's floor for every unit in the warehouse, on a shelf or on its way."""
    books, world = account.books, account.world
    held = [(stock.product, stock.physical) for stock in books.stock.values()]
    coming = [(order.product, order.delivered) for order in chain.from_iterable(books.in_transit.values())]
    for product, units in held + coming:
        assert product is not None  # a fee is never in transit
        floor = world.category_by_name[product.category].floor_ratio * product.reference_price
        books.closing_stock += account.rules.closing_stock_share * floor * units
    credit(books.purse, SALVAGE, books.closing_stock)


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
