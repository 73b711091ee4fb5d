"""A closed store sells nothing more, but what it sold runs its course."""

from datetime import timedelta

import pytest

from ecbench.market.books import Enrolment, PendingReturn, Shipment, Store
from ecbench.market.clock import next_day
from ecbench.market.day_lines import day_lines
from ecbench.market.shipping import ship
from ecbench.market.stock import delist_units, list_units, receive, stock_of
from ecbench.market.storefronts import close_store, open_store
from ecbench.market.year import Year


@pytest.fixture
def store(year: Year) -> Store:
    """A garden shop with thirty pots on its shelf."""
    garden = open_store(year, year.world.store_types[0], "Garden")
    stock = stock_of(year, year.world.products[0])
    receive(stock, "North Pots", 30, 40.0, defective=False, today=year.date.toordinal())
    list_units(garden, stock, 30, 100.0)
    return garden


@pytest.fixture
def sale(year: Year, store: Store) -> Shipment:
    """Its first sale, still to be sent."""
    while not year.books.pending:
        next_day(year)
    return next(iter(year.books.pending.values()))


def test_a_closed_store_keeps_its_promotion_reputation_and_lines(year: Year, store: Store, sale: Shipment) -> None:
    store.enrolment = Enrolment(year.world.promotions[1], 0.2)  # the first week of January
    close_store(year, store)
    kept = store.enrolment, store.reputation, day_lines(store)
    assert kept[2][sale.goods.product.sku].sold == sale.goods.quantity
    for _ in range(20):
        next_day(year)
    assert (store.enrolment, store.reputation, day_lines(store)) == kept


def test_orders_of_a_closed_store_are_cancelled_when_late(year: Year, store: Store, sale: Shipment) -> None:
    close_store(year, store)
    while year.date <= sale.sold_on + timedelta(days=2):
        assert sale.number in year.books.pending
        next_day(year)
    assert year.books.pending == {}
    assert year.books.stock[sale.goods.product.sku].free == 30


def test_lines_of_a_closed_store_gather_returns_and_the_freight_paid_since_the_line_stood(
    year: Year, store: Store, sale: Shipment
) -> None:
    sku = sale.goods.product.sku
    delist_units(store, year.books.stock[sku], store.shelf[sku].quantity)
    next_day(year)
    assert day_lines(store) == {}
    ship(year, [sale], "standard")
    close_store(year, store)
    today = year.date.toordinal()
    for day in (1, 2):
        year.books.returns = {today + day: [PendingReturn(sale, 1, 0.5)]}
        next_day(year)
        later = year.books.pending[90 + day] = sale._replace(number=90 + day)
        [freight] = ship(year, [later], "fast").freights
        line = day_lines(store)[sku]
        assert (line.sold, line.returned, line.refunds) == (0, day, 100.0 * day)
        assert line.freight == freight * day  # nothing of the parcel sent before the first return
