"""What suppliers cost, worked by hand: the floor of the one SKU is 60 yuan, a cheat's is higher."""

from dataclasses import replace

import pytest
from tests.bound.tiny import PLAIN
from tests.review.bill.trading import CHEAT, HONEST, SECOND, SKU, STORE, Trader, found, stall

from ecbench.market.ledger import REFUNDS, SALVAGE
from ecbench.review.bill.causes import ABOVE_BEST, ABOVE_FLOOR, DEFECTIVE, FEES, SHORT_DELIVERY, UNSOLD
from ecbench.review.bill.charges import Charge
from ecbench.runs.results.database import make_results
from ecbench.runs.results.money_facts import money_facts
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.year_tables import year_tables

EVERY_DEFECTIVE_UNIT_RETURNS = PLAIN.with_overrides({"defective_floor": 1.0, "return_cap": 1.0})


def test_a_purchase_at_the_floor_charges_nothing() -> None:
    trader = Trader()
    trader.buy(10, 60.0)
    assert trader.bill().charges == ()


def test_a_purchase_above_the_floor_charges_the_difference_for_every_unit() -> None:
    trader = Trader()
    trader.sleep()
    trader.buy(10, 65.0)
    [charge] = [charge for charge in trader.bill().charges if charge.cause == ABOVE_FLOOR]
    assert charge == Charge(1, ABOVE_FLOOR, 50.0, sku=SKU, supplier=HONEST, units=10)


def test_the_floor_is_that_of_the_supplier_who_sold() -> None:
    """One who hurries buyers asks for half as much again as the honest floor, but for 70% of the reference at most."""
    world = stall()
    hurried = replace(world.supplier_by_name[CHEAT], scam="fake_urgency")
    trader = Trader(replace(world, suppliers=(*world.suppliers[:-1], hurried)))
    trader.buy(10, 72.0, CHEAT)
    assert found(trader.bill(), ABOVE_FLOOR) == [(0, 20.0, 10)]


def test_a_dearer_purchase_than_the_best_so_far_is_told_beside_the_floor() -> None:
    trader = Trader()
    for units, price in ((10, 70.0), (5, 64.0), (8, 66.0)):
        trader.buy(units, price)
        trader.sleep()
    bill = trader.bill()
    assert found(bill, ABOVE_FLOOR) == [(0, 100.0, 10), (1, 20.0, 5), (2, 48.0, 8)]
    assert found(bill, ABOVE_BEST) == [(2, 16.0, 8)]
    assert bill.between(2, 2).ledger_total == pytest.approx(48.0 + bill.between(2, 2).total("storage"))


def test_the_price_of_goods_that_came_short_or_defective_was_never_won() -> None:
    trader = Trader()
    trader.buy(10, 50.0, CHEAT, short=True)
    trader.buy(10, 51.0, CHEAT, defective=True)
    trader.buy(10, 65.0)
    assert found(trader.bill(), ABOVE_BEST) == []


def test_a_membership_fee_is_charged_whole() -> None:
    trader = Trader()
    trader.pay_fee(CHEAT)
    assert trader.bill().charges == (Charge(0, FEES, 1_000.0, supplier=CHEAT, units=1),)


def test_units_that_never_come_are_charged_at_their_whole_price_and_only_there() -> None:
    """Six of ten come: four at 65 yuan are lost, and five yuan above the floor were paid for six."""
    trader = Trader(rules=PLAIN.with_overrides({"short_delivery": (0.6, 0.0)}))
    trader.buy(10, 65.0, short=True)
    bill = trader.bill()
    assert found(bill, SHORT_DELIVERY) == [(0, 260.0, 4)]
    assert found(bill, ABOVE_FLOOR) == [(0, 30.0, 6)]


def test_goods_left_over_are_those_bought_last_at_what_was_paid_for_them() -> None:
    """Ten go in a day, so of fifteen and ten bought the ten at 70 and five at 65 are left."""
    trader = Trader().stocked(15, cost=65.0)
    trader.buy(10, 70.0)
    trader.sleep()
    bill = trader.bill("turn_limit")
    assert found(bill, UNSOLD) == [(0, 325.0, 5), (1, 700.0, 10)]
    assert found(bill, ABOVE_FLOOR) == [(0, 50.0, 10)]  # for the ten that were sold


