"""Falls from the year's own best, and the readings beside the score (eq:e0_assets, eq:e3_drawdown to eq:e3_idle)."""

from collections.abc import Callable

import pytest
from msgspec import structs

from ecbench.market.books import DaySales, Store
from ecbench.market.marketplace import Account
from ecbench.market.stock import receive, stock_of
from ecbench.metrics.solvency import (
    daily_rows,
    liquidity,
    orders_voided,
    peak_drawdown,
    primary_score,
    profitability,
    solvency,
)

Morning = Callable[..., None]


@pytest.mark.parametrize(
    ("totals", "fall"), [((100, 120, 90, 200, 150, 165), 50), ((100, 60, 300), 40), ((1, 2, 3), 0), ((), 0)]
)
def test_the_deepest_fall_is_measured_from_the_best_morning_before_it(totals: tuple[float, ...], fall: float) -> None:
    assert peak_drawdown(totals) == fall


def test_drawdown_reads_recorded_mornings_without_the_opening_or_finalization(
    account: Account, morning: Morning
) -> None:
    """Stake 1,000, mornings 800 and 750, finally 400: the fall is 50."""
    morning(bank=800.0)
    morning(bank=600.0, wallet=100.0, escrow=50.0)
    account.books.purse.bank, account.ending = 400.0, "year_end"
    section = profitability(account)
    assert section["peak_drawdown"] == 50.0
    assert (section["final_balance"], section["initial_balance"], section["final_day"]) == (400.0, 1_000.0, 2)
    assert section["bankrupt"] is False
    account.ending = "bankruptcy"
    assert profitability(account)["bankrupt"] is True


def test_every_opening_counts_and_a_type_opened_again_is_a_reopening(account: Account) -> None:
    kitchen = account.world.store_types[0]
    for number in range(3):
        store = Store(f"st{number}", kitchen, "Shop", account.market.date, 0.5)
        account.books.stores[store.id] = store
    section = profitability(account)
    assert (section["stores_opened"], section["store_reopens"]) == (3, 2)


def test_solvency_readings_see_the_opening_and_leave_out_the_row_that_ended_the_year(
    account: Account, morning: Morning
) -> None:
    """Banks 1,000 (opening), -40, 300, then -500 on the last morning, when finalization left 2,000 in the wallet."""
    morning(bank=-40.0, wallet=90.0, units=7)
    morning(bank=300.0, wallet=30.0, units=5)
    morning(bank=-500.0, wallet=0.0, escrow=2_000.0, units=50)
    running = solvency(account)  # a year that goes on reads every morning so far
    assert (running["overdrawn_mornings"], running["trough"], running["peak_units"]) == (2, -500.0, 50)
    purse = account.books.purse
    purse.bank, purse.wallet, account.ending = -500.0, 2_000.0, "bankruptcy"
    score = primary_score(account) | solvency(account)
    assert score["overdrawn_mornings"] == 1
    assert score["trough"] == -40.0
    assert score["idle_wallet"] == 40.0  # (0 + 90 + 30) / 3
    assert score["peak_units"] == 7
    assert score["drawdown_over_peak"] == 0.0  # totals 50, 330, 1,500 only rise


def test_liquidity_of_a_year_of_four_mornings(account: Account, morning: Morning) -> None:
    """Banks 1,000 (opening), -0.5, -60, 460.5, and -5 on the morning that ended the year."""
    account.market.days = 4
    morning(bank=-0.5, wallet=0.5)
    morning(bank=-60.0, wallet=50.0)
    morning(bank=460.5)
    morning(bank=-5.0, wallet=99.0)
    account.books.purse.bank, account.books.purse.wallet, account.ending = -5.0, 99.0, "year_end"
    found = liquidity(account)
    assert found["longest_unpaid_streak"] == 2
    assert found["mean_bank"] == 350.0
    assert (found["trough_day"], found["first_wallet_day"]) == (2, 1)
    assert found["assets_by_quarter"] == [0.0, -10.0, 460.5, 94.0]
    assert solvency(account)["overdrawn_mornings"] == 2
    assert found["mean_open_stores"] == 0.75


