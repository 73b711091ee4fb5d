"""Returns and shipping over hand-made dispatches (eq:e5_layers to eq:e5_ontime)."""

import pytest

from ecbench.market.books import Books, Parcel, ReturnLayers, SoldGoods
from ecbench.market.marketplace import Account
from ecbench.market.stock import stock_of
from ecbench.metrics.execution import expected_of, expected_returns, fulfilment_quality, return_management
from ecbench.rules import Rules
from ecbench.world.model import Product

RULES = Rules()
POT = Product("a00000000001", "Pots", "Ato", "Ato Clay Pot", "Small", 100.0, 0.10)


def sent(units: int, speed: str, rates: ReturnLayers) -> Parcel:
    goods = SoldGoods(POT, units, 100.0, 100.0 * units, 98.0 * units, rates)
    return Parcel(goods, speed, 0.5, 0.5 * units, rates.capped)


FAST = sent(10, "fast", ReturnLayers(0.10, 0.20, 0.30, 0.30))
PLAIN = sent(10, "standard", ReturnLayers(0.10, 0.10, 0.12, 0.12))


def kept(account: Account) -> Books:
    """Eight orders of 25 units: two were sent, one was cancelled; four units came back."""
    books, stock = account.books, stock_of(account, account.world.products[0])
    books.shipment_count, books.orders_cancelled, books.sent = 8, 1, [FAST, PLAIN]
    stock.sold, stock.returned = 25, 4
    books.refund_loss, books.freight_loss = 123.456, 2.5
    return books


def test_the_channels_of_a_shipment_are_carried_at_its_own_speed_up_to_the_cap() -> None:
    sums = expected_returns([FAST], RULES)
    assert sums.total == pytest.approx(10 * 0.30 * 0.75)
    assert [sums.natural, sums.defective, sums.pricing, sums.speed] == pytest.approx([0.75, 0.75, 0.75, 0.0])
    sums = expected_returns([sent(10, "slow", ReturnLayers(0.5, 0.9, 1.4, 0.95))], RULES)
    assert [sums.total, sums.natural] == pytest.approx([9.5, 6.5])
    dreaded = expected_returns([sent(10, "standard", ReturnLayers(0.97, 0.97, 1.4, 0.95))], RULES)
    assert (dreaded.total, dreaded.controllable_vs_standard) == (9.5, 0.0)  # nobody could have had more sent back


def test_a_parcel_that_recurs_counts_each_time_and_the_sums_run_in_the_order_of_sending() -> None:
    light = sent(1, "slow", ReturnLayers(1e-17, 3e-17, 0.123, 0.123))
    dispatches = [FAST, light, PLAIN, FAST, light, light] * 9
    totals = expected_returns(dispatches, RULES)
    for name, total in totals._asdict().items():
        running = 0
        for parcel in dispatches:
            running += getattr(expected_of(parcel, RULES), name)
        assert total == running, name


def test_expected_rates_divide_by_units_shipped_and_realized_ones_by_units_sold(account: Account) -> None:
    section = return_management(kept(account), RULES)
    assert section["realized_return_rate"] == 0.16  # 4 / 25
    assert section["exp_return_rate"] == round((2.25 + 1.2) / 20, 4)
    assert section["exp_return_rate_natural"] == round((0.75 + 1.0) / 20, 4)
    assert section["exp_return_rate_from_defective_fraud"] == round(0.75 / 20, 4)
    assert section["exp_return_rate_from_pricing"] == round((0.75 + 0.2) / 20, 4)
    assert section["exp_return_rate_from_ship_speed"] == 0.0
    assert section["controllable_return_rate"] == round((0.75 + 0.2) / 20, 4)


def test_the_corrected_rate_credits_fast_freight_against_standard(account: Account) -> None:
    # Fast goods come back at 0.225 instead of the 0.20 of the same goods at reference price by standard freight
    books = kept(account)
    section, shipping = return_management(books, RULES), fulfilment_quality(books)
    assert section["controllable_return_rate_corrected"] == round((10 * (0.225 - 0.20) + 0.2) / 20, 4)
    assert (section["refund_loss_total"], section["shipping_loss_on_returns"]) == (123.46, 2.5)  # gross, to the cent
    assert (shipping["on_time_ship_rate"], shipping["orders_cancelled"]) == (0.25, 1)  # 2 / 8, whatever was cancelled
    assert shipping["ship_speed_counts"] == {"fast": 1, "standard": 1, "slow": 0}


def test_a_year_without_sales_reads_zero_not_null(account: Account) -> None:
    returns, shipping = return_management(account.books, RULES), fulfilment_quality(account.books)
    assert returns.pop("ship_speed_counts") == {"fast": 0, "standard": 0, "slow": 0}
    assert set(returns.values()) == {0}
    assert shipping["on_time_ship_rate"] == 0.0
