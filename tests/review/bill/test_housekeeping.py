"""Storage, slots, wallets, minutes and days, worked by hand."""

import pytest
from tests.bound.tiny import PLAIN, STALL
from tests.review.bill.trading import STORE, Trader, found

from ecbench.market.ledger import IDLE, OPERATING
from ecbench.review.bill.causes import (
    CLOSED_STORE,
    EMPTY_SHELF,
    EMPTY_SLOT,
    IDLE_DAY,
    IDLE_WALLET,
    STORAGE,
    WASTED_MINUTES,
)
from ecbench.rules import DEFAULT_RULES

COSTLY = PLAIN.with_overrides({"operating_cost": {1: 0.0, 2: 0.0, 3: 60.0}})


def test_storage_is_charged_as_the_warehouse_charged_it() -> None:
    """A hundred units at a cent each, from the morning after they came."""
    trader = Trader()
    trader.buy(100, 60.0)
    trader.sleep(3)
    assert found(trader.bill(), STORAGE) == [(1, 0.0, 100), (2, 1.0, 100), (3, 1.0, 100)]


def test_a_business_without_a_store_is_charged_once_the_grace_is_over() -> None:
    """Seven days of grace: the mornings of days 8, 9 and 10 cost a thousand yuan each."""
    trader = Trader(rules=DEFAULT_RULES)
    trader.sleep(10)
    assert found(trader.bill(), EMPTY_SLOT) == [(day, 1_000.0 if day > 7 else 0.0, 1) for day in range(1, 11)]
    assert trader.bill().total(EMPTY_SLOT) == -trader.year.account.books.purse.totals[IDLE]


def test_no_slot_is_empty_where_every_type_has_its_store() -> None:
    trader = Trader()
    trader.open()
    trader.sleep(2)
    assert found(trader.bill(), EMPTY_SLOT) == []


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
    assert found(trader.bill(), CLOSED_STORE) == [(day, 317.5, 10) for day in (2, 3, 4, 5)]


def test_a_store_that_earned_less_than_it_cost_is_well_closed() -> None:
    trader = closed_on_day_2(cost=95.0)
    trader.sleep(2)
    assert found(trader.bill(), CLOSED_STORE) == []


def test_a_slot_that_is_used_again_is_not_empty() -> None:
    trader = closed_on_day_2()
    trader.sleep()
    trader.open()
    trader.sleep(2)
    assert [day for day, _, _ in found(trader.bill(), CLOSED_STORE)] == [2]


def test_more_customers_buy_more_from_a_shelf_that_holds_enough() -> None:
    """Eleven of fifty: 26 want one on a Saturday, and 20 / (20 + 26) of them are served."""
    trader = Trader(rules=COSTLY).stocked(50)
    trader.sleep()
    trader.call("close_store", store_id=STORE)
    trader.sleep(4)
    assert found(trader.bill(), CLOSED_STORE)[-1] == (5, round(26 * 20 / 46 * 37.75 - 60, 4), 11)


def test_a_wallet_is_idle_where_it_would_have_paid_a_morning_that_the_bank_could_not() -> None:
    trader = Trader(rules=COSTLY)
    trader.open()
    trader.year.account.books.purse.bank, trader.year.account.books.purse.wallet = 10.0, 500.0
    trader.sleep()
    assert trader.year.bank == -50.0
    assert found(trader.bill(), IDLE_WALLET) == [(1, 0.0, 50)]


def test_what_an_empty_shelf_lost_is_charged_to_the_wallet_that_could_have_filled_it() -> None:
    """The merchant pays 600 yuan in its one week with orders. The bank has 200 of them, the wallet 100, then 400."""
    trader = Trader().stocked(10, cost=60.0)
    trader.sleep()
    purse = trader.year.account.books.purse
    for wallet in (100.0, 100.0, 400.0, 400.0):
        purse.bank, purse.wallet = 200.0, wallet
        trader.sleep()
    bill = trader.bill()
    lost = {day: amount for day, amount, _ in found(bill, EMPTY_SHELF)}
    idle = found(bill, IDLE_WALLET)
    assert [(day, units) for day, _, units in idle] == [(3, 100), (4, 100), (5, 400)]
    assert [amount for _, amount, _ in idle] == pytest.approx([lost[3] / 4, lost[4] / 4, lost[5]])


def test_an_empty_wallet_is_not_idle() -> None:
    trader = Trader(rules=COSTLY)
    trader.open()
    trader.year.account.books.purse.bank = 10.0
    trader.sleep()
    assert found(trader.bill(), IDLE_WALLET) == []


