"""A closed store sells nothing more, but what it sold runs its course."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.market.days import next_day

from ecbench.market.books import DaySales, Enrolment, PendingReturn, Store
from ecbench.market.marketplace import Account
from ecbench.market.sales import ship, take_pending
from ecbench.market.stock import delist_units, list_units, receive, stock_of
from ecbench.market.storefronts import close_store, day_lines, open_store


@pytest.fixture
def store(account: Account) -> Store:
    """A garden shop with thirty pots on its shelf."""
    garden = open_store(account, account.world.store_types[0], "Garden")
    stock = stock_of(account, account.world.products[0])
    receive(account.books, stock, "North Pots", 30, 40.0, defective=False, today=account.market.date.toordinal())
    list_units(garden, stock, 30, 100.0)
    return garden


@pytest.fixture
def sale(account: Account, store: Store) -> DaySales:
    """Its first sale, still to be sent."""
    while not account.books.pending:
        next_day(account)
    return account.books.pending[0]


def test_a_closed_store_keeps_its_promotion_reputation_and_lines(
    account: Account, store: Store, sale: DaySales
) -> None:
    store.enrolment = Enrolment(account.world.promotions[1], 0.2)  # the first week of January
    close_store(account, store)
    kept = store.enrolment, store.reputation, day_lines(store)
    [goods] = sale.goods
    assert kept[2][goods.product.sku].sold == goods.quantity
    for _ in range(20):
        next_day(account)
    assert (store.enrolment, store.reputation, day_lines(store)) == kept


def test_orders_of_a_closed_store_are_cancelled_when_late(account: Account, store: Store, sale: DaySales) -> None:
    close_store(account, store)
    while account.market.date <= sale.sold_on + timedelta(days=2):
        assert account.books.pending == [sale]
        next_day(account)
    assert account.books.pending == []
    [goods] = sale.goods
    assert account.books.stock[goods.product.sku].free == 30


def test_lines_of_a_closed_store_gather_returns_and_the_freight_paid_since_the_line_stood(
    account: Account, store: Store, sale: DaySales
) -> None:
    [goods] = sale.goods
    sku = goods.product.sku
    delist_units(store, account.books.stock[sku], store.shelf[sku].quantity)
    next_day(account)
    assert day_lines(store) == {}
    ship(account, take_pending(account.books), "standard")
    close_store(account, store)
    today = account.market.date.toordinal()
    for day in (1, 2):
        account.books.returns = {today + day: [PendingReturn(sale.first, store.id, goods, 1, 0.5, today + 9, 0)]}
        next_day(account)
        freight = ship(account, [replace(sale, first=90 + day)], "fast").freight
        line = day_lines(store)[sku]
        assert (line.sold, line.returned, line.refunds) == (0, day, 100.0 * day)
        assert line.freight == freight * day  # nothing of the parcel sent before the first return
