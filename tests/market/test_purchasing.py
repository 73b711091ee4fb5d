"""Purchase orders: what is charged, when goods arrive, and what a supplier who cheats delivers."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from types import MappingProxyType

import pytest
from tests.market.days import next_day

from ecbench.market.draws import first_uniforms
from ecbench.market.economy import Economy
from ecbench.market.filed import PurchaseOrder
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.purchasing import OrderRefused, buy, pay_membership_fee
from ecbench.rules import Rules
from ecbench.world.fields import MonthDay
from ecbench.world.model import Event, World

MINUTES = 24 * 60
Opened = Callable[..., Account]


@pytest.fixture
def opened(world: World) -> Opened:
    """A merchant on New Year's Day, under given events and rules."""

    def account(*events: Event, **rules: object) -> Account:
        economy = Economy(replace(world, events=events), Rules(**rules))  # type: ignore[arg-type]
        return open_marketplace(economy, days=365, stake=100_000.0).accounts[0]

    return account


def late(delay: float, *store_types: str) -> Event:
    """A delay on the first two days of January, for some store types or for all."""
    return Event("Snow", MonthDay(1, 1), 2, MappingProxyType({}), delay, frozenset(store_types) or None, "Snow.")


def order(account: Account, quantity: int = 10, unit_price: float = 40.0, short: bool = False) -> PurchaseOrder:
    pots = account.world.products[0]
    return buy(account, supplier="North Pots", product=pots, quantity=quantity, unit_price=unit_price, short=short)


def days_on_the_way(order: PurchaseOrder) -> int:
    """Whole days; the hour of the day at which goods arrive comes on top."""
    return (order.arrives - order.placed) // MINUTES


@pytest.mark.parametrize(
    ("lead", "delay", "days"),
    [
        (3, 2.0, 6),
        (3, 1.2, 4),  # 3.6
        (3, 1.1, 3),  # 3.3
        (3, 0.1, 1),  # 0.3: nobody delivers on the day of the order
        (3, 0.5, 2),  # 1.5, and a half goes to the even number
        (5, 0.5, 2),  # 2.5
    ],
)
def test_a_delay_multiplies_the_days_and_leaves_at_least_one(
    opened: Opened, lead: int, delay: float, days: int
) -> None:
    assert days_on_the_way(order(opened(late(delay), lead_days=(lead, lead)))) == days


def test_of_several_delays_the_largest_alone_applies(opened: Opened) -> None:
    account = opened(late(1.5), late(3.0), late(2.0), lead_days=(4, 4))
    assert days_on_the_way(order(account)) == 12


def test_a_delay_is_of_the_store_types_it_names_and_of_its_days(opened: Opened) -> None:
    rules = {"lead_days": (4, 4)}
    assert days_on_the_way(order(opened(late(3.0, "books"), **rules))) == 4
    assert days_on_the_way(order(opened(late(3.0, "books", "garden"), **rules))) == 12
    account = opened(late(3.0), **rules)
    for days in (12, 12, 4):  # on the first, the second and the third of January
        assert days_on_the_way(order(account)) == days
        next_day(account)


def test_an_order_is_charged_in_full_at_once_and_may_take_the_last_yuan(opened: Opened) -> None:
    account = opened()
    bought = order(account, 250, 400.0)
    assert (bought.number, bought.charged, bought.quantity, bought.delivered) == (1, 100_000.0, 250, 250)
    assert account.books.purse.bank == 0.0
    assert account.books.purse.totals["procurement"] == -100_000.0
    with pytest.raises(OrderRefused, match="the bank holds") as refused:
        order(account, 1, 0.01)
    assert refused.value.missing == 0.01
    assert account.books.orders == [bought]


def test_the_total_of_an_order_is_rounded_to_cents_before_it_is_compared_and_charged(opened: Opened) -> None:
    """7 x 1.1 is 7.700000000000001."""
    account = opened()
    account.books.purse.bank = 7.7
    assert order(account, 7, 1.1).charged == 7.7 != 7 * 1.1
    assert (account.books.purse.bank, account.books.purse.totals["procurement"]) == (0.0, -7.7)
    with pytest.raises(OrderRefused) as refused:
        order(account, 7, 1.1)
    assert refused.value.missing == 7.7


def test_less_than_one_unit_cannot_be_ordered(opened: Opened) -> None:
    account = opened()
    with pytest.raises(OrderRefused, match="at least 1, not 0"):
        order(account, 0)
    assert (account.books.orders, account.books.purse.bank) == ([], 100_000.0)
    assert order(account, 1).quantity == 1


def test_a_short_delivery_brings_one_unit_at_least(opened: Opened) -> None:
    assert order(opened(), 1, 0.01, short=True).delivered == 1  # six tenths of a unit would be none


def test_goods_are_in_the_warehouse_on_the_first_morning_after_they_arrived(opened: Opened) -> None:
    """Mornings are at 08:00: what comes at 08:01 is taken in a day later."""
    account = opened()
    for _ in range(300):
        order(account, 1, 1.0)
    next_day(account)
    for _ in range(300):
        order(account, 1, 1.0)
    assert sum(len(orders) for orders in account.books.in_transit.values()) == 600
    assert account.books.orders[-1].placed == MINUTES + 8 * 60
    for day, orders in account.books.in_transit.items():
        for coming in orders:
            assert (day - 1) * MINUTES + 8 * 60 < coming.arrives <= day * MINUTES + 8 * 60


def test_a_membership_fee_is_an_order_of_no_goods(opened: Opened) -> None:
    account = opened()
    order(account)
    account.books.purse.bank = 1_000.0
    fee = pay_membership_fee(account, "South Pots")
    assert fee not in [coming for orders in account.books.in_transit.values() for coming in orders]
    assert (fee.number, fee.product, fee.quantity, fee.charged, fee.delivered) == (2, None, 1, 1_000.0, 0)
    assert fee.arrives == fee.placed == 8 * 60
    assert fee.defective is False
    assert account.books.purse.bank == 0.0
    assert account.books.purse.totals["fees"] == -1_000.0
    with pytest.raises(OrderRefused) as refused:
        pay_membership_fee(account, "South Pots")
    assert refused.value.missing == 1_000.0


def test_an_order_draws_its_days_its_minutes_its_shown_range_and_then_its_shortfall(
    opened: Opened, world: World
) -> None:
    account, stream = opened(), Random(world.seed)
    for short in (True, False, True):
        bought = order(account, 100, 1.0, short=short)
        days, minutes, _ = stream.randint(3, 7), stream.randint(0, 1439), stream.randint(1, 2)
        assert account.market.moment(bought.arrives) == datetime(2026, 1, 1, 8) + timedelta(days=days, minutes=minutes)
        assert bought.delivered == (int(100 * (0.6 + 0.1 * stream.random())) if short else 100)


@pytest.mark.parametrize("seed", [0, 1, 4_000_000_000, 2**33 + 5])
def test_the_first_uniforms_are_those_of_a_generator_of_its_own(seed: int) -> None:
    reference = Random(seed)
    assert first_uniforms(seed, 700) == tuple(reference.random() for _ in range(700))
