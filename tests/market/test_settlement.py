"""A morning, step by step, on a marketplace small enough to follow by hand."""

from datetime import date, datetime, timedelta
from random import Random

import pytest

from ecbench.market.books import DaySales, Store
from ecbench.market.calendar import is_running, starts_within
from ecbench.market.clock import next_day, spend, start_year
from ecbench.market.closing import finalize
from ecbench.market.day_lines import day_lines
from ecbench.market.ledger import FEES, REFUNDS
from ecbench.market.purchasing import OrderRefused, buy, pay_membership_fee
from ecbench.market.settlement import SETTLEMENT
from ecbench.market.shipping import ship, take_pending
from ecbench.market.stock import delist_units, list_units, receive, stock_of
from ecbench.market.year import MINUTES, Market, Year
from ecbench.rules import Rules
from ecbench.world.model import World


def open_garden(year: Year, units: int = 0, price: float = 100.0) -> Store:
    store = Store("store_001", year.world.store_types[0], "Garden", year.date, 0.5)
    year.books.stores[store.id] = store
    year.books.trading.append(store)
    if units:
        stock = stock_of(year, year.world.products[0])
        receive(year.books, stock, "North Pots", units, 40.0, defective=False, today=year.date.toordinal())
        list_units(store, stock, units, price)
    return store


def first_sale(year: Year) -> DaySales:
    while not year.books.pending:
        next_day(year)
    return year.books.pending[0]


def test_the_morning_has_thirteen_steps_and_costs_come_first() -> None:
    names = [step.__name__ for step in SETTLEMENT]
    assert len(names) == 13
    assert names.index("charge_storage") < names.index("sell_yesterday") < names.index("release_escrow")
    assert names.index("take_back_returns") < names.index("release_escrow")


def test_operating_cost_follows_the_tier(year: Year) -> None:
    open_garden(year)
    next_day(year)
    assert year.books.purse.bank == 100_000 - 60


def test_an_account_without_a_store_pays_from_the_eighth_day_on(year: Year) -> None:
    for _ in range(7):
        next_day(year)
    assert year.books.purse.bank == 100_000
    next_day(year)
    assert year.books.purse.bank == 99_000
    assert [item.type for item in year.news[-1].items] == ["penalty"]


def test_the_clock_jumps_to_the_next_morning_at_six_in_the_evening(year: Year) -> None:
    for _ in range(10):
        spend(year, 59)
    assert year.now == datetime(2026, 1, 1, 17, 50)
    spend(year, 10)
    assert year.now == datetime(2026, 1, 2, 8, 0)
    assert year.day == 1


def test_yesterdays_sales_wait_for_shipping(year: Year) -> None:
    store = open_garden(year, 30)
    sale = first_sale(year)
    [goods] = sale.goods.values()
    assert sale.sold_on == year.date - timedelta(days=1)
    assert (goods.gross, goods.net) == pytest.approx((100.0 * goods.quantity, 98.0 * goods.quantity))
    assert store.shelf[goods.product.sku].quantity == 30 - goods.quantity
    assert year.books.stock[goods.product.sku].physical == 30 - goods.quantity
    assert day_lines(store)[goods.product.sku].sold == goods.quantity


def test_a_sold_out_sku_keeps_its_place_in_the_queue_and_a_delisted_one_goes_to_its_end(year: Year) -> None:
    store = open_garden(year)
    stocks = [stock_of(year, product) for product in year.world.products[:3]]
    for stock in stocks:
        receive(year.books, stock, "North Pots", 100, 10.0, defective=False, today=year.date.toordinal())
        list_units(store, stock, 1 if stock is stocks[0] else 50, 0.8 * stock.product.reference_price)
    first, second, third = (stock.product.sku for stock in stocks)
    while store.shelf[first].quantity:
        next_day(year)
    list_units(store, stocks[0], 50, 80.0)
    delist_units(store, stocks[1], store.shelf[second].quantity)
    list_units(store, stocks[1], 40, 40.0)
    next_day(year)
    while len(store.sold_yesterday) < 3:
        next_day(year)
    assert [goods.product.sku for goods in store.sold_yesterday.values()] == [first, third, second]


