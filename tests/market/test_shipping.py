"""The queue of orders to ship, where what is left keeps its place, and what a speed makes of what is sent."""

from datetime import date
from hashlib import md5
from random import Random

import pytest

from ecbench.market.books import Books, DaySales, ReturnLayers, SoldGoods
from ecbench.market.ledger import Purse
from ecbench.market.marketplace import Account
from ecbench.market.sales import GoodsSent, ship, take_pending
from ecbench.market.storefronts import open_store
from ecbench.world.model import World


@pytest.fixture
def books(world: World) -> Books:
    """Five orders of two days: shipment n holds n units."""

    def goods(units: int) -> SoldGoods:
        return SoldGoods(world.products[0], units, 10.0, 10.0 * units, 9.8 * units, ReturnLayers(0.1, 0.1, 0.1, 0.1))

    first = DaySales("store_001", date(2026, 1, 1), 1 + 2 + 3, 1, [goods(1), goods(2), goods(3)])
    second = DaySales("store_002", date(2026, 1, 2), 4 + 5, 4, [goods(4), goods(5)])
    return Books(Purse(stake=0.0, bank=0.0), pending=[first, second])


def numbers(queue: list[DaySales]) -> list[list[int]]:
    return [list(range(sales.first, sales.first + len(sales.goods))) for sales in queue]


def test_all_orders_leave_together(books: Books) -> None:
    queue = books.pending
    assert take_pending(books) == queue
    assert books.pending == []


def test_chosen_orders_leave_in_the_order_of_the_queue(books: Books) -> None:
    taken = take_pending(books, {5, 3, 1, 99, None})
    assert numbers(taken) == [[1], [3], [5]]
    assert [sales.units for sales in taken] == [1, 3, 5]
    assert numbers(books.pending) == [[2], [4]]
    assert [(sales.store, sales.units) for sales in books.pending] == [("store_001", 2), ("store_002", 4)]


def test_a_copy_of_the_books_ships_for_itself(books: Books) -> None:
    twin = books.copy()
    take_pending(twin, {2})
    assert numbers(books.pending) == [[1, 2, 3], [4, 5]]


def sent(account: Account, speed: str, rate: float, units: int = 10, product: int = 0) -> GoodsSent:
    """One order of a garden shop, sent on its own; `rate` is what its units return at by standard freight."""
    garden = open_store(account, account.world.store_types[0], "Garden")
    goods = SoldGoods(
        account.world.products[product], units, 10.0, 10.0 * units, 9.8 * units, ReturnLayers(*[rate] * 4)
    )
    return ship(account, [DaySales(garden.id, account.market.date, units, 7, [goods])], speed)


def test_returns_are_drawn_by_the_number_of_the_shipment_and_its_speed(account: Account) -> None:
    """Unit after unit against the rate, and then the days until they are back: all from one named generator."""
    draws = Random(7 + int(md5(b"ship7slow").hexdigest()[:8], 16))
    back = sum([draws.random() < 0.65 for _ in range(10)])
    days = draws.randint(3, 7)
    assert 0 < back < 10
    sent(account, "slow", 0.5)
    [(day, [coming])] = account.books.returns.items()
    assert day == account.market.date.toordinal() + days
    assert (coming.number, coming.quantity, coming.freight) == (7, back, 0.25 * back)
