"""Storage, slots, closed stores and wallets, worked by hand."""

import pytest
from tests.analysis.bound.tiny import PLAIN
from tests.metrics.losses.trading import STORE, Trader, found

from ecbench.market.ledger import IDLE
from ecbench.metrics.losses.account import (
    CLOSED_STORE,
    EMPTY_SHELF,
    IDLE_WALLET,
    NO_STORE,
    STORAGE,
    total,
)
from ecbench.rules import DEFAULT_RULES

COSTLY = PLAIN.with_overrides({"operating_cost": {1: 0.0, 2: 0.0, 3: 60.0}})


def test_storage_is_charged_as_the_warehouse_charged_it() -> None:
    """A hundred units at a cent each, from the morning after they came."""
    trader = Trader()
    trader.buy(100, 60.0)
    trader.sleep(3)
    assert found(trader.losses(), STORAGE) == [(2, 1.0, 100), (3, 1.0, 100)]


def test_a_business_without_a_store_is_charged_once_the_grace_is_over() -> None:
    """Seven days of grace: the mornings of days 8, 9 and 10 cost a thousand yuan each."""
    trader = Trader(rules=DEFAULT_RULES)
    trader.sleep(10)
    assert found(trader.losses(), NO_STORE) == [(day, 1_000.0, 0) for day in (8, 9, 10)]
    assert total(trader.losses(), NO_STORE) == -trader.year.account.books.purse.totals[IDLE]


def test_no_slot_is_empty_where_every_type_has_its_store() -> None:
    trader = Trader()
    trader.open()
    trader.sleep(2)
    assert found(trader.losses(), NO_STORE) == []


def closed_on_day_2(cost: float = 60.0) -> Trader:
    """Ten units went on day 1 at 100 yuan each."""
    trader = Trader(rules=COSTLY).stocked(10, cost=cost)
    trader.sleep()
    trader.call("close_store", store_id=STORE)
    return trader


def test_a_store_that_is_closed_loses_what_its_last_shelf_would_have_earned() -> None:
    """Ten units at 98 - 60 - 0.25 yuan, less 60 yuan of operating costs, on days 2 to 4; at day 5, a Saturday, too."""
    trader = closed_on_day_2()
    trader.sleep(4)
    assert found(trader.losses(), CLOSED_STORE) == [(day, 317.5, 10) for day in (2, 3, 4, 5)]


def test_a_store_that_earned_less_than_it_cost_is_well_closed() -> None:
    trader = closed_on_day_2(cost=95.0)
    trader.sleep(2)
    assert found(trader.losses(), CLOSED_STORE) == []


def test_a_slot_that_is_used_again_is_not_empty() -> None:
    trader = closed_on_day_2()
    trader.sleep()
    trader.open()
    trader.sleep(2)
    assert [day for day, _, _ in found(trader.losses(), CLOSED_STORE)] == [2]


def test_more_customers_buy_more_from_a_shelf_that_holds_enough() -> None:
    """Eleven of fifty: 26 want one on a Saturday, and 20 / (20 + 26) of them are served."""
    trader = Trader(rules=COSTLY).stocked(50)
    trader.sleep()
    trader.call("close_store", store_id=STORE)
    trader.sleep(4)
    assert found(trader.losses(), CLOSED_STORE)[-1] == (5, round(26 * 20 / 46 * 37.75 - 60, 4), 11)


def test_what_an_empty_shelf_lost_is_charged_to_the_wallet_that_could_have_filled_it() -> None:
    """The merchant pays 600 yuan in its one week with orders. The bank has 200 of them, the wallet 100, then 400."""
    trader = Trader().stocked(10, cost=60.0)
    trader.sleep()
    purse = trader.year.account.books.purse
    for wallet in (100.0, 100.0, 400.0, 400.0):
        purse.bank, purse.wallet = 200.0, wallet
        trader.sleep()
    losses = trader.losses()
    lost = {day: amount for day, amount, _ in found(losses, EMPTY_SHELF)}
    idle = found(losses, IDLE_WALLET)
    assert [day for day, _, _ in idle] == [3, 4, 5]
    assert [amount for _, amount, _ in idle] == pytest.approx([lost[3] / 4, lost[4] / 4, lost[5]])
