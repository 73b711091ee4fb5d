"""Lots, shelves and money: where units are, what they cost to keep, and a name for every yuan."""

import pytest

from ecbench.market.books import Stock, Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.ledger import (
    PROCUREMENT,
    REFUNDS,
    SALVAGE,
    SETUP,
    Purse,
    credit,
    hold_in_escrow,
    pay,
    refund_from_escrow,
    release_all,
    release_batches,
    withdraw,
)
from ecbench.market.marketplace import Account
from ecbench.market.stock import delist_units, list_units, put_away, receive, stock_of, storage_charge, take_oldest
from ecbench.world.model import World


@pytest.fixture
def stock(account: Account) -> Stock:
    return stock_of(account, account.world.products[0])


def sell(stock: Stock, quantity: int) -> None:
    take_oldest(stock, quantity)
    stock.sold += quantity


def test_the_oldest_lots_leave_first(account: Account, stock: Stock) -> None:
    for day, quantity in ((10, 5), (12, 3), (15, 4)):
        put_away(account.books, stock, quantity, day)
    take_oldest(stock, 6)
    assert [(lot.day, lot.quantity) for lot in stock.lots] == [(12, 2), (15, 4)]
    take_oldest(stock, 6)
    assert stock.lots == []


def test_every_arrival_is_a_lot_of_its_own_and_pays_by_itself(account: Account, stock: Stock) -> None:
    """To the last bit: 3 and 6 small units pay 0.45000000000000007 together, nine of them would pay 0.45."""
    today = account.market.date.toordinal()
    for quantity in (3, 6):
        put_away(account.books, stock, quantity, today)
    assert [(lot.day, lot.quantity) for lot in stock.lots] == [(today, 3), (today, 6)]
    assert (stock.free, account.books.units, account.books.ages_on) == (9, 9, today + 21)
    assert storage_charge(account) == 3 * 0.05 + 6 * 0.05 != 9 * 0.05
    account.market.date += 21 * ONE_DAY
    assert storage_charge(account) == 3 * 0.05 * 1.4 + 6 * 0.05 * 1.4 != 9 * 0.05 * 1.4
    assert account.books.ages_on == stock.ages_on == today + 45
    account.market.date += 24 * ONE_DAY
    assert storage_charge(account) == 3 * 0.05 * 2.2 + 6 * 0.05 * 2.2
    take_oldest(stock, 2)
    assert [lot.quantity for lot in stock.lots] == [1, 6]
    assert storage_charge(account) == 1 * 0.05 * 2.2 + 6 * 0.05 * 2.2


def test_a_lot_pays_the_first_step_of_the_rules_from_its_first_morning(account: Account, stock: Stock) -> None:
    stock.age_steps = ((0, 2.0), (21, 3.0))
    put_away(account.books, stock, 3, account.market.date.toordinal())
    assert storage_charge(account) == 3 * 0.05 * 2.0


def test_one_lot_that_is_gone_keeps_no_other_from_ageing(world: World, account: Account) -> None:
    gone, kept = stock_of(account, world.products[0]), stock_of(account, world.products[1])
    for either in (gone, kept):
        put_away(account.books, either, 10, account.market.date.toordinal())
    take_oldest(gone, 10)
    account.market.date += 21 * ONE_DAY
    assert storage_charge(account) == pytest.approx(10 * 0.50 * 1.4)


def test_the_cost_basis_is_the_mean_over_all_units_held(account: Account, stock: Stock) -> None:
    receive(account.books, stock, "North Pots", 10, 40.0, defective=False, today=1)
    sell(stock, 4)
    receive(account.books, stock, "South Pots", 6, 60.0, defective=True, today=2)
    assert stock.cost == pytest.approx((6 * 40 + 6 * 60) / 12)
    assert (stock.delivered, stock.defective, stock.defective_share) == (16, 6, 6 / 16)
    assert stock.by_supplier == {"North Pots": 10, "South Pots": 6}


def test_listing_reprices_the_whole_sku_and_delisting_to_nothing_forgets_it(account: Account, stock: Stock) -> None:
    store = Store("store_001", account.world.store_types[0], "S", account.market.date, 0.5)
    put_away(account.books, stock, 10, 1)
    list_units(store, stock, 4, 90.0)
    list_units(store, stock, 2, 95.0)
    listing = store.shelf[stock.product.sku]
    assert (listing.quantity, listing.price, stock.free) == (6, 95.0, 4)
    delist_units(store, stock, 6)
    assert store.shelf == {}
    assert stock.free == 10


