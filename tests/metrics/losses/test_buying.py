"""What suppliers cost, worked by hand: the floor of the one SKU is 60 yuan."""

from dataclasses import replace

import pytest
from tests.analysis.bound.tiny import PLAIN
from tests.metrics.losses.trading import CHEAT, HONEST, SECOND, SKU, STORE, Trader, found, stall

from ecbench.market.ledger import REFUNDS, SALVAGE
from ecbench.metrics.losses.account import ABOVE_FLOOR, DEFECTIVE, FEES, SHORT_DELIVERY, UNSOLD, Loss, total
from ecbench.runs.results.database import make_results
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.year_tables import year_tables

EVERY_DEFECTIVE_UNIT_RETURNS = PLAIN.with_overrides({"defective_floor": 1.0, "return_cap": 1.0})


def test_a_purchase_at_the_floor_loses_nothing() -> None:
    trader = Trader()
    trader.buy(10, 60.0)
    assert trader.losses() == []


def test_a_purchase_above_the_floor_loses_the_difference_for_every_unit() -> None:
    trader = Trader()
    trader.sleep()
    trader.buy(10, 65.0)
    [loss] = [loss for loss in trader.losses() if loss.cause == ABOVE_FLOOR]
    assert loss == Loss(1, ABOVE_FLOOR, 50.0, sku=SKU, supplier=HONEST, units=10, order=1)


def test_the_floor_is_that_of_an_honest_supplier_whoever_sold() -> None:
    """One who hurries buyers would take no less than 70 yuan; what an honest one takes counts."""
    world = stall()
    hurried = replace(world.supplier_by_name[CHEAT], scam="fake_urgency")
    trader = Trader(replace(world, suppliers=(*world.suppliers[:-1], hurried)))
    trader.buy(10, 72.0, CHEAT)
    assert found(trader.losses(), ABOVE_FLOOR) == [(0, 120.0, 10)]


def test_a_membership_fee_is_lost_whole() -> None:
    trader = Trader()
    trader.pay_fee(CHEAT)
    assert trader.losses() == [Loss(0, FEES, 1_000.0, supplier=CHEAT, units=1, order=1)]


def test_units_that_never_come_are_lost_at_the_floor_and_above_it_by_the_price() -> None:
    """Six of ten come: four at 60 yuan are lost, and five yuan above the floor were paid for all ten."""
    trader = Trader(rules=PLAIN.with_overrides({"short_delivery": (0.6, 0.0)}))
    trader.buy(10, 65.0, short=True)
    losses = trader.losses()
    assert found(losses, SHORT_DELIVERY) == [(0, 240.0, 4)]
    assert found(losses, ABOVE_FLOOR) == [(0, 50.0, 10)]


def test_goods_left_over_are_those_bought_last() -> None:
    """Ten go in a day, so of fifteen and ten bought the ten at 70 and five at 65 are left."""
    trader = Trader().stocked(15, cost=65.0)
    trader.buy(10, 70.0)
    trader.sleep()
    assert found(trader.losses(), UNSOLD) == []  # while the year goes on they may still be sold
    losses = trader.losses("turn_limit")
    assert found(losses, UNSOLD) == [(0, 300.0, 5), (1, 600.0, 10)]
    assert found(losses, ABOVE_FLOOR) == [(0, 75.0, 15), (1, 100.0, 10)]


def test_goods_bought_below_the_floor_are_lost_at_what_they_cost() -> None:
    trader = Trader()
    trader.buy(10, 50.0)
    trader.sleep()
    losses = trader.losses("turn_limit")
    assert found(losses, UNSOLD) == [(0, 500.0, 10)]
    assert found(losses, ABOVE_FLOOR) == []


def test_goods_on_their_way_when_the_year_ends_are_never_sold() -> None:
    trader = Trader(rules=PLAIN.with_overrides({"lead_days": (5, 5)}))
    trader.buy(10, 60.0)
    trader.sleep()
    assert found(trader.losses("turn_limit"), UNSOLD) == [(0, 600.0, 10)]


def test_what_liquidation_brings_is_taken_off() -> None:
    """Five of fifteen are left and sold off for a tenth of the 60 yuan each had cost."""
    trader = Trader().stocked(15)
    trader.sleep()
    trader.call("close_store", store_id=STORE, liquidate=True)
    losses = trader.losses("turn_limit")
    assert trader.year.account.books.purse.totals[SALVAGE] == pytest.approx(30.0)
    assert found(losses, UNSOLD) == [(0, 270.0, 5)]


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
    losses = trader.losses()
    [loss] = [loss for loss in losses if loss.cause == DEFECTIVE]
    assert loss == Loss(3, DEFECTIVE, 4 * 98.0, STORE, SKU, CHEAT, 4)
    assert loss.amount == pytest.approx(-trader.year.account.books.purse.totals[REFUNDS])


def test_suppliers_share_the_blame_by_the_defective_units_they_delivered() -> None:
    trader = sold_defective({CHEAT: 3, SECOND: 1}, returns=0.0)
    blamed = {loss.supplier: loss.units for loss in trader.losses() if loss.cause == DEFECTIVE}
    assert blamed == {CHEAT: 3, SECOND: 1}
    database = make_results("", {0: year_tables(trader.year, losses=trader.losses())})
    refunds = {line.supplier: line.defects for line in Statement(database).lines("cheat")}
    charged = {loss.supplier: loss.amount for loss in trader.losses() if loss.cause == DEFECTIVE}
    assert refunds == pytest.approx({CHEAT: charged[CHEAT]})  # the statement lists cheats alone


def test_units_that_would_have_come_back_anyway_blame_nobody() -> None:
    """Every unit comes back, sound or not."""
    trader = sold_defective({CHEAT: 4}, returns=1.0)
    assert trader.year.account.books.purse.totals[REFUNDS] < 0.0
    assert found(trader.losses(), DEFECTIVE) == []


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
        blamed = total(trader.losses(), DEFECTIVE)
    assert 0.0 < refunded[0] < refunded[1]
    assert blamed == pytest.approx(refunded[1] - refunded[0])
