"""What a day's sales leave behind: on the shelf, in the warehouse, in the queue and in the store's record."""

from dataclasses import replace
from datetime import date

import pytest
from tests.market.days import next_day

from ecbench.market.books import Store
from ecbench.market.day_demand import raw_demand
from ecbench.market.demand import NO_OFFER, Offer
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.returns import CACHED_UNITS, cached_trials, return_trials
from ecbench.market.sales import sell, sold_goods, take_pending
from ecbench.market.stock import list_units, receive, reprice, stock_of
from ecbench.market.storefronts import Salvage, close_store, liquidate_store, open_store
from ecbench.rules import Rules

THURSDAY = date(2026, 2, 5)
POT, TIN = "a00000000001", "a00000000002"
OFFER = Offer(0.25, 2.0, 1.5)


@pytest.fixture
def garden(account: Account) -> Store:
    """A garden shop with a pot of ¥100 and one of ¥50, ten of each in two lots, of which eight are listed."""
    opened = open_store(account, account.world.store_types[0], "Garden")
    for product in account.world.products[:2]:
        stock = stock_of(account, product)
        for day, units in ((1, 4), (2, 6)):
            receive(account.books, stock, "North Pots", units, 20.0, defective=False, today=day)
        list_units(opened, stock, 8, product.reference_price)
    return opened


def sold(account: Account, store: Store, *claims: float, offer: Offer = NO_OFFER) -> None:
    """Sell at a store saturation of one half."""
    demand = raw_demand(store, offer, THURSDAY, account.economy)
    assert len(demand.goods) == len(claims)
    demand.claims, demand.store_saturation = list(claims), 0.5
    sell(account.books, store, demand, THURSDAY, sold_goods(account.economy))


def test_a_sale_takes_the_oldest_units_and_waits_to_be_sent(account: Account, garden: Store) -> None:
    books = account.books
    books.shipment_count = 40
    sold(account, garden, 10.0, 6.0)  # of which a saturation of one half leaves 5 and 3
    assert [(stock.sold, stock.free) for stock in books.stock.values()] == [(5, 2), (3, 2)]
    lots = [[(lot.day, lot.quantity) for lot in stock.lots] for stock in books.stock.values()]
    assert lots == [[(2, 5)], [(1, 1), (2, 6)]]
    assert [listing.quantity for listing in garden.shelf.values()] == [3, 5]
    [waiting] = books.pending
    assert (waiting.store, waiting.sold_on, waiting.units) == (garden.id, THURSDAY, 8)
    assert waiting is garden.sold_yesterday and waiting.first == 41
    assert [(goods.product.sku, goods.quantity) for goods in waiting.goods] == [(POT, 5), (TIN, 3)]
    assert (books.shipment_count, books.units, garden.recent_sold) == (42, 20 - 8, 8)
    sold(account, garden, 2.0, 0.0)
    assert (books.shipment_count, books.units, garden.recent_sold) == (43, 20 - 9, 9)


def test_a_day_without_a_sale_leaves_nothing_to_send(account: Account, garden: Store) -> None:
    sold(account, garden, 10.0, 6.0)
    take_pending(account.books)
    sold(account, garden, 0.0, 0.0)
    assert (account.books.pending, garden.sold_yesterday.goods, account.books.shipment_count) == ([], [], 2)


def test_what_sells_after_a_delivery_of_bad_goods_is_likelier_to_come_back(account: Account, garden: Store) -> None:
    pot, arrived = account.books.stock[POT], account.market.date.toordinal()
    sold(account, garden, 2.0, 0.0)
    receive(account.books, pot, "South Pots", 10, 15.0, defective=True, today=arrived)
    sold(account, garden, 2.0, 0.0)
    sold(account, garden, 2.0, 0.0, offer=OFFER)
    before, after, on_offer = [goods.rates for day in account.books.pending for goods in day.goods]
    assert before.blended == before.natural < after.blended == on_offer.blended


def test_the_day_record_counts_units_held_and_orders_to_date(account: Account, garden: Store) -> None:
    sold(account, garden, 10.0, 6.0)
    for listing in garden.shelf.values():
        reprice(listing, 1e9)  # nobody buys any more
    for _ in range(40):  # to a day on which the two orders of the fifth of February are late
        next_day(account)
    today = account.books.days[-1]
    assert (today.orders_sold, today.orders_cancelled, today.open_stores) == (2, 2, 1)
    assert today.units == 20
    assert account.books.days[30].units == 12


def test_stores_are_numbered_in_the_order_of_their_opening(account: Account, garden: Store) -> None:
    books = open_store(account, account.world.store_types[1], "Books")
    close_store(account, garden)
    again = open_store(account, garden.type, "Garden")
    assert [garden.id, books.id, again.id] == ["store_001", "store_002", "store_003"]
    assert (again.reputation, again.opened) == (0.5, account.market.date)
    assert account.books.trading == [books, again]
    assert account.books.purse.bank == 100_000 - 3 * 500


def test_a_store_sold_off_brings_a_tenth_of_what_its_shelf_cost(account: Account, garden: Store) -> None:
    books, bank = account.books, account.books.purse.bank
    garden.shelf[TIN].quantity = 0
    assert liquidate_store(account, garden) == {POT: Salvage(8, 0.1 * 20.0 * 8)}
    stock = books.stock[POT]
    assert (stock.liquidated, stock.physical, stock.free, books.units) == (8, 2, 2, 12)
    assert [(lot.day, lot.quantity) for lot in stock.lots] == [(2, 2)]
    assert books.purse.bank == pytest.approx(bank + 16)
    assert books.purse.totals["salvage"] == pytest.approx(16)
    assert (garden.shelf, garden.is_open, books.trading) == ({}, False, [])


def test_a_closed_store_frees_its_shelf_and_forgets_what_was_sold_out(account: Account, garden: Store) -> None:
    garden.shelf[TIN].quantity = 0
    assert close_store(account, garden) == {POT: 8}
    assert (account.books.stock[POT].free, account.books.units) == (10, 20)
    assert (garden.shelf, garden.is_open, account.books.trading) == ({}, False, [])


@pytest.mark.parametrize(
    ("steps", "last"), [(((0, 1.0),), 0.5), (((0, 1.0), (30, 3.0)), 1.5), (((0, 2.0), (31, 9.0)), 1.0)]
)
def test_storage_has_as_many_age_steps_as_the_rules_name(
    account: Account, steps: tuple[tuple[int, float], ...], last: float
) -> None:
    economy = Economy(account.world, replace(Rules(), storage_age_steps=steps))
    keeper = open_marketplace(economy, days=365, stake=100_000.0).accounts[0]
    open_store(keeper, keeper.world.store_types[1], "Books")
    stock = stock_of(keeper, keeper.world.products[0])
    receive(keeper.books, stock, "N", 10, 1.0, defective=False, today=keeper.market.date.toordinal())
    for _ in range(29):
        next_day(keeper)
        assert keeper.books.storage_today == pytest.approx(10 * 0.05 * steps[0][1])
    next_day(keeper)
    assert keeper.books.storage_today == pytest.approx(last)


def test_draws_of_returns_are_the_same_however_many_are_kept(market: Economy) -> None:
    trials, half = cached_trials(market, "fast"), CACHED_UNITS // 2
    first = trials[half][1]
    assert first == return_trials(market.key, "fast", 1, half, market.rules.return_days)
    assert trials[half][1] is first
    for number in (2, 3):  # the third is one too many: all of its size are dropped
        assert len(trials[half][number][2]) == half - 1
    assert list(trials[half]) == [3]
    assert trials[half][1] == first