def test_a_wallet_is_idle_where_a_store_was_refused_for_want_of_money() -> None:
    trader = Trader(rules=PLAIN.with_overrides({"setup_fee": 500.0}))
    trader.sleep()
    trader.year.account.books.purse.bank, trader.year.account.books.purse.wallet = 100.0, 1_000.0
    trader.call("check_balance")
    trader.open()
    assert found(trader.bill(), IDLE_WALLET) == [(1, 0.0, 400)]


def test_a_wallet_is_idle_where_an_order_was_refused_for_want_of_money() -> None:
    trader = Trader()
    purse = trader.year.account.books.purse
    purse.bank, purse.wallet = 100.0, 1_000_000.0
    trader.call("check_balance")
    offer = '```negotiate\n{"action": "offer", "sku_id": "000", "price": 90, "quantity": 10}\n```'
    for _ in range(10):
        if "order_error" in str(trader.call("chatbox", uid="0@tiny.example", content=offer)):
            break
    assert found(trader.bill(), IDLE_WALLET) == [(0, 0.0, 800)]


def test_money_that_was_withdrawn_in_the_same_turn_was_not_idle() -> None:
    trader = Trader(rules=PLAIN.with_overrides({"setup_fee": 5_000.0}))
    trader.year.account.books.purse.bank, trader.year.account.books.purse.wallet = 100.0, 1_000.0
    trader.call("check_balance")
    trader.turn(("withdraw", {}), ("open_store", {"store_type": STALL, "store_name": "Stall"}))
    assert found(trader.bill(), IDLE_WALLET) == []


def test_a_call_that_failed_wasted_its_minutes() -> None:
    trader = Trader()
    trader.call("open_store", store_type="castle", store_name="Castle")
    assert found(trader.bill(), WASTED_MINUTES) == [(0, 0.0, 60)]


def test_a_question_wastes_its_minutes_when_its_answer_is_known() -> None:
    trader = Trader()
    for _ in range(3):
        trader.call("market_search")
    trader.call("market_search", store_type=STALL)
    assert found(trader.bill(), WASTED_MINUTES) == [(0, 0.0, 60)]


def test_taking_notes_does_not_make_a_known_answer_new() -> None:
    trader = Trader()
    trader.call("check_store_status")
    trader.call("operate_memory", action="add", title="a", content="b")
    trader.call("check_store_status")
    assert [units for _, _, units in found(trader.bill(), WASTED_MINUTES)] == [10]


def test_a_question_may_be_asked_again_when_something_has_changed() -> None:
    trader = Trader()
    trader.call("check_store_status")
    trader.open()
    trader.call("check_store_status")
    trader.sleep()
    trader.call("check_store_status")
    assert found(trader.bill(), WASTED_MINUTES) == []


def test_a_plan_of_which_a_part_was_carried_out_has_wasted_nothing() -> None:
    trader = Trader().stocked(10)
    good, bad = {"product_id": "000", "price": 90.0}, {"product_id": "nothing", "price": 90.0}
    trader.call("set_prices", store_id=STORE, prices=[good, bad])
    assert found(trader.bill(), WASTED_MINUTES) == []
    trader.call("set_prices", store_id=STORE, prices=[bad])
    assert found(trader.bill(), WASTED_MINUTES) == [(1, 0.0, 10)]


def test_a_day_on_which_nothing_was_done_or_sold_costs_what_the_stores_cost() -> None:
    """The store opens on day 0; on days 1 and 2 the merchant only looks and waits."""
    trader = Trader(rules=COSTLY)
    trader.open()
    trader.sleep()
    trader.call("check_balance")
    trader.sleep(2)
    assert found(trader.bill(), IDLE_DAY) == [(1, 60.0, 1), (2, 60.0, 1)]
    assert trader.year.account.books.purse.totals[OPERATING] == -180.0


def test_a_day_that_sold_something_was_not_idle() -> None:
    trader = Trader(rules=COSTLY).stocked(15)
    trader.sleep(3)
    assert [day for day, _, _ in found(trader.bill(), IDLE_DAY)] == [3]


@pytest.mark.parametrize("call", ["wait_for_next_day", "check_warehouse", "operate_memory"])
def test_looking_waiting_and_taking_notes_change_nothing_of_a_business(call: str) -> None:
    trader = Trader()
    trader.call(call, **({"action": "add", "title": "a", "content": "b"} if call == "operate_memory" else {}))
    trader.sleep()
    assert found(trader.bill(), IDLE_DAY)[0] == (0, 0.0, 1)
