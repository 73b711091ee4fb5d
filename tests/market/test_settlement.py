"""A morning, step by step, on a marketplace small enough to follow by hand."""

from datetime import date, timedelta
from random import Random

import pytest
from tests.market.days import last_demand, next_day

from ecbench.market.books import DaySales, PendingReturn, Store
from ecbench.market.economy import Economy
from ecbench.market.journal import EventBegan, GoodsDelivered, IdleCharged, OrdersCancelled, PromotionAnnounced
from ecbench.market.ledger import hold_in_escrow
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.purchasing import buy
from ecbench.market.sales import ship, sold_goods, take_pending
from ecbench.market.settlement import SETTLEMENT, finalize
from ecbench.market.stock import delist_units, list_units, receive, reprice, stock_of
from ecbench.market.storefronts import day_lines
from ecbench.rules import Rules
from ecbench.world.model import World


def open_garden(account: Account, units: int = 0, price: float = 100.0) -> Store:
    store = Store("store_001", account.world.store_types[0], "Garden", account.market.date, 0.5)
    account.books.stores[store.id] = store
    account.books.trading.append(store)
    if units:
        stock = stock_of(account, account.world.products[0])
        receive(account.books, stock, "North Pots", units, 40.0, defective=False, today=account.market.date.toordinal())
        list_units(store, stock, units, price)
    return store


def first_sale(account: Account) -> DaySales:
    while not account.books.pending:
        next_day(account)
    return account.books.pending[0]


def test_the_morning_has_thirteen_steps_and_costs_come_first() -> None:
    names = [step.__name__ for step in SETTLEMENT]
    assert len(names) == 13
    assert names.index("charge_storage") < names.index("sell_yesterday") < names.index("release_escrow")
    assert names.index("take_back_returns") < names.index("release_escrow")


def test_an_account_without_a_store_pays_from_the_eighth_day_on(account: Account) -> None:
    for _ in range(7):
        next_day(account)
    assert account.books.purse.bank == 100_000
    next_day(account)
    assert account.books.purse.bank == 99_000
    assert account.news[-1].items == [IdleCharged(1_000)]


def test_a_sold_out_sku_keeps_its_place_in_the_queue_and_a_delisted_one_goes_to_its_end(account: Account) -> None:
    store = open_garden(account)
    stocks = [stock_of(account, product) for product in account.world.products[:3]]
    for stock in stocks:
        receive(account.books, stock, "North Pots", 100, 10.0, defective=False, today=account.market.date.toordinal())
        list_units(store, stock, 1 if stock is stocks[0] else 50, 0.8 * stock.product.reference_price)
    first, second, third = (stock.product.sku for stock in stocks)
    while store.shelf[first].quantity:
        next_day(account)
    list_units(store, stocks[0], 50, 80.0)
    delist_units(store, stocks[1], store.shelf[second].quantity)
    list_units(store, stocks[1], 40, 40.0)
    next_day(account)
    while len(store.sold_yesterday.goods) < 3:
        next_day(account)
    assert [goods.product.sku for goods in store.sold_yesterday.goods] == [first, third, second]


def test_an_order_not_shipped_within_two_days_is_cancelled_and_hurts_reputation(account: Account) -> None:
    store = open_garden(account, 30)
    sale = first_sale(account)
    while account.market.date <= sale.sold_on + timedelta(days=2):
        assert sale in account.books.pending
        next_day(account)
    assert sale not in account.books.pending
    [goods] = sale.goods
    units, stock = goods.quantity, account.books.stock[goods.product.sku]
    assert stock.free == stock.cancelled == units
    assert (stock.lots[-1].day, stock.lots[-1].quantity) == (account.market.date.toordinal(), units)
    assert store.recent_cancelled == pytest.approx(units * 0.85)
    assert OrdersCancelled(1, 0.0) in account.news[-1].items


def test_a_return_is_refunded_restocked_and_counted_unit_by_unit(account: Account) -> None:
    store = open_garden(account, 30)
    today, books = account.market.date.toordinal(), account.books
    stock = books.stock[account.world.products[0].sku]
    goods = sold_goods(account.economy)[stock.goods.priced[60.0, 0.0]][5]
    stock.sold = 5
    reprice(store.shelf[stock.product.sku], 1e9)  # nobody buys any more
    hold_in_escrow(books.purse, [goods.net], today + 9)
    books.returns = {today + 1: [PendingReturn(7, store.id, goods, 2, 1.25, today + 9, 0)]}
    next_day(account)
    assert books.returns == {}
    assert (stock.returned, stock.restocked, stock.free) == (2, 2, 2)
    assert (stock.lots[-1].day, stock.lots[-1].quantity) == (today + 1, 2)
    assert (books.refund_loss, books.freight_loss) == (120.0, 1.25)
    assert books.purse.escrow == pytest.approx(5 * 60.0 * 0.98 - 120.0)
    assert store.recent_returned == pytest.approx(2 * 0.85)
    line = day_lines(store)[stock.product.sku]
    assert (line.sold, line.returned, line.refunds) == (0, 2, 120.0)


