"""The queue of orders to ship: what is taken leaves it, what is left keeps its place."""

from datetime import date

import pytest

from ecbench.market.appeal import Goods
from ecbench.market.books import Books, DaySales
from ecbench.market.ledger import Purse
from ecbench.market.return_rates import ReturnLayers
from ecbench.market.shipping import take_pending
from ecbench.world.model import World


@pytest.fixture
def books(world: World) -> Books:
    """Five orders of two days: shipment n holds n units."""

    def goods(units: int) -> Goods:
        return Goods(world.products[0], units, 10.0, 10.0 * units, 9.8 * units, ReturnLayers(0.1, 0.1, 0.1, 0.1))

    first = DaySales("store_001", date(2026, 1, 1), 1 + 2 + 3, {number: goods(number) for number in (1, 2, 3)})
    second = DaySales("store_002", date(2026, 1, 2), 4 + 5, {number: goods(number) for number in (4, 5)})
    return Books(Purse(stake=0.0, bank=0.0), pending=[first, second])


def numbers(queue: list[DaySales]) -> list[list[int]]:
    return [list(sales.goods) for sales in queue]


def test_all_orders_leave_together(books: Books) -> None:
    queue = books.pending
    assert take_pending(books) == queue
    assert books.pending == []


def test_chosen_orders_leave_in_the_order_of_the_queue(books: Books) -> None:
    taken = take_pending(books, {5, 3, 1, 99, None})
    assert numbers(taken) == [[1, 3], [5]]
    assert [sales.units for sales in taken] == [4, 5]
    assert numbers(books.pending) == [[2], [4]]
    assert [(sales.store, sales.units) for sales in books.pending] == [("store_001", 2), ("store_002", 4)]


def test_choosing_nothing_that_waits_changes_nothing(books: Books) -> None:
    before = [*books.pending]
    assert take_pending(books, {99}) == []
    assert books.pending == before


def test_a_copy_of_the_books_ships_for_itself(books: Books) -> None:
    twin = books.copy()
    take_pending(twin, {2})
    assert numbers(books.pending) == [[1, 2, 3], [4, 5]]