def test_an_order_not_shipped_within_two_days_is_cancelled_and_hurts_reputation(year: Year) -> None:
    store = open_garden(year, 30)
    sale = first_sale(year)
    while year.date <= sale.sold_on + timedelta(days=2):
        assert sale in year.books.pending
        next_day(year)
    assert sale not in year.books.pending
    [goods] = sale.goods.values()
    units, stock = goods.quantity, year.books.stock[goods.product.sku]
    assert stock.free == stock.cancelled == units
    assert (stock.lots[-1].day, stock.lots[-1].quantity) == (year.date.toordinal(), units)
    assert store.recent_cancelled == pytest.approx(units * 0.85)
    assert "fulfilment" in [item.type for item in year.news[-1].items]


def test_shipping_pays_freight_now_and_revenue_nine_days_later(year: Year) -> None:
    store = open_garden(year, 30)
    [goods] = first_sale(year).goods.values()
    purse, before = year.books.purse, year.books.purse.bank
    freight = ship(year, take_pending(year.books), "fast").freight
    assert freight == pytest.approx(0.5 * 2.0 * goods.quantity)
    assert day_lines(store)[goods.product.sku].freight == freight
    assert purse.bank == pytest.approx(before - freight)
    assert purse.escrow == pytest.approx(goods.net)
    year.books.returns.clear()
    for _ in range(8):
        next_day(year)
    assert purse.wallet == 0.0
    next_day(year)
    assert purse.wallet == pytest.approx(goods.net)


def test_returns_refund_from_escrow_restock_and_count(year: Year) -> None:
    store = open_garden(year, 400, price=60.0)
    while not year.books.returns:
        next_day(year)
        if year.books.pending:
            ship(year, take_pending(year.books), "slow")
    [(arrives, [coming, *_]), *_] = year.books.returns.items()
    while year.date.toordinal() < arrives:
        next_day(year)
    goods = coming.goods
    stock = year.books.stock[goods.product.sku]
    assert 3 <= arrives - (coming.matures - 9) <= 7
    assert stock.returned == stock.restocked >= coming.quantity
    assert year.books.refund_loss >= goods.unit_price * coming.quantity
    assert day_lines(store)[goods.product.sku].returned >= coming.quantity
    assert year.books.purse.totals[REFUNDS] < 0


def test_an_event_is_news_on_its_first_day_only_and_a_promotion_is_announced_once(year: Year) -> None:
    while year.date < date(2026, 3, 10):
        next_day(year)
    seen = [(day.date, item.type) for day in year.news for item in day.items if item.type in ("event", "promotion")]
    assert seen == [(date(2026, 1, 10), "event"), (date(2026, 2, 25), "promotion")]


def test_events_are_cut_at_the_end_of_the_year(market: Market) -> None:
    active = [day for day in (date(2026, 12, 31), date(2027, 1, 1)) if market.calendar.events_on(day)]
    assert active == [date(2026, 12, 31)]


def test_a_promotion_may_be_joined_up_to_thirty_days_ahead_across_new_year(world: World) -> None:
    first_days = world.promotions[1]
    assert starts_within(first_days, date(2026, 12, 20), 30)
    assert not starts_within(first_days, date(2026, 11, 20), 30)
    assert is_running(first_days, date(2027, 1, 7))
    assert not is_running(first_days, date(2027, 1, 8))


def test_a_purchase_is_charged_at_once_and_arrives_within_a_week(year: Year, world: World) -> None:
    order = buy(year, supplier="North Pots", product=world.products[0], quantity=10, unit_price=50.0)
    assert year.books.purse.bank == 100_000 - 500
    arrives = year.moment(order.arrives)
    assert 3 <= (arrives - year.now).days <= 7
    while year.books.in_transit:
        next_day(year)
    assert year.books.stock[world.products[0].sku].free == 10
    assert year.now >= arrives > year.now - timedelta(days=1)


def test_what_arrives_at_opening_time_is_received_the_next_morning(world: World) -> None:
    class Zeros(Random):
        def getrandbits(self, k: int, /) -> int:
            return 0

    year = start_year(Market(world, Rules(lead_days=(0, 3))), days=365, stake=1e6)
    year.rng = Zeros()
    order = buy(year, supplier="N", product=world.products[0], quantity=10, unit_price=1.0)
    assert order.arrives == order.placed
    next_day(year)
    assert year.books.in_transit == {}
    assert year.books.stock[world.products[0].sku].free == 10


