"""The queue of orders to ship, where what is left keeps its place, and what a speed makes of what is sent."""

from datetime import date, timedelta
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


def test_choosing_nothing_that_waits_changes_nothing(books: Books) -> None:
    before = [*books.pending]
    assert take_pending(books, {99}) == []
    assert books.pending == before


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


@pytest.mark.parametrize(
    ("speed", "rate", "returned"),
    [
        ("standard", 0.5, 0.5),
        ("fast", 0.8, 0.6),  # three quarters
        ("slow", 0.5, 0.65),  # 1.3 times
        ("slow", 0.8, 0.95),  # 1.04 is more than any goods return at
        ("standard", 0.95, 0.95),
    ],
)
def test_a_speed_changes_the_return_rate_but_never_lifts_it_above_its_cap(
    account: Account, speed: str, rate: float, returned: float
) -> None:
    [parcel] = sent(account, speed, rate).parcels
    assert parcel.return_rate == pytest.approx(returned)


@pytest.mark.parametrize(("speed", "unit_freight"), [("fast", 6.0), ("standard", 3.0), ("slow", 1.5)])
def test_freight_is_paid_for_every_unit_by_its_size_and_speed(
    account: Account, speed: str, unit_freight: float
) -> None:
    dispatch = sent(account, speed, 0.0, units=4, product=1)  # a large one: ¥3 a unit by standard freight
    assert [parcel.unit_freight for parcel in dispatch.parcels] == [unit_freight]
    assert (dispatch.numbers, dispatch.freight, dispatch.revenue) == ([7], 4 * unit_freight, 4 * 9.8)
    purse, garden = account.books.purse, account.books.stores["store_001"]
    assert purse.bank == 100_000 - 500 - 4 * unit_freight  # ¥500 opened the shop
    assert purse.batches == {(account.market.date + timedelta(days=9)).toordinal(): [4 * 9.8]}
    assert garden.shipped == 4


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