def test_a_day_has_what_was_sold_and_cancelled_since_the_one_before(account: Account, morning: Morning) -> None:
    """Orders to date: 5 sold and 1 cancelled, then 7 and 2, then 7 and 3; at the end 8, of which none was sent."""
    for sold, cancelled in ((5, 1), (7, 2), (7, 3)):
        morning(bank=900.0)
        account.books.days[-1] = structs.replace(account.books.days[-1], orders_sold=sold, orders_cancelled=cancelled)
    assert [row.kind for row in daily_rows(account)] == ["opening", *["morning"] * 3]  # of a year that goes on
    account.books.shipment_count, account.books.orders_cancelled, account.ending = 8, 3, "year_end"
    account.books.purse.bank, account.books.purse.wallet = 800.0, 250.0
    rows = daily_rows(account)
    assert [(row.kind, row.orders_sold, row.orders_cancelled) for row in rows] == [
        ("opening", 0, 0),
        ("morning", 5, 1),
        ("morning", 2, 1),
        ("morning", 0, 1),
        ("final", 1, 0),
    ]
    assert [row.orders_voided for row in rows] == [0, 0, 0, 0, 5]  # 8 sold, 3 cancelled, none sent
    first = rows[0].books
    assert (first.bank, first.total, first.wallet, first.units, first.open_stores) == (1_000.0, 1_000.0, 0.0, 0, 0)
    assert (rows[1].books.total, rows[-1].books.total) == (900.0, 1_050.0)


def test_an_order_that_still_waits_is_not_voided(account: Account) -> None:
    books = account.books
    books.shipment_count, books.orders_cancelled = 7, 2
    books.pending = [DaySales("st1", account.market.date, 3, 1, [None] * 3)]  # type: ignore[list-item]
    assert orders_voided(account) == 2


def test_unsold_goods_are_counted_at_their_cost(account: Account) -> None:
    for product, units, price in ((account.world.products[0], 4, 2.5), (account.world.products[0], 1, 5.0)):
        stock = stock_of(account, product)
        receive(account.books, stock, "Alder", units, price, defective=False, today=1)
    found = liquidity(account)
    assert (found["unsold_units"], found["unsold_cost"]) == (5, 15.0)


def test_quarters_end_on_the_nearest_morning(account: Account, morning: Morning) -> None:
    """Of 365 days: 91.25, 182.5 and 273.75, where a half goes to the even day; the last is not reached."""
    for day in range(1, 275):
        morning(bank=1_000.0 + day)
    assert liquidity(account)["assets_by_quarter"] == [1_091.0, 1_182.0, 1_274.0, None]


def test_the_score_is_final_assets_and_their_multiple_of_a_stake(account: Account) -> None:
    purse, empty = account.books.purse, {"overdrawn_mornings": 0, "idle_wallet": 0.0, "peak_units": 0}
    begun = {"final_assets": 1_000.0, "multiplier": 1.0, "drawdown_over_peak": None, "trough": 1_000.0}
    assert primary_score(account) | solvency(account) == begun | empty
    purse.bank, purse.wallet = 1_500.0, 325.5
    assert primary_score(account) == {"final_assets": 1_825.5, "multiplier": 1.8255}
    purse.stake = 0.0
    assert primary_score(account) == {"final_assets": 1_825.5, "multiplier": None}


@pytest.mark.parametrize(
    ("banks", "final", "expected"),
    [
        ((900.0, 300.0, 1_200.0), 2_000.0, 0.3),  # a fall of 600 and a best of 2,000 at the end
        ((1_000.0, -500.0, -500.0), -500.0, 1.5),  # a fall into debt exceeds the whole peak
    ],
)
def test_drawdown_over_peak_divides_by_the_best_assets_ever_held(
    account: Account, morning: Morning, banks: tuple[float, ...], final: float, expected: float
) -> None:
    for bank in banks:
        morning(bank=bank)
    account.books.purse.bank, account.ending = final, "year_end"
    assert solvency(account)["drawdown_over_peak"] == expected
