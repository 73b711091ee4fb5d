"""A closed store sells nothing more, but what it sold runs its course."""

from datetime import timedelta

import pytest

from ecbench.market.books import DaySales, Enrolment, PendingReturn, Store
from ecbench.market.clock import next_day
from ecbench.market.day_lines import day_lines
from ecbench.market.shipping import ship, take_pending
from ecbench.market.stock import delist_units, list_units, receive, stock_of
from ecbench.market.storefronts import close_store, open_store
from ecbench.market.year import Year


@pytest.fixture
def store(year: Year) -> Store:
    """A garden shop with thirty pots on its shelf."""
    garden = open_store(year, year.world.store_types[0], "Garden")
    stock = stock_of(year, year.world.products[0])
    receive(year.books, stock, "North Pots", 30, 40.0, defective=False, today=year.date.toordinal())
    list_units(garden, stock, 30, 100.0)
    return garden


@pytest.fixture
def sale(year: Year, store: Store) -> DaySales:
    """Its first sale, still to be sent."""
    while not year.books.pending:
        next_day(year)
    return year.books.pending[0]


def test_a_closed_store_keeps_its_promotion_reputation_and_lines(year: Year, store: Store, sale: DaySales) -> None:
    store.enrolment = Enrolment(year.world.promotions[1], 0.2)  # the first week of January
    close_store(year, store)
    kept = store.enrolment, store.reputation, day_lines(store)
    [goods] = sale.goods.values()
    assert kept[2][goods.product.sku].sold == goods.quantity
    for _ in range(20):
        next_day(year)
    assert (store.enrolment, store.reputation, day_lines(store)) == kept


def test_orders_of_a_closed_store_are_cancelled_when_late(year: Year, store: Store, sale: DaySales) -> None:
    close_store(year, store)
    while year.date <= sale.sold_on + timedelta(days=2):
        assert year.books.pending == [sale]
        next_day(year)
    assert year.books.pending == []
    [goods] = sale.goods.values()
    assert year.books.stock[goods.product.sku].free == 30


def test_lines_of_a_closed_store_gather_returns_and_the_freight_paid_since_the_line_stood(
    year: Year, store: Store, sale: DaySales
) -> None:
    [(number, goods)] = sale.goods.items()
    sku = goods.product.sku
    delist_units(store, year.books.stock[sku], store.shelf[sku].quantity)
    next_day(year)
    assert day_lines(store) == {}
    ship(year, take_pending(year.books), "standard")
    close_store(year, store)
    today = year.date.toordinal()
    for day in (1, 2):
        year.books.returns = {today + day: [PendingReturn(number, store.id, goods, 1, 0.5, today + 9)]}
        next_day(year)
        freight = ship(year, [sale._replace(goods={90 + day: goods})], "fast").freight
        line = day_lines(store)[sku]
        assert (line.sold, line.returned, line.refunds) == (0, day, 100.0 * day)
        assert line.freight == freight * day  # nothing of the parcel sent before the first return