def test_a_lot_that_was_sold_does_not_age(account: Account, stock: Stock) -> None:
    for quantity in (5, 4):
        put_away(account.books, stock, quantity, account.market.date.toordinal())
        account.market.date += ONE_DAY
    take_oldest(stock, 5)
    for _ in range(19):
        account.market.date += ONE_DAY
        assert storage_charge(account) == 4 * 0.05  # the day on which the first lot would have aged included
    account.market.date += ONE_DAY
    assert storage_charge(account) == pytest.approx(4 * 0.05 * 1.4)


def test_an_arrival_in_a_copy_does_not_age_in_the_original(world: World, account: Account, stock: Stock) -> None:
    """Two SKUs on one morning age together; the copy alone receives the second, and the original sells some."""
    today = account.market.date.toordinal()
    put_away(account.books, stock, 10, today)
    twin = account.market.copy().accounts[0]
    put_away(twin.books, stock_of(twin, world.products[1]), 10, today)
    take_oldest(stock, 4)
    for either, charge in ((account, 6 * 0.05), (twin, 10 * 0.05 + 10 * 0.50)):
        either.market.date += 21 * ONE_DAY
        assert storage_charge(either) == pytest.approx(charge * 1.4)


@pytest.mark.parametrize(("left", "held"), [(0.9e-9, False), (1.1e-9, True)])
def test_escrow_of_a_billionth_of_a_yuan_or_less_is_empty(left: float, held: bool) -> None:
    purse = Purse(stake=0.0, bank=0.0)
    hold_in_escrow(purse, [1.0], 10)
    refund_from_escrow(purse, 10, 0, 1.0 - left)
    assert (purse.batches[10] != [0.0]) is held
    assert purse.wallet == pytest.approx(0.0 if held else left, rel=1e-6)


def test_what_was_sent_on_one_day_matures_together(account: Account) -> None:
    purse = account.books.purse
    hold_in_escrow(purse, [10.0], 9)
    twin = purse.copy()
    hold_in_escrow(purse, [20.0], 9)
    assert (purse.batches, twin.batches) == ({9: [10.0, 20.0]}, {9: [10.0]})
    release_batches(purse, 9)
    assert (purse.wallet, purse.escrow, purse.batches) == (30.0, 0.0, {})


def test_a_refund_takes_at_most_what_its_own_batch_holds() -> None:
    purse = Purse(stake=0.0, bank=0.0)
    hold_in_escrow(purse, [98.0, 50.0], 10)
    refund_from_escrow(purse, 10, 0, 100.0)
    assert purse.escrow == pytest.approx(50.0)
    assert purse.totals[REFUNDS] == pytest.approx(-98.0)
    refund_from_escrow(purse, 10, 0, 100.0)  # taken already
    refund_from_escrow(purse, 9, 0, 100.0)  # released long ago
    assert purse.escrow == pytest.approx(50.0)


def test_escrow_matures_into_the_wallet_and_empty_ones_add_nothing() -> None:
    purse = Purse(stake=0.0, bank=0.0)
    hold_in_escrow(purse, [98.0], 10)
    hold_in_escrow(purse, [50.0, 20.0], 12)
    refund_from_escrow(purse, 12, 0, 50.0)
    assert purse.batches == {10: [98.0], 12: [0.0, 20.0]}
    release_batches(purse, 10)
    assert (purse.wallet, purse.batches) == (98.0, {12: [0.0, 20.0]})


def test_what_is_left_in_escrow_is_never_below_nothing() -> None:
    purse = Purse(stake=0.0, bank=0.0)
    hold_in_escrow(purse, [0.2, 0.7], 10)
    hold_in_escrow(purse, [0.5], 12)
    release_batches(purse, 11)
    assert (purse.wallet, purse.escrow) == pytest.approx((0.9, 0.5))
    release_batches(purse, 12)
    assert (purse.escrow, purse.batches) == (0.0, {})
    hold_in_escrow(purse, [0.1, 0.7], 20)
    purse.escrow -= 1e-12  # as many small refunds may leave it
    release_batches(purse, 20)
    assert purse.escrow == 0.0


def test_every_movement_is_named_and_the_names_add_up() -> None:
    purse = Purse(stake=1000.0, bank=1000.0)
    pay(purse, SETUP, 500.0)
    pay(purse, PROCUREMENT, 700.0)
    hold_in_escrow(purse, [300.0], 11)
    credit(purse, SALVAGE, 20.0)
    release_all(purse)
    withdraw(purse, 100.0)
    assert purse.bank == pytest.approx(1000 - 500 - 700 + 20 + 100)
    assert purse.total == pytest.approx(purse.stake + sum(purse.totals.values()))
    moved = {channel: amount for channel, amount in purse.totals.items() if amount}
    assert moved == {"setup": -500, "procurement": -700, "revenue": 300, "salvage": 20}