def test_the_public_of_a_morning_is_that_of_the_date_before(account: Account) -> None:
    """On the morning of Saturday the tenth, the first day of the frost, the sales are those of a mild Friday."""
    store = open_garden(account, 400)
    account.market.date = date(2026, 1, 9)
    next_day(account)
    assert last_demand(account, store).claims == pytest.approx([3.0 * 60 / 63])


def test_an_event_is_news_on_its_first_day_only_and_a_promotion_is_announced_once(account: Account) -> None:
    while account.market.date < date(2026, 3, 10):
        next_day(account)
    news = [(day.date, item) for day in account.news for item in day.items]
    assert [(day, item.event.name) for day, item in news if isinstance(item, EventBegan)] == [
        (date(2026, 1, 10), "Frost")
    ]
    announced = [(day, item.promotion.name) for day, item in news if isinstance(item, PromotionAnnounced)]
    assert announced == [(date(2026, 2, 25), "Spring Days")]


def test_what_arrives_at_opening_time_is_received_the_next_morning(world: World) -> None:
    class Zeros(Random):
        def getrandbits(self, k: int, /) -> int:
            return 0

    account = open_marketplace(Economy(world, Rules(lead_days=(0, 3))), days=365, stake=1e6).accounts[0]
    account.rng = Zeros()
    order = buy(account, supplier="N", product=world.products[0], quantity=10, unit_price=1.0)
    assert order.arrives == order.placed
    next_day(account)
    assert account.books.in_transit == {}
    assert account.books.stock[world.products[0].sku].free == 10
    assert account.news[-1].items[-1] == GoodsDelivered((order,))


def test_a_copy_receives_only_what_was_ordered_for_it(account: Account, world: World) -> None:
    buy(account, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    twin = account.market.copy().accounts[0]
    for _ in range(9):  # some of them for the morning of the first
        buy(twin, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    for either in (account, twin):
        while either.books.in_transit:
            next_day(either)
    assert [either.books.stock[world.products[0].sku].delivered for either in (account, twin)] == [1, 10]


def test_ten_mornings_below_zero_end_in_bankruptcy_and_one_above_resets_the_count(account: Account) -> None:
    open_garden(account)
    account.books.purse.bank = -1.0
    for _ in range(9):
        next_day(account)
    account.books.purse.bank = 100.0
    next_day(account)
    assert account.books.unpaid_days == 0
    account.books.purse.bank = -1.0
    for _ in range(10):
        assert not account.done
        next_day(account)
    assert account.ending == "bankruptcy"


def test_a_bank_of_nothing_is_not_unpaid(account: Account) -> None:
    open_garden(account)
    account.books.purse.bank = 60.0
    next_day(account)
    assert (account.books.purse.bank, account.books.unpaid_days) == (0.0, 0)
    next_day(account)
    assert (account.books.purse.bank, account.books.unpaid_days) == (-60.0, 1)


def test_the_year_ends_on_its_last_morning_and_pays_out_escrow(market: Economy) -> None:
    account = open_marketplace(market, days=12, stake=100_000.0).accounts[0]
    open_garden(account, 200)
    for _ in range(12):
        if account.books.pending:
            ship(account, take_pending(account.books), "standard")
        next_day(account)
    assert (account.ending, account.market.day, account.market.date) == ("year_end", 12, date(2026, 1, 13))
    purse = account.books.purse
    assert purse.escrow == 0.0
    assert purse.total == pytest.approx(purse.stake + sum(purse.totals.values()))
    assert (account.books.pending, account.books.returns) == ([], {})
    frozen = account.now
    next_day(account)
    assert account.now == frozen


def test_finalizing_loses_unshipped_orders_and_happens_once(account: Account) -> None:
    open_garden(account, 30)
    first_sale(account)
    total = account.books.purse.total
    finalize(account, "stopped")
    finalize(account, "idle")
    assert (account.ending, account.books.pending) == ("stopped", [])
    assert account.books.purse.total == total
    assert account.books.orders_cancelled == 0


def test_finalizing_refunds_what_will_come_back_and_counts_it_without_restocking(account: Account) -> None:
    open_garden(account, 400, price=60.0)
    while not account.books.returns:
        next_day(account)
        ship(account, take_pending(account.books), "slow")
    units = sum(coming.quantity for arriving in account.books.returns.values() for coming in arriving)
    stock, purse = account.books.stock[account.world.products[0].sku], account.books.purse
    total, held = purse.total, stock.physical
    finalize(account, "stopped")
    assert purse.total == pytest.approx(total - 60.0 * units)
    assert (purse.escrow, stock.physical, stock.returned) == (0.0, held, units)
    assert account.books.refund_loss == pytest.approx(60.0 * units)