def test_a_copy_receives_only_what_was_ordered_for_it(year: Year, world: World) -> None:
    buy(year, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    twin = year.copy()
    for _ in range(9):  # some of them for the morning of the first
        buy(twin, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    for either in (year, twin):
        while either.books.in_transit:
            next_day(either)
    assert [either.books.stock[world.products[0].sku].delivered for either in (year, twin)] == [1, 10]


def test_an_active_event_stretches_the_lead_time(market: Market, world: World) -> None:
    calm, frosty = (start_year(market, days=365, stake=1e6) for _ in range(2))
    frosty.date = date(2026, 1, 10)
    first = buy(calm, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    second = buy(frosty, supplier="N", product=world.products[0], quantity=1, unit_price=1.0)
    assert (second.arrives - second.placed) // MINUTES == 2 * ((first.arrives - first.placed) // MINUTES)


def test_a_short_delivery_brings_sixty_to_seventy_percent(year: Year, world: World) -> None:
    for _ in range(20):
        order = buy(year, supplier="S", product=world.products[0], quantity=100, unit_price=1.0, short=True)
        assert 60 <= order.delivered < 70
        assert order.charged == 100.0


def test_an_order_beyond_the_bank_is_refused_and_nothing_changes(year: Year, world: World) -> None:
    with pytest.raises(OrderRefused, match="100,000"):
        buy(year, supplier="N", product=world.products[0], quantity=2_001, unit_price=50.0)
    with pytest.raises(OrderRefused, match="at least 1"):
        buy(year, supplier="N", product=world.products[0], quantity=0, unit_price=50.0)
    assert (year.books.purse.bank, year.books.orders) == (100_000, [])


def test_a_membership_fee_is_an_order_without_goods(year: Year) -> None:
    order = pay_membership_fee(year, "North Pots")
    assert (order.charged, order.product, year.books.in_transit) == (1_000.0, None, {})
    assert year.books.purse.totals[FEES] == -1_000.0


def test_ten_mornings_below_zero_end_in_bankruptcy_and_one_above_resets_the_count(year: Year) -> None:
    open_garden(year)
    year.books.purse.bank = -1.0
    for _ in range(9):
        next_day(year)
    year.books.purse.bank = 100.0
    next_day(year)
    assert year.books.unpaid_days == 0
    year.books.purse.bank = -1.0
    for _ in range(10):
        assert not year.done
        next_day(year)
    assert year.ending == "bankruptcy"


def test_the_year_ends_on_its_last_morning_and_pays_out_escrow(market: Market) -> None:
    year = start_year(market, days=12, stake=100_000.0)
    open_garden(year, 200)
    for _ in range(12):
        if year.books.pending:
            ship(year, take_pending(year.books), "standard")
        next_day(year)
    assert (year.ending, year.day, year.date) == ("year_end", 12, date(2026, 1, 13))
    purse = year.books.purse
    assert purse.escrow == 0.0
    assert purse.total == pytest.approx(purse.stake + sum(purse.totals.values()))
    assert (year.books.pending, year.books.returns) == ([], {})
    frozen = year.now
    spend(year, 600)
    next_day(year)
    assert year.now == frozen


def test_finalizing_loses_unshipped_orders_and_happens_once(year: Year) -> None:
    open_garden(year, 30)
    first_sale(year)
    total = year.books.purse.total
    finalize(year, "stopped")
    finalize(year, "idle")
    assert (year.ending, year.books.pending) == ("stopped", [])
    assert year.books.purse.total == total
    assert year.books.orders_cancelled == 0


def test_finalizing_refunds_what_will_come_back_and_counts_it_without_restocking(year: Year) -> None:
    open_garden(year, 400, price=60.0)
    while not year.books.returns:
        next_day(year)
        ship(year, take_pending(year.books), "slow")
    units = sum(coming.quantity for arriving in year.books.returns.values() for coming in arriving)
    stock, purse = year.books.stock[year.world.products[0].sku], year.books.purse
    total, held = purse.total, stock.physical
    finalize(year, "stopped")
    assert purse.total == pytest.approx(total - 60.0 * units)
    assert (purse.escrow, stock.physical, stock.returned) == (0.0, held, units)
    assert year.books.refund_loss == pytest.approx(60.0 * units)