def test_goods_may_still_be_sold_while_the_year_goes_on() -> None:
    trader = Trader().stocked(15, cost=65.0)
    trader.sleep()
    bill = trader.bill()
    assert found(bill, UNSOLD) == []
    assert found(bill, ABOVE_FLOOR) == [(0, 75.0, 15)]


def test_goods_on_their_way_when_the_year_ends_are_never_sold() -> None:
    trader = Trader(rules=PLAIN.with_overrides({"lead_days": (5, 5)}))
    trader.buy(10, 60.0)
    trader.sleep()
    assert found(trader.bill("turn_limit"), UNSOLD) == [(0, 600.0, 10)]


def test_what_liquidation_brings_is_taken_off() -> None:
    """Five of fifteen are left and sold off for a tenth of the 60 yuan each had cost."""
    trader = Trader().stocked(15)
    trader.sleep()
    trader.call("close_store", store_id=STORE, liquidate=True)
    bill = trader.bill("turn_limit")
    assert trader.year.account.books.purse.totals[SALVAGE] == pytest.approx(30.0)
    assert found(bill, UNSOLD) == [(0, 270.0, 5)]


def sold_defective(units: dict[str, int], *, returns: float) -> Trader:
    """Four defective units of these suppliers, sold and sent, and whatever of them came back is back."""
    trader = Trader(stall(returns=returns), EVERY_DEFECTIVE_UNIT_RETURNS)
    trader.open()
    for supplier, count in units.items():
        trader.buy(count, 60.0, supplier, defective=True)
    trader.sleep()
    trader.list(4)
    trader.sleep()
    trader.call("ship_orders")
    trader.sleep(2)
    return trader


def test_refunds_that_only_defective_goods_brought_are_charged_to_who_delivered_them() -> None:
    """No sound unit comes back and every defective one does; the platform bears its commission on a whole shipment."""
    trader = sold_defective({CHEAT: 4}, returns=0.0)
    bill = trader.bill()
    [charge] = [charge for charge in bill.charges if charge.cause == DEFECTIVE]
    assert charge == Charge(3, DEFECTIVE, 4 * 98.0, STORE, SKU, CHEAT, 4)
    assert charge.amount == pytest.approx(-trader.year.account.books.purse.totals[REFUNDS])


def test_suppliers_share_the_blame_by_the_defective_units_they_delivered() -> None:
    trader = sold_defective({CHEAT: 3, SECOND: 1}, returns=0.0)
    blamed = {charge.supplier: charge.units for charge in trader.bill().charges if charge.cause == DEFECTIVE}
    assert blamed == {CHEAT: 3, SECOND: 1}
    tables = year_tables(trader.year, [])
    database = make_results("", {0: (tables, money_facts(tables, trader.year.account.economy))})
    refunds = {line.supplier: line.defects for line in Statement(database).lines("cheat")}
    charged = {charge.supplier: charge.amount for charge in trader.bill().charges if charge.cause == DEFECTIVE}
    assert refunds == pytest.approx({CHEAT: charged[CHEAT]})  # the statement lists cheats alone


def test_units_that_would_have_come_back_anyway_blame_nobody() -> None:
    """Every unit comes back, sound or not."""
    trader = sold_defective({CHEAT: 4}, returns=1.0)
    assert trader.year.account.books.purse.totals[REFUNDS] < 0.0
    assert found(trader.bill(), DEFECTIVE) == []


def test_blame_is_the_difference_to_a_year_of_sound_goods() -> None:
    """Two years with the same draws: every second sound unit comes back, and every defective one."""
    world, refunded, blamed = stall(returns=0.5), [], 0.0
    for defective in (False, True):
        trader = Trader(world, EVERY_DEFECTIVE_UNIT_RETURNS)
        trader.open()
        trader.buy(8, 60.0, CHEAT, defective=defective)
        trader.sleep()
        trader.list(8)
        trader.sleep()
        trader.call("ship_orders")
        trader.sleep(2)
        refunded.append(-trader.year.account.books.purse.totals[REFUNDS])
        blamed = trader.bill().total(DEFECTIVE)
    assert 0.0 < refunded[0] < refunded[1]
    assert blamed == pytest.approx(refunded[1] - refunded[0])
